import { randomUUID } from "node:crypto";
import type { ResourceDefinition } from "../../../src/lib/plugin-runtime";
import { isUnknown, type ObjectValue } from "../../../src/lib/values";
import { computed, optional, required, schemaOf } from "./schema";
import { store, textOf } from "./store";

/** Attributes of every shape. Values come back as they were given, save `secret_wo`, which is kept nowhere. */
const attributes = {
  id: { type: "string", ...computed },
  name: { type: "string", ...required, description: "A change replaces the thing." },
  label: { type: "string", ...optional, ...computed },
  text: { type: "string", ...optional },
  number: { type: "number", ...optional },
  flag: { type: "bool", ...optional },
  strings: { type: ["list", "string"], ...optional },
  numbers: { type: ["list", "number"], ...optional },
  tags: { type: ["set", "string"], ...optional },
  dictionary: { type: ["map", "string"], ...optional },
  object: { type: ["object", { a: "string", b: ["list", "bool"] }], ...optional },
  token: { type: "string", ...computed, sensitive: true },
  old_text: { type: "string", ...optional, deprecated: true },
  secret_wo: { type: "string", ...optional, write_only: true },
  secret_version: { type: "number", ...optional },
  limits: {
    ...optional,
    ...computed,
    nested_type: {
      nesting_mode: "single",
      attributes: {
        most: { type: "number", ...optional, ...computed },
        note: { type: "string", ...optional },
        pin_wo: { type: "string", ...optional, write_only: true },
      },
    },
  },
  rules: {
    ...optional,
    nested_type: {
      nesting_mode: "list",
      attributes: { port: { type: "number", ...required }, serial: { type: "string", ...computed } },
    },
  },
} as const;

export const thing: ResourceDefinition = {
  schema: schemaOf(attributes, { version: 1, description: "A thing with attributes of **every** shape." }),

  validate(config) {
    if (config["text"] !== "forbidden") return {};
    return { diagnostics: [{ severity: "error", summary: "This text is forbidden", attribute: ["text"] }] };
  },

  plan({ prior, proposed, config }) {
    const rotates = prior !== null && config["secret_version"] !== prior["secret_version"];
    const renamed = prior !== null && prior["name"] !== proposed["name"];
    return {
      planned: rotates ? { ...proposed, secret_wo: null } : proposed,
      requiresReplace: renamed ? [["name"]] : [],
      private: { planned: true },
    };
  },

  read({ state, private: held }) {
    const live = store().read(textOf(state["id"]));
    return { state: live ?? null, private: { ...held, read: true } };
  },

  create({ planned, config }) {
    const id = randomUUID();
    const state = complete(planned, id);
    store().write(id, state);
    if (config["secret_wo"] !== null) store().note(`secret ${textOf(config["secret_wo"])}`);
    return { state, private: { seal: 9_007_199_254_740_993n } };
  },

  update({ prior, planned, private: held }) {
    const id = textOf(prior["id"]);
    const state = complete(planned, id);
    store().write(id, state);
    store().note(`update with ${JSON.stringify(Object.keys(held))}`);
    return { state };
  },

  delete({ prior }) {
    store().remove(textOf(prior["id"]));
  },

  import: (id) => ({ imported: store().read(id) === undefined ? [] : [{ state: { id } }] }),
};

/** The thing with everything that it computes. */
function complete(planned: ObjectValue, id: string): ObjectValue {
  const limits = planned["limits"] as ObjectValue | null;
  const rules = planned["rules"] as readonly ObjectValue[] | null;
  const known = (name: string, value: string) => (isUnknown(planned[name]) ? value : (planned[name] ?? null));
  return {
    ...planned,
    id: known("id", id),
    label: known("label", `label of ${textOf(planned["name"])}`),
    token: known("token", `token of ${id}`),
    limits:
      isUnknown(limits) || limits === null
        ? null
        : { ...limits, most: isUnknown(limits["most"]) ? 7 : (limits["most"] ?? null) },
    rules:
      rules?.map((rule, index) => ({
        ...rule,
        serial: isUnknown(rule["serial"]) ? `s${index}` : (rule["serial"] ?? null),
      })) ?? null,
  };
}
