import type { DataSourceDefinition, Provider } from "../../../src/lib/plugin-runtime";
import { isUnknown } from "../../../src/lib/values";
import { faulty } from "./faulty";
import { fixed } from "./fixed";
import { functions } from "./functions";
import { computed, required, schemaOf } from "./schema";
import { secret } from "./secret";
import { slow } from "./slow";
import { openStore, store, textOf } from "./store";
import { successor } from "./successor";
import { thing } from "./thing";

const thingNames: DataSourceDefinition = {
  schema: schemaOf({ id: { type: "string", ...required }, name: { type: "string", ...computed } }),
  read({ id: given }) {
    const id = textOf(given);
    const live = store().read(id);
    if (live !== undefined) return { state: { id, name: textOf(live["name"]) } };
    return { diagnostics: [{ severity: "error", summary: `There is no thing ${id}`, attribute: ["id"] }] };
  },
};

/** A provider with a case for everything that the runtime can do. */
export const fixtureProvider: Provider = {
  schema: schemaOf({ store: { type: "string", ...required, description: "Folder to keep things in." } }),
  resources: {
    fixture_thing: thing,
    fixture_fixed: fixed,
    fixture_faulty: faulty,
    fixture_slow: slow,
    fixture_successor: successor,
  },
  dataSources: { fixture_thing: thingNames },
  ephemeralResources: { fixture_secret: secret },
  functions,
  validate({ store: folder }) {
    if (folder !== "") return {};
    return { diagnostics: [{ severity: "error", summary: "A folder is needed", attribute: ["store"] }] };
  },
  configure({ store: folder }, { log }) {
    log.info("configured", { folder: textOf(folder) });
    if (!isUnknown(folder)) openStore(textOf(folder));
  },
};
