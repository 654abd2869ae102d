/** Where the embedded engine knows the objects of a family from is said by the family. */
import { resource } from "../../src/resources/authorization/resource";
import type { Resource } from "../../src/resources/family";

const { description, check, propose, read, create, update, delete: remove } = resource;
const functions = { description, check, propose, read, create, update, delete: remove };

// @ts-expect-error -- neither listed nor kept: nobody could find its objects again
export const unknown: Resource = functions;

export const kept: Resource = { ...functions, keptIn: "credential store" };
