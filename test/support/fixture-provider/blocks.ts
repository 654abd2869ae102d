import { defineResource, type Schema } from "../../../src/plugin/runtime";

const element = { attributes: { name: { type: "string", required: true } } } as const;

/** A resource with blocks of every nesting, which gives back what it was given. */
export const blocks = defineResource<Schema>({
  schema: {
    attributes: { id: { type: "string", computed: true } },
    blocks: {
      one: { nesting: "single", block: element },
      many: { nesting: "list", block: element },
      few: { nesting: "set", block: element },
      named: { nesting: "map", block: element },
    },
  },
  read: () => ({}),
  create: ({ planned: { one, many } }) => ({
    // The collections that are empty are left out, and the runtime fills them in.
    state: { id: "blocks", one: one ?? null, ...(Array.isArray(many) && many.length > 0 && { many }) },
  }),
  delete: () => undefined,
});
