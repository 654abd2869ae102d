/** Where the embedded engine knows the objects of a family from is said by the family. Checked by `npm run typecheck`. */
import { resource } from "../../src/resources/authorization/resource";
import type { Resource } from "../../src/resources/family";

export const kept: Resource = { ...resource, keptIn: "credential store" };

// @ts-expect-error -- neither listed nor kept: nobody could find its objects again
export const unknown: Resource = { ...resource, keptIn: undefined };
