import { randomUUID } from "node:crypto";
import { defineResource, type Schema } from "../../../src/plugin/runtime";
import { isUnknown, type ObjectValue } from "../../../src/values";
import { store, textOf } from "./store";

/** Attributes of every shape. Values come back as they were given, save `secret_wo`, which is kept nowhere. */
export const thingSchema = {
  version: 1,
  description: "A thing with attributes of **every** shape.",
  attributes: {
    id: { type: "string", computed: true },
    name: { type: "string", required: true, description: "A change replaces the thing." },
    label: { type: "string", optional: true, computed: true },
    text: { type: "string", optional: true },
    number: { type: "number", optional: true },
    flag: { type: "bool", optional: true },
    any: { type: "dynamic", optional: true },
    strings: { type: ["list", "string"], optional: true },
    numbers: { type: ["list", "number"], optional: true },
    tags: { type: ["set", "string"], optional: true },
    dictionary: { type: ["map", "string"], optional: true },
    pair: { type: ["tuple", ["string", "number"]], optional: true },
    object: { type: ["object", { a: "string", b: ["list", "bool"] }], optional: true },
    token: { type: "string", computed: true, sensitive: true },
    old_text: { type: "string", optional: true, deprecated: "Use `text`." },
    secret_wo: { type: "string", optional: true, writeOnly: true },
    secret_version: { type: "number", optional: true },
    limits: {
      optional: true,
      computed: true,
      nested: {
        nesting: "single",
        attributes: {
          most: { type: "number", optional: true, computed: true },
          note: { type: "string", optional: true },
          pin_wo: { type: "string", optional: true, writeOnly: true },
        },
      },
    },
    rules: {
      optional: true,
      nested: {
        nesting: "list",
        attributes: {
          port: { type: "number", required: true },
          serial: { type: "string", computed: true },
        },
      },
    },
    members: {
      optional: true,
      nested: { nesting: "set", attributes: { name: { type: "string", required: true } } },
    },
    zones: {
      optional: true,
      nested: { nesting: "map", attributes: { weight: { type: "number", optional: true } } },
    },
  },
} as const satisfies Schema;

export const thing = defineResource<Schema>({
  schema: thingSchema,

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

  upgrade: ({ state: { title, ...state } }) => ({
    state: { ...empty(), ...state, name: title ?? null },
  }),
});

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

function empty(): ObjectValue {
  return Object.fromEntries(Object.keys(thingSchema.attributes).map((name) => [name, null]));
}
