import { once } from "node:events";
import type { ResourceDefinition } from "../../../src/lib/plugin-runtime";
import { computed, required, schemaOf } from "./schema";
import { store, textOf } from "./store";

/** A resource whose creation lasts until it is told to stop; what was made until then is kept. */
export const slow: ResourceDefinition = {
  schema: schemaOf({ id: { type: "string", ...computed }, name: { type: "string", ...required } }),
  read: () => ({}),
  async create({ planned }, { signal }) {
    store().note(`creating in process ${process.pid}`);
    if (!signal.aborted) await once(signal, "abort");
    store().note("stopped");
    return { state: { ...planned, id: `stopped ${textOf(planned["name"])}` } };
  },
  update: ({ planned }) => ({ state: planned }),
  delete: () => undefined,
};
