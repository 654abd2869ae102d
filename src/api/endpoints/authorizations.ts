/** Persistent tokens (spec 2.5, 4.2). */
import { AnswerLost, ApiError, Gone, NotFound } from "../../errors";
import type { Reply } from "../attempt";
import type { Channel } from "../channel";
import type { Identity } from "../identity";
import type { AuthorizationRecord, MintedAuthorization } from "../records";
import { optionalRecordOf } from "../shape";
import { segment } from "../url";
import type { Removal } from "./removal";

const PATH = "/api/authorization";

export class Authorizations {
  constructor(private readonly channel: Channel) {}

  /**
   * Mints a token for the user that the identity stands for; `own` is the client's own user. Never repeated, unless it is
   * certain that nothing was sent or that the service refused: a token that nobody holds could be the result.
   * @throws AnswerLost where nobody can tell whether a token was minted, or its secret did not arrive
   */
  async mint(identity: Identity): Promise<MintedAuthorization> {
    const as = identity.kind === "own" ? this.#ownBasic() : identity;
    let reply: Reply;
    try {
      reply = await this.channel.send({ method: "POST", path: PATH, as, fresh: true });
    } catch (error) {
      if (error instanceof ApiError && error.uncertain)
        throw new AnswerLost(error.request, `${this.#tokenOf(as)} was minted`, {
          lost: error,
          advice: LOOK,
        });
      throw error;
    }
    return this.#kept(reply, as);
  }

  /**
   * Revokes a token. A 2xx is the service's word only: {@link Status.callerAs} with the token proves it. A 404 may hide what the caller is not
   * to see, so it counts as "absent" also after an attempt whose answer was lost.
   * @throws MethodUnsupported where the service does not revoke over its API
   */
  async revoke(idOrSerial: string): Promise<Removal> {
    try {
      await this.channel.send({ method: "DELETE", path: `${PATH}/${segment(idOrSerial)}` });
      return "deleted";
    } catch (error) {
      if (error instanceof NotFound || error instanceof Gone) return "absent";
      throw error;
    }
  }

  /** Minting wants basic credentials; with two factors only a session will do (spec 5). */
  #ownBasic(): Identity {
    const credentials = this.channel.settings.credentials.reveal();
    if (credentials.kind === "token" || credentials.otp !== undefined || credentials.totpSecret !== undefined)
      return { kind: "own" };
    return { kind: "basic", username: credentials.username, password: credentials.password };
  }

  /** Where nothing was noted before, a message is all that tells whose token it may be. */
  #tokenOf(as: Identity): string {
    const credentials = this.channel.settings.credentials.reveal();
    if (as.kind === "basic") return `a token of ${as.username}`;
    if (as.kind === "switch_user") return `a token of ${as.login}`;
    return credentials.kind === "password" ? `a token of ${credentials.username}` : "a token";
  }

  #kept(reply: Reply, as: Identity): MintedAuthorization {
    const record = shaped(reply);
    const token = record?.access_token;
    if (typeof token === "string" && token !== "") {
      this.channel.settings.redactor.learn(token);
      return { ...record, access_token: token };
    }
    throw new AnswerLost(reply.facts, `${this.#tokenOf(as)} was minted that can be used`, {
      serial: record?.serial ?? undefined,
      detail: "The service reports success, but its answer contains no secret.",
      advice: record?.serial ? `Revoke the token ${JSON.stringify(record.serial)}.` : LOOK,
    });
  }
}

const LOOK = "Check at the service whether the user has a token that nobody holds, and revoke it.";

function shaped(reply: Reply): AuthorizationRecord | undefined {
  try {
    return optionalRecordOf<AuthorizationRecord>(reply);
  } catch {
    return undefined;
  }
}
