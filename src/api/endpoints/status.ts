/** Health, schema, and who the caller is (spec 4.2). */
import { Forbidden, OtpRequired, Unauthenticated } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Channel } from "../channel";
import type { Identity } from "../identity";
import { MAX_LIST_BYTES } from "../limits";
import type { CallerRecord, StatusRecord } from "../records";
import { recordOf } from "../shape";

/** What the service says of a credential. Anything but a clear yes or no is an error instead. */
export type Verdict =
  | { readonly status: 200; readonly caller: CallerRecord }
  /** The credential itself is refused. */
  | { readonly status: 401; readonly otpRequired: boolean }
  /** The credential is known, and may not do this. */
  | { readonly status: 403 };

/** Is the service well? Needs no credentials. */
export async function status(channel: Channel): Promise<StatusRecord> {
  return recordOf(await channel.send({ method: "GET", path: "/api/status", as: { kind: "nobody" } }));
}

/** The machine-readable description of the API. */
export async function schema(channel: Channel): Promise<ObjectValue> {
  return recordOf(await channel.send({ method: "GET", path: "/schema/", maxBytes: MAX_LIST_BYTES }));
}

/** Whom the service takes an identity for. @throws Unauthenticated, OtpRequired, Forbidden */
export async function caller(channel: Channel, as: Identity = { kind: "own" }): Promise<CallerRecord> {
  return recordOf(await channel.send({ method: "GET", path: "/api/status/authorization", as }));
}

/** As {@link caller}, where a refusal is an answer too. */
export async function verdict(channel: Channel, as: Identity): Promise<Verdict> {
  try {
    return { status: 200, caller: await caller(channel, as) };
  } catch (error) {
    if (error instanceof OtpRequired) return { status: 401, otpRequired: true };
    if (error instanceof Unauthenticated) return { status: 401, otpRequired: false };
    if (error instanceof Forbidden) return { status: 403 };
    throw error;
  }
}
