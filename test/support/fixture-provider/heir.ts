import { defineResource, type Schema } from "../../../src/plugin/runtime";
import { isObject } from "../../../src/values";
import { store } from "./store";

/** A resource that takes over state of Terraform's own `terraform_data`, and has a say in its own end. */
export const heir = defineResource<Schema>({
  schema: {
    attributes: {
      id: { type: "string", computed: true },
      protected: { type: "bool", optional: true },
    },
  },
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
  move({ sourceType, sourceProvider, sourceState }) {
    if (sourceType !== "terraform_data" || !sourceProvider.endsWith("/terraform")) return undefined;
    return {
      state: { id: isObject(sourceState) ? (sourceState["id"] ?? null) : null, protected: null },
      private: { moved: true },
    };
  },
});
