/** Calls the endpoints of records: of accounts, of user profiles, and of any other family that the service has. */
import {
  answerLost,
  answerUnexpected,
  ApiError,
  type ApiFacts,
  conflict,
  deletedAlready,
  forbidden,
  notFound,
  notInSnapshot,
  TenancyError,
  validationRefused,
} from "../problems";
import { isUuidText, type ObjectValue } from "../lib/values";
import { recordsIn, optionalRecordOf, recordOf } from "./answer";
import { MAX_LIST_BYTES, segment } from "./options";
import type { AccountRecord, ProfileRecord, UsageRecord } from "./records";
import type { ApiRequest, Channel } from "./request";

/** Creates exactly once, even if the answer is lost: before it asks again, it looks for the object. */
interface CreateOptions<T> {
  /** Finds the object by its chosen uuid: the record, or undefined if there certainly is none. In all other cases it throws. */
  readonly lookUp: () => Promise<T | undefined>;
  /** The key by which the object can be imported later, such as `jane@acme`. */
  readonly key?: string;
}

/**
 * @param object as text, such as `account "acme"`
 * @throws answerLost if it is unknown whether it was created
 */
async function createOrFind<T extends ObjectValue>(
  channel: Channel,
  request: ApiRequest,
  object: string,
  { lookUp, key }: CreateOptions<T>,
): Promise<T> {
  let firstError: ApiError | undefined;
  const retries = channel.retries();
  for (;;) {
    const outcome = await attemptOf<T>(channel, request);
    if ("record" in outcome) return outcome.record;
    const { error } = outcome;
    // A refusal after a lost answer may be caused by our own object.
    const isUncertain =
      error.uncertain || (firstError !== undefined && (conflict.is(error) || validationRefused.is(error)));
    if (!isUncertain) throw error;
    const existing = await lookUpAgain({ lookUp, key }, error.request, object, firstError ?? error);
    if (existing !== undefined) return existing;
    if (error.status !== undefined && error.status < 300) throw acceptedError(error, object, key);
    if (!error.uncertain || !error.transient) throw error;
    if (!(await retries.waitAfter(error))) throw error;
    firstError = error;
  }
}

async function attemptOf<T extends ObjectValue>(
  channel: Channel,
  request: ApiRequest,
): Promise<{ record: T } | { error: ApiError }> {
  try {
    const reply = await channel.send(request);
    const record = optionalRecordOf<T>(reply);
    return record === undefined
      ? { error: answerUnexpected.error(reply.facts, "it contains no record") }
      : { record };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

async function lookUpAgain<T>(
  { lookUp, key }: { readonly lookUp: () => Promise<T | undefined>; readonly key: string | undefined },
  facts: ApiFacts,
  object: string,
  firstError: ApiError,
): Promise<T | undefined> {
  try {
    return await lookUp();
  } catch (error) {
    const why = error instanceof TenancyError ? error.message : "an unexpected failure";
    throw answerLost.error(facts, {
      object: `${object} was created`,
      failure: firstError,
      detail: `Looking for it failed: ${why}.`,
      advice: (say) => say.perhapsCreated(key),
    });
  }
}

function acceptedError(error: ApiError, object: string, key: string | undefined): ApiError {
  return answerLost.error(error.request, {
    object: `${object} was created`,
    failure: error,
    detail: "The service accepted it, but does not show it.",
    advice: (say) => say.perhapsCreated(key),
  });
}

// Operations that families of records share: info, list, create, update, remove (spec 4.3, 4.4).

export class Endpoint<T extends ObjectValue> {
  constructor(
    protected readonly channel: Channel,
    /** Path of the family, such as `/api/account`. */
    protected readonly path: string,
    /** The noun for one of them, in messages. */
    private readonly noun: string,
  ) {}

  /** Every record that the caller may see, in one request. */
  async list(): Promise<T[]> {
    const records = recordsIn<T>(
      await this.channel.send({ method: "GET", path: this.path, maxBytes: MAX_LIST_BYTES }),
    );
    return records.map((record) => this.learned(record));
  }

  /** @throws notFound, gone */
  async get(idOrSerial: string): Promise<T> {
    const record = recordOf<T>(await this.channel.send({ method: "GET", path: this.pathOf(idOrSerial) }));
    await resolveReferences(this.channel, record);
    return this.learned(record);
  }

  /** Like {@link get}, but undefined if the service says that there is none. */
  async find(idOrSerial: string): Promise<T | undefined> {
    try {
      return await this.get(idOrSerial);
    } catch (error) {
      if (notFound.is(error) || deletedAlready.is(error)) return undefined;
      throw error;
    }
  }

  /**
   * Creates exactly once, even if the answer is lost.
   * @throws answerLost if it is unknown whether it was created; validationRefused, conflict, …
   */
  async create(body: ObjectValue, options: CreateOptions<T>): Promise<T> {
    this.channel.settings.redactor.learnFrom(body);
    const name = body["name"] ?? body["username"];
    const object = typeof name === "string" ? `${this.noun} ${JSON.stringify(name)}` : `the ${this.noun}`;
    return this.#written(
      await createOrFind<T>(this.channel, { method: "POST", path: this.path, body }, object, options),
    );
  }

  /**
   * Changes just the members that the body names.
   * @returns the record; undefined if the service leaves it out of its answer
   */
  async update(idOrSerial: string, body: ObjectValue): Promise<T | undefined> {
    this.channel.settings.redactor.learnFrom(body);
    const reply = await this.channel.send({ method: "PATCH", path: this.pathOf(idOrSerial), body });
    const record = optionalRecordOf<T>(reply);
    return record && this.#written(record);
  }

  /** The answer to a write, which was done even if its references cannot be looked up. */
  async #written(record: T): Promise<T> {
    await resolveReferences(this.channel, record).catch(() => undefined);
    return this.learned(record);
  }

  /**
   * @param _container where the record lives: only some endpoints ask for it
   * @returns `absent` where it was not there in the first place
   */
  async delete(idOrSerial: string, _container: { accountId?: string } = {}): Promise<Removal> {
    return remove(this.channel, this.pathOf(idOrSerial));
  }

  /** The record with ids for the references that are known. */
  protected learned(record: T): T {
    const { references } = this.channel.settings;
    references.learn(this.path, record);
    return references.resolve(record);
  }

  protected pathOf(idOrSerial: string): string {
    return `${this.path}/${segment(idOrSerial)}`;
  }
}

