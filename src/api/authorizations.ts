/** Calls the endpoints of authorizations, log-ins and the service's status. */
import {
  answerLost,
  answerUnexpected,
  ApiError,
  forbidden,
  deletedAlready,
  invalidSetting,
  notFound,
  otpRequired,
  unauthenticated,
} from "../problems";
import { isInteger, type ObjectValue } from "../lib/values";
import { optionalRecordOf, recordOf, type Reply } from "./answer";
import { type Removal, resolveReferences } from "./endpoint";
import { checkOtp, type Identity } from "./identity";
import { segment } from "./options";
import type {
  AuthorizationRecord,
  CallerRecord,
  CreatedAuthorization,
  SessionRecord,
  StatusRecord,
} from "./records";
import { type Channel, LOG_IN_PATH } from "./request";
import { OneTimePasswords, type OpenedSession } from "./session";

const PATH = "/api/authorization";

export class Authorizations {
  constructor(private readonly channel: Channel) {}

  /**
   * Creates a token for the user of the identity; `own` is the client's own user. Never repeated, unless it is certain that nothing was
   * sent or that the service refused: the result could be a token whose secret is lost.
   * @throws answerLost if it is unknown whether a token was created, or if its secret did not arrive
   */
  async create(identity: Identity): Promise<CreatedAuthorization> {
    const as = identity.kind === "own" ? this.#ownBasic() : identity;
    let reply: Reply;
    try {
      reply = await this.channel.send({ method: "POST", path: PATH, as, fresh: true });
    } catch (error) {
      if (error instanceof ApiError && error.uncertain)
        throw answerLost.error(error.request, {
          object: `${this.#tokenOf(as)} was created`,
          failure: error,
          advice: LOOK,
        });
      throw error;
    }
    const token = this.#createdIn(reply, as);
    // The secret is shown once: it is not lost because its user cannot be read.
    return this.#withUserId(token).catch(() => token);
  }

  async #withUserId<T extends AuthorizationRecord>(record: T): Promise<T> {
    await resolveReferences(this.channel, record);
    return this.channel.settings.references.resolve(record);
  }

  /** The record of a token, without its secret; undefined if the service says 404 or 410. */
  async find(serial: string): Promise<AuthorizationRecord | undefined> {
    try {
      const reply = await this.channel.send({ method: "GET", path: `${PATH}/${segment(serial)}` });
      return await this.#withUserId(recordOf<AuthorizationRecord>(reply));
    } catch (error) {
      if (notFound.is(error) || deletedAlready.is(error)) return undefined;
      throw error;
    }
  }

  /**
   * Revokes a token. A 2xx is only the service's claim: {@link Client.callerAs} with the token proves it. A 404 may hide a token that the
   * caller must not see, so it counts as "absent" also after an attempt whose answer was lost.
   * @throws methodUnsupported if the service does not revoke over its API
   */
  async revoke(serial: string): Promise<Removal> {
    try {
      await this.channel.send({ method: "DELETE", path: `${PATH}/${segment(serial)}` });
      return "deleted";
    } catch (error) {
      if (notFound.is(error) || deletedAlready.is(error)) return "absent";
      throw error;
    }
  }

  /** Creating tokens needs basic credentials; with two factors it needs a session (spec 5). */
  #ownBasic(): Identity {
    const credentials = this.channel.settings.credentials.reveal();
    if (credentials.kind === "token" || credentials.otp !== undefined || credentials.totpSecret !== undefined)
      return { kind: "own" };
    return { kind: "basic", username: credentials.username, password: credentials.password };
  }

  /** If no intent was noted before, only this message identifies the token's user. */
  #tokenOf(as: Identity): string {
    const credentials = this.channel.settings.credentials.reveal();
    if (as.kind === "basic") return `a token of ${as.username}`;
    return credentials.kind === "password" ? `a token of ${credentials.username}` : "a token";
  }

  #createdIn(reply: Reply, as: Identity): CreatedAuthorization {
    const record = recordIfWhole(reply);
    const token = record?.access_token;
    if (typeof token === "string" && token !== "") {
      this.channel.settings.redactor.learn(token);
      return { ...record, access_token: token };
    }
    throw answerLost.error(reply.facts, {
      object: `${this.#tokenOf(as)} was created that can be used`,
      detail: "The service reports success, but its answer contains no secret.",
      advice: record?.serial ? `Revoke the token ${JSON.stringify(record.serial)}.` : LOOK,
    });
  }
}

