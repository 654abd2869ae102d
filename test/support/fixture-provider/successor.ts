import type { ResourceDefinition } from "../../../src/lib/plugin-runtime";
import { computed, optional, schemaOf } from "./schema";
import { store } from "./store";

/** A resource that may refuse its deletion, cannot be imported, and takes over no state of another type. */
export const successor: ResourceDefinition = {
  schema: schemaOf({
    id: { type: "string", ...computed },
    protected: { type: "bool", ...optional },
  }),
  planDelete({ prior, private: held }) {
    store().note(`plan delete with ${JSON.stringify(Object.keys(held))}`);
    if (prior["protected"] !== true) return {};
    return {
      diagnostics: [{ severity: "error", summary: "This one is protected", attribute: ["protected"] }],
    };
  },
  read: () => ({}),
  create: ({ planned }) => ({ state: { ...planned, id: "made" }, private: { made: true } }),
  update: ({ planned }) => ({ state: planned }),
  delete: () => undefined,
};
