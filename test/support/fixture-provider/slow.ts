import { once } from "node:events";
import { defineResource, type Schema } from "../../../src/plugin/runtime";
import { store, textOf } from "./store";

/** A resource whose creation takes until it is told to stop; what is made by then is kept. */
export const slow = defineResource<Schema>({
  schema: {
    attributes: { id: { type: "string", computed: true }, name: { type: "string", required: true } },
  },
  read: () => ({}),
  async create({ planned }, { signal }) {
    store().note(`creating in process ${process.pid}`);
    if (!signal.aborted) await once(signal, "abort");
    store().note("stopped");
    return { state: { ...planned, id: `stopped ${textOf(planned["name"])}` } };
  },
  update: ({ planned }) => ({ state: planned }),
  delete: () => undefined,
});
