/** What families of records have in common: info, list, create, update, remove (spec 4.3, 4.4). */
import { Gone, NotFound } from "../../errors";
import { MAX_LIST_BYTES } from "../limits";
import type { ObjectValue } from "../../values";
import type { Channel } from "../channel";
import { create, type Created, type CreateOptions } from "../creation";
import { listOf, optionalRecordOf, recordOf } from "../shape";
import { segment } from "../url";
import { remove, type Removal } from "./removal";

/** A record as it was read. */
export interface Found<T> {
  readonly record: T;
  readonly etag: string | undefined;
}

/** What an update answers: a service may leave out the record. */
export interface Updated<T> {
  readonly record: T | undefined;
  readonly etag: string | undefined;
}

export class Family<T extends ObjectValue> {
  constructor(
    protected readonly channel: Channel,
    /** Path of the family, such as `/api/account`. */
    protected readonly path: string,
    /** What one of them is called in messages. */
    private readonly noun: string,
  ) {}

  /** Every record that the caller may see, in one request. */
  async list(): Promise<T[]> {
    return listOf<T>(await this.channel.send({ method: "GET", path: this.path, maxBytes: MAX_LIST_BYTES }));
  }

  /** @throws NotFound, Gone */
  async get(idOrSerial: string): Promise<Found<T>> {
    const reply = await this.channel.send({ method: "GET", path: this.pathOf(idOrSerial) });
    return { record: recordOf<T>(reply), etag: reply.etag };
  }

  /** As {@link get}; undefined where the service says that there is none. */
  async find(idOrSerial: string): Promise<Found<T> | undefined> {
    try {
      return await this.get(idOrSerial);
    } catch (error) {
      if (error instanceof NotFound || error instanceof Gone) return undefined;
      throw error;
    }
  }

  /**
   * Creates once, whatever becomes of the answer.
   * @throws AnswerLost where nobody can tell whether it was created; ValidationRefused, Conflict, …
   */
  async create(body: ObjectValue, options: CreateOptions<T>): Promise<Created<T>> {
    this.channel.settings.redactor.learnFrom(body);
    const name = body["name"] ?? body["username"];
    const object = typeof name === "string" ? `${this.noun} ${JSON.stringify(name)}` : `the ${this.noun}`;
    return create<T>(this.channel, { method: "POST", path: this.path, body }, object, options);
  }

  /** Changes just the members that the body names. */
  async update(idOrSerial: string, body: ObjectValue): Promise<Updated<T>> {
    this.channel.settings.redactor.learnFrom(body);
    const reply = await this.channel.send({ method: "PATCH", path: this.pathOf(idOrSerial), body });
    return { record: optionalRecordOf<T>(reply), etag: reply.etag };
  }

  /** @returns `absent` where it was not there in the first place */
  async delete(idOrSerial: string): Promise<Removal> {
    return remove(this.channel, this.pathOf(idOrSerial));
  }

  protected pathOf(idOrSerial: string): string {
    return `${this.path}/${segment(idOrSerial)}`;
  }
}
