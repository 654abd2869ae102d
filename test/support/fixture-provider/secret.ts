import type { EphemeralResourceDefinition } from "../../../src/lib/plugin-runtime";
import { computed, required, schemaOf } from "./schema";
import { store, textOf } from "./store";

/** An ephemeral resource, which notes each time that it is opened. */
export const secret: EphemeralResourceDefinition = {
  schema: schemaOf({
    name: { type: "string", ...required },
    value: { type: "string", ...computed, sensitive: true },
  }),
  open({ name }) {
    store().note(`open ${textOf(name)}`);
    return { result: { name: textOf(name), value: `secret of ${textOf(name)}` } };
  },
};
