import type { ResourceDefinition } from "../../../src/lib/plugin-runtime";
import { computed, optional, schemaOf } from "./schema";

/** A resource that is never changed in place. */
export const fixed: ResourceDefinition = {
  schema: schemaOf({ id: { type: "string", ...computed }, name: { type: "string", ...optional } }),
  read: () => ({}),
  create: ({ planned }) => ({ state: { ...planned, id: "fixed" } }),
  delete: () => undefined,
};
