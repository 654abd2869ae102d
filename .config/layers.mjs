/**
 * The direction of imports: which folders of `src/` each folder may import, besides itself. A folder that is not listed
 * may import nothing of ours. Written as lint rules, so that a wrong import is an error where it stands.
 */
const mayImport = {
  values: [],
  errors: ["values"],
  schema: ["values", "errors"],
  ownership: ["values", "errors"],
  api: ["values", "errors"],
  credentials: ["values", "errors"],
  expressions: ["values", "errors"],
  stack: ["values", "errors", "expressions"],
  resources: ["values", "errors", "schema", "ownership", "api"],
  connection: ["values", "errors", "schema", "ownership", "api", "resources"],
  plan: [
    "values",
    "errors",
    "schema",
    "ownership",
    "api",
    "resources",
    "stack",
    "expressions",
    "credentials",
  ],
  apply: [
    "values",
    "errors",
    "schema",
    "ownership",
    "api",
    "resources",
    "stack",
    "expressions",
    "credentials",
    "plan",
  ],
  render: ["values", "errors", "schema", "plan", "apply"],
  engine: [
    "values",
    "errors",
    "schema",
    "ownership",
    "api",
    "resources",
    "connection",
    "stack",
    "expressions",
    "credentials",
    "plan",
    "apply",
    "render",
  ],
  "plugin/runtime": ["values"],
  "plugin/provider": [
    "values",
    "errors",
    "schema",
    "ownership",
    "api",
    "resources",
    "connection",
    "plugin/runtime",
  ],
  constructs: ["errors"],
  simulator: [],
  testing: ["values", "errors", "engine", "simulator", "constructs"],
  cli: ["values", "errors", "api", "engine", "render", "simulator"],
};

/** Which folders of `src/engine/` each of them may import, besides itself and the files beside them. */
const mayImportInEngine = {
  inputs: [],
  store: [],
  planning: ["inputs", "store"],
  walking: ["inputs", "planning"],
  applying: ["planning", "store"],
  saved: ["inputs"],
  tokens: ["planning", "store"],
  doctor: ["planning", "store"],
};

/** What a folder may not import of those that the table names. */
function refused(folder, table, path) {
  const others = Object.keys(table).filter((other) => other !== folder && !table[folder].includes(other));
  return {
    regex: `^(\\.\\./)+(${others.join("|")})(/|$)`,
    message: `${path}/${folder} may import only: ${table[folder].join(", ") || "nothing of ours"} (.config/layers.mjs).`,
  };
}

const rule = (folder, patterns) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

// Of two entries for a file the later one counts alone: what holds for the engine is said again for each of its folders.
export const layers = [
  ...Object.keys(mayImport).map((folder) => rule(folder, [refused(folder, mayImport, "src")])),
  ...Object.keys(mayImportInEngine).map((folder) =>
    rule(`engine/${folder}`, [
      refused("engine", mayImport, "src"),
      refused(folder, mayImportInEngine, "src/engine"),
    ]),
  ),
];
