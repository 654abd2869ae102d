import { isObject, parseJson, stringifyJson, type ObjectValue } from "../../values";

/** What a resource keeps beside its state, out of everybody's sight: a JSON object. It is not encrypted. */
export type PrivateState = ObjectValue;

/** Reads private state. What no provider on this runtime has written, after a move from another one, counts as none. */
export function decodePrivate(bytes: Uint8Array | undefined): PrivateState {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    const value = parseJson(Buffer.from(bytes).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Writes private state; an empty one is no bytes at all. */
export function encodePrivate(state: PrivateState): Uint8Array {
  return Buffer.from(Object.keys(state).length === 0 ? "" : stringifyJson(state));
}
