/** The kind of a family says where the embedded engine finds its objects. Checked by `npm run typecheck`. */
import type { Resource } from "../../src/resources";

type TokenResource = Extract<Resource, { kind: "token" }>;

declare const functions: Omit<TokenResource, "kind">;

export const tokens: Resource = { ...functions, kind: "token" };

// @ts-expect-error -- the lists of a record are read through its inventory
export const records: Resource = { ...functions, kind: "record" };

// @ts-expect-error -- without a kind nobody could find its objects again
export const unknown: Resource = functions;
