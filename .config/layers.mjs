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

const folders = Object.keys(mayImport);

/** Matches a relative import that leaves for one of the folders. */
const into = (targets) => `^(\\.\\./)+(${targets.join("|")})(/|$)`;

export const layers = folders.map((folder) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: into(folders.filter((other) => other !== folder && !mayImport[folder].includes(other))),
            message: `src/${folder} may import only: ${mayImport[folder].join(", ") || "nothing of ours"} (.config/layers.mjs).`,
          },
        ],
      },
    ],
  },
}));
