/** A client that answers from records that were taken earlier. It has no connection, so no request leaves this process. */
import { notFound, notInSnapshot } from "../problems";
import type { Value } from "../lib/values";
import type { Reply } from "./answer";
import { Client } from "./client";
import { clientSettingsOf } from "./options";
import { type ApiRequest, Channel } from "./request";

/**
 * The answer that was recorded for a path below the origin, such as `/api/account`.
 * @returns undefined if nothing was recorded: the caller gets {@link notInSnapshot}. `null` where the service is known to have nothing
 *   there: the caller gets a 404.
 */
export type Recorded = (path: string) => Value | undefined;

/** @param origin of the service that the records were taken of */
export function recordedClient(origin: string, recorded: Recorded): Client {
  return new Client(new RecordedChannel(origin, recorded));
}

class RecordedChannel extends Channel {
  readonly #recorded: Recorded;

  constructor(origin: string, recorded: Recorded) {
    const settings = clientSettingsOf({ baseUrl: origin, credentials: { kind: "token", token: "none" } });
    super(settings, { readOnly: true, openSession: () => Promise.reject(notInSnapshot.error("a session")) });
    this.#recorded = recorded;
  }

  override readOnly(): Channel {
    return this;
  }

  override unstoppable(): Channel {
    return this;
  }

  override send({ method, path, as = { kind: "own" } }: ApiRequest): Promise<Reply> {
    const isOwnReading = method === "GET" && as.kind === "own";
    const body = isOwnReading ? this.#recorded(path) : undefined;
    if (body === undefined) return Promise.reject(notInSnapshot.error(`the answer to ${method} ${path}`));
    const facts = { method, path, status: 200 };
    if (body === null) return Promise.reject(notFound.error({ ...facts, status: 404 }));
    return Promise.resolve({ body, facts });
  }
}
