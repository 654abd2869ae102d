import { defineEphemeralResource } from "../../../src/plugin/runtime";
import { store, textOf } from "./store";

/** An ephemeral resource that is due for renewal at once. */
export const secret = defineEphemeralResource({
  schema: {
    attributes: {
      name: { type: "string", required: true },
      value: { type: "string", computed: true, sensitive: true },
    },
  },
  open({ name }) {
    store().note(`open ${name}`);
    return {
      result: { name, value: `secret of ${name}` },
      private: { name, renewals: 0 },
      renewAt: new Date(Date.now() + 100),
    };
  },
  renew(held) {
    store().note(`renew ${textOf(held["name"])}`);
    return { private: { ...held, renewals: Number(held["renewals"]) + 1 } };
  },
  close(held) {
    store().note(`close ${textOf(held["name"])}`);
  },
});
