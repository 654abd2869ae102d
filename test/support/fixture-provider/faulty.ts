import type { ResourceDefinition } from "../../../src/lib/plugin-runtime";
import { UNKNOWN, type ObjectValue } from "../../../src/lib/values";
import { computed, optional, required, schemaOf } from "./schema";
import { store, textOf } from "./store";

const faults: Readonly<Record<string, ObjectValue>> = {
  lacking: { id: "1" },
  unmanaged: { id: "1", fault: "unmanaged", note: null, nested: null, another: true },
  wrong_type: { id: 1, fault: "wrong_type", note: null, nested: null },
  unknown: { id: UNKNOWN, fault: "unknown", note: null, nested: null },
};

/** A resource whose author has made the mistake that `fault` names. */
export const faulty: ResourceDefinition = {
  schema: schemaOf({
    id: { type: "string", ...computed },
    fault: { type: "string", ...required },
    note: { type: "string", ...optional },
    nested: {
      ...optional,
      nested_type: { nesting_mode: "list", attributes: { level: { type: "number", ...required } } },
    },
  }),
  validate({ fault }) {
    if (fault !== "nested_diagnostic") return {};
    const attribute = ["nested", 0, "level"];
    return { diagnostics: [{ severity: "error", summary: "This level is too high", attribute }] };
  },
  plan: ({ proposed }) => ({
    planned: proposed["fault"] === "other_plan" ? { ...proposed, note: "not configured" } : proposed,
  }),
  read({ state }) {
    if (state["fault"] === "read") throw new Error("cannot read just now");
    return {};
  },
  create({ planned, config }) {
    const fault = textOf(config["fault"]);
    if (fault === "throw") throw new Error("cannot create: \u0000 außer Betrieb");
    if (fault === "crash") return crash();
    if (fault === "half_made") {
      const diagnostics = [{ severity: "error", summary: "Half of it was made" } as const];
      return { state: { ...planned, id: "half" }, diagnostics };
    }
    return { state: faults[fault] ?? { ...planned, id: "1" } };
  },
  update() {
    throw new Error("cannot update");
  },
  delete({ prior }) {
    if (prior["fault"] === "delete" && store().read("may-delete") === undefined)
      throw new Error("cannot delete");
  },
};

/** Never answers, and leaves an error behind that nobody catches. */
function crash(): Promise<never> {
  void Promise.reject(new Error("nobody catches this"));
  return new Promise(() => undefined);
}
