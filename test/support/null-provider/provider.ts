import { randomInt } from "node:crypto";
import type { Provider, ResourceDefinition } from "../../../src/lib/plugin-runtime";

/** A resource that does nothing: values that replace it when they change. */
const nullResource: ResourceDefinition = {
  schema: {
    version: 0,
    block: {
      description: "Stand-in for the resource of the same name, for tests.",
      attributes: {
        id: { type: "string", computed: true, description: "A random number, new with each object." },
        triggers: {
          type: ["map", "string"],
          optional: true,
          description: "Values whose change replaces the object.",
        },
      },
    },
  },
  read: () => ({}),
  create: ({ planned }) => ({ state: { ...planned, id: randomInt(2 ** 47).toString() } }),
  delete: () => undefined,
  import: (id) => ({ imported: [{ state: { id } }] }),
};

/** Stands in for `hashicorp/null`, whose program is not to be had in tests. */
export const nullProvider: Provider = {
  schema: { version: 0, block: { attributes: {} } },
  resources: { null_resource: nullResource },
};
