const { resolve } = require("node:path");
const oneFile = require("./one-file.cjs");

const common = {
  rootDir: resolve(__dirname, ".."),
  transform: { "^.+\\.ts$": "@swc/jest" },
  moduleNameMapper: {
    "^cdktf$": oneFile("cdktf"),
    "^fast-check$": "<rootDir>/test/support/drawn-alike.ts",
    "^cdktf-provider-tenancy$": "<rootDir>/src/index.ts",
    "^cdktf-provider-tenancy/(engine|testing)$": "<rootDir>/src/$1/index.ts",
  },
  modulePathIgnorePatterns: ["lib", "cdktn", "engine", "testing", "register", ".stryker-tmp"].map(
    (name) => `<rootDir>/${name}/`,
  ),
};

/** What a service, a file or a text could hold, drawn at random: too much for every save. */
const fuzz = ["<rootDir>/test/fuzz/**/*.test.ts", "<rootDir>/test/language/fuzz.test.ts"];

/** Properties of which unit tests draw little. `npm run fuzz` draws twenty times as much of them, and of the above. */
const drawn = [
  "constructs/lean",
  "engine/snapshot/agreement",
  "engine/shown",
  "export/round-trip",
  "plugin/runtime/grpc/server",
  "plugin/runtime/protobuf",
  "plugin/runtime/values/codec",
  "engine/drift/histories",
  "render/html/index",
  "render/markdown/index",
  "values/json/long-numeral",
].map((test) => `<rootDir>/test/${test}.test.ts`);

/** `unit` is fast and runs at every save, `cdktn` too; `e2e` starts processes: the command, the embedded service, real engines. */
module.exports = {
  rootDir: common.rootDir,
  maxWorkers: "100%",
  // Tests wait for servers and processes, and machines are busy at times: one that hangs is found in the end, a slow one passes.
  testTimeout: 600_000,
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: [
        "/node_modules/",
        "<rootDir>/test/(bench|e2e|fuzz)/",
        "<rootDir>/test/language/fuzz\\.test\\.ts$",
      ],
    },
    {
      // The same sources and tests, with the other library and its L1.
      ...common,
      displayName: "cdktn",
      testMatch: ["<rootDir>/test/constructs/**/*.test.ts"],
      moduleNameMapper: {
        ...common.moduleNameMapper,
        "^cdktf$": oneFile("cdktn"),
        "/generated/l1$": "<rootDir>/src/constructs/generated/l1-cdktn",
      },
    },
    {
      ...common,
      displayName: "fuzz",
      testMatch: process.env.FUZZ_FACTOR === undefined ? fuzz : [...fuzz, ...drawn],
    },
    {
      ...common,
      displayName: "e2e",
      testMatch: ["<rootDir>/test/e2e/**/*.test.ts"],
      globalSetup: "<rootDir>/test/support/missing-programs.ts",
    },
  ],
};
