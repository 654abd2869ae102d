/** Where the embedded engine knows the objects of a family from is said by the family. Checked by `npm run typecheck`. */
import type { Resource } from "../../src/resources";

type Kept = Extract<Resource, { keptIn: string }>;

declare const functions: Omit<Kept, "keptIn">;

export const kept: Resource = { ...functions, keptIn: "credential store" };

// @ts-expect-error -- neither listed nor kept: nobody could find its objects again
export const unknown: Resource = functions;
