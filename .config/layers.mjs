/**
 * The direction of imports: which folders of `src/` each folder may import, besides itself, `lib/values` and `problems`. Written as lint
 * rules, so that a wrong import is an error where it stands. That a folder is entered by its door alone, and that no imports go round
 * in a circle, is what test/layers.test.ts looks at.
 */
const mayImport = {
  "lib/language": [],
  schema: [],
  ownership: [],
  api: [],
  state: ["age"],
  stack: ["lib/language"],
  service: ["api", "ownership", "schema"],
  resources: ["age", "api", "ownership", "schema", "service"],
  plan: ["ownership", "schema", "service", "resources"],
  render: ["schema", "plan"],
  export: ["api", "ownership", "schema", "service", "resources"],
  engine: [
    "api",
    "ownership",
    "schema",
    "state",
    "lib/language",
    "stack",
    "service",
    "resources",
    "plan",
    "render",
    "export",
  ],
  pipeline: ["api", "state", "plan"],
  provider: ["lib/plugin-runtime", "schema", "service", "resources"],
  testing: ["engine", "plan", "lib/simulator"],
  cli: ["api", "engine", "export", "pipeline", "plan", "render", "lib/simulator"],
};

/** Those that do not import both `lib/values` and `problems`. */
const mayImportOnly = {
  "lib/values": [],
  problems: ["lib/values"],
  "lib/plugin-runtime": ["lib/values"],
  constructs: ["problems"],
  age: [],
  "lib/simulator": [],
  register: [],
};

/** All folders, with all that each may import. */
export const table = {
  ...mayImportOnly,
  ...Object.fromEntries(
    Object.entries(mayImport).map(([folder, others]) => [folder, ["lib/values", "problems", ...others]]),
  ),
};

/** How a file that lies `depth` folders below src/ writes the folders that it may not import. */
function refused(folder, depth) {
  const others = Object.keys(table).filter((other) => other !== folder && !table[folder].includes(other));
  const written = others.map((other) => {
    const [first, second] = other.split("/");
    // From one library to another the way is shorter.
    return second !== undefined && folder.startsWith(`${first}/`)
      ? `${"../".repeat(depth - 1)}${second}`
      : `${"../".repeat(depth)}${other}`;
  });
  return {
    regex: `^(${written.join("|").replaceAll(".", "\\.")})(/|$)`,
    message: `src/${folder} may import only: ${table[folder].join(", ") || "nothing of ours"} (.config/layers.mjs).`,
  };
}

const DEEPEST = 4;

export const layers = Object.keys(table).flatMap((folder) => {
  const least = folder.split("/").length;
  return Array.from({ length: DEEPEST - least + 1 }, (_, below) => ({
    files: [`src/${folder}/${"*/".repeat(below)}*.ts`],
    rules: { "no-restricted-imports": ["error", { patterns: [refused(folder, least + below)] }] },
  }));
});