const LOOK = "Check at the service whether the user has an unknown token, and revoke it.";

function recordIfWhole(reply: Reply): AuthorizationRecord | undefined {
  try {
    return optionalRecordOf<AuthorizationRecord>(reply);
  } catch {
    return undefined;
  }
}

// Log-ins (spec 4.2, 5).

/** Credentials of a log-in. */
export interface Login {
  readonly username: string;
  readonly password: string;
  /** One-time password. */
  readonly otp?: string | undefined;
}

const DEFAULT_LIFETIME_S = 3600;

/**
 * Opens a session. Repeated as a read is, but not with a one-time password that may have been spent.
 * @throws unauthenticated, otpRequired, otpRefused
 */
export async function logIn(channel: Channel, { username, password, otp }: Login): Promise<SessionRecord> {
  const { redactor } = channel.settings;
  redactor.learnBasic(username, password);
  redactor.learn(otp);
  const code = otp === undefined ? undefined : checkOtp(otp);
  const reply = await channel.send({
    method: "POST",
    path: LOG_IN_PATH,
    body: { grant_type: "password", username, password },
    as: { kind: "nobody" },
    otp: code,
    harmless: code === undefined,
    fresh: code !== undefined,
  });
  const record = recordOf<ObjectValue>(reply);
  const token = record["access_token"];
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token))
    throw answerUnexpected.error(reply.facts, "the session has no usable token");
  redactor.learn(token);
  return { ...record, access_token: token };
}

/**
 * Opens one more session for the client's own user. Another program will use it, so it is not the client's session.
 * @param otp one-time password; without it, one is computed if the client has the secret for it
 * @throws invalidSetting if the client has a token and no password
 */
export async function logInAsSelf(channel: Channel, otp?: string): Promise<SessionRecord> {
  const { clock, signal, credentials: concealed } = channel.settings;
  const credentials = concealed.reveal();
  if (credentials.kind === "token")
    throw invalidSetting.error({
      setting: "the credentials",
      why: "a session needs a username and password, but there is only a token",
    });
  const { username, password, totpSecret } = credentials;
  const logInWith = (code: string | undefined) => logIn(channel, { username, password, otp: code });
  return otp === undefined && totpSecret !== undefined
    ? new OneTimePasswords(totpSecret, clock).logIn(logInWith, signal)
    : logInWith(otp);
}

export async function openSession(channel: Channel, login: Login): Promise<OpenedSession> {
  const { access_token: token, expires_in: seconds } = await logIn(channel, login);
  const lifetime = isInteger(seconds) && seconds > 0 ? Number(seconds) : DEFAULT_LIFETIME_S;
  return { token, lifetimeMs: lifetime * 1000 };
}

// Health, and the caller (spec 4.2).

/** Asks the service about a credential. Any answer but a clear yes or no is an error. */
export type CredentialCheck =
  | { readonly status: 200; readonly caller: CallerRecord }
  /** The credential itself is refused. */
  | { readonly status: 401 }
  /** The credential is known, and may not do this. */
  | { readonly status: 403 };

/** Is the service well? Needs no credentials. */
export async function readStatus(channel: Channel): Promise<StatusRecord> {
  return recordOf(await channel.send({ method: "GET", path: "/api/status", as: { kind: "nobody" } }));
}

/** The user that an identity belongs to. @throws unauthenticated, otpRequired, forbidden */
export async function readCaller(channel: Channel, as: Identity = { kind: "own" }): Promise<CallerRecord> {
  return recordOf(await channel.send({ method: "GET", path: "/api/status/authorization", as }));
}

/** Like {@link readCaller}, but a refusal is an answer, too. */
export async function checkCredential(channel: Channel, as: Identity): Promise<CredentialCheck> {
  try {
    return { status: 200, caller: await readCaller(channel, as) };
  } catch (error) {
    if (otpRequired.is(error) || unauthenticated.is(error)) return { status: 401 };
    if (forbidden.is(error)) return { status: 403 };
    throw error;
  }
}