/** Accounts (spec 4.3). */
export class Accounts extends Endpoint<AccountRecord> {
  constructor(channel: Channel) {
    super(channel, "/api/account", "account");
  }

  /** Counters of the account's contents. @throws notFound, gone */
  async usage(idOrSerial: string): Promise<UsageRecord> {
    return recordOf(await this.channel.send({ method: "GET", path: `${this.pathOf(idOrSerial)}/usage` }));
  }
}

/** User profiles (spec 4.4). */
export class Profiles extends Endpoint<ProfileRecord> {
  constructor(channel: Channel) {
    super(channel, "/api/user-profile", "user profile");
  }

  /** @param accountId goes along as `account_id`, where given: a service may check it */
  override async delete(idOrSerial: string, { accountId }: { accountId?: string } = {}): Promise<Removal> {
    const query =
      accountId === undefined ? "" : `?${new URLSearchParams({ account_id: accountId }).toString()}`;
    return remove(this.channel, this.pathOf(idOrSerial) + query);
  }
}

/**
 * Looks up the records that a record refers to by serial or uuid, each once. A path takes a serial, and a uuid is looked for in the list. A record
 * that the caller does not see has no other name.
 */
export async function resolveReferences(channel: Channel, record: ObjectValue): Promise<void> {
  const { references } = channel.settings;
  for (const unresolved of references.unresolved(record)) {
    const { family, reference } = unresolved;
    try {
      const path = isUuidText(reference) ? family : `${family}/${segment(reference)}`;
      const reply = await channel.send({ method: "GET", path, maxBytes: MAX_LIST_BYTES });
      for (const one of path === family ? recordsIn(reply) : [recordOf(reply)]) references.learn(family, one);
    } catch (error) {
      if (![notFound, deletedAlready, forbidden, notInSnapshot].some((problem) => problem.is(error)))
        throw error;
    }
    if (references.unresolved(record).some((one) => one.reference === reference))
      references.giveUp(unresolved);
  }
}

// Removing. "Not there" is an answer, too.

/** `deleted`: by this call. `absent`: the service knew no such object when first asked. */
export type Removal = "deleted" | "absent";

/** Only a 2xx, a 404 or a 410 means that the object is gone; all else throws. */
async function remove(channel: Channel, path: string): Promise<Removal> {
  try {
    await channel.send({ method: "DELETE", path });
    return "deleted";
  } catch (error) {
    if (!(notFound.is(error) || deletedAlready.is(error))) throw error;
    // An earlier attempt whose answer was lost may have deleted it.
    return (error.request.attempt ?? 1) > 1 ? "deleted" : "absent";
  }
}
