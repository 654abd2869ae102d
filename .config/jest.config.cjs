const { resolve } = require("node:path");
const oneFile = require("./one-file.cjs");
const { drawn, fuzz, slow } = require("./suites.cjs");

const common = {
  rootDir: resolve(__dirname, ".."),
  transform: { "^.+\\.ts$": "@swc/jest" },
  moduleNameMapper: {
    "^age-encryption$": oneFile("age-encryption"),
    "^string-width$": oneFile("string-width"),
    "^wrap-ansi$": oneFile("wrap-ansi"),
    "^cdktf$": oneFile("cdktf"),
    "^fast-check$": "<rootDir>/test/support/drawn-alike.ts",
    "^tenancy$": "<rootDir>/src/index.ts",
    "^tenancy/(engine|testing)$": "<rootDir>/src/$1/index.ts",
  },
  modulePathIgnorePatterns: ["lib", "cdktn", "engine", "testing", "register", ".stryker-tmp"].map(
    (name) => `<rootDir>/${name}/`,
  ),
};

/** The other library and its L1, for the same sources and suites. */
const cdktn = {
  ...common,
  moduleNameMapper: {
    ...common.moduleNameMapper,
    "^cdktf$": oneFile("cdktn"),
    "/generated/l1$": "<rootDir>/src/constructs/generated/l1-cdktn",
  },
};

/** What other projects run. */
const ignored = ["/node_modules/", ...slow.map((path) => `${path.replaceAll(".", "\\.")}$`)];

/**
 * `unit` and `cdktn` are fast and run at every save. `slow`, `slow-cdktn` and `fuzz` take longer. `stories` and `e2e` start processes: the
 * command, the embedded service, real engines. `npm test` runs `unit`, `cdktn` and `stories`; `npm run test:rest` runs all others.
 */
module.exports = {
  rootDir: common.rootDir,
  maxWorkers: "100%",
  // Tests wait for servers and processes, and machines are busy at times: one that hangs is found in the end, a slow one passes.
  testTimeout: 600_000,
  reporters: ["default", resolve(__dirname, "left-out.cjs")],
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: [
        ...ignored,
        "<rootDir>/test/(bench|e2e|fuzz)/",
        "<rootDir>/test/lib/language/fuzz\\.test\\.ts$",
      ],
    },
    { ...common, displayName: "slow", testMatch: slow },
    {
      ...cdktn,
      displayName: "cdktn",
      testMatch: ["<rootDir>/test/constructs/**/*.test.ts"],
      testPathIgnorePatterns: ignored,
    },
    {
      ...cdktn,
      displayName: "slow-cdktn",
      testMatch: slow.filter((path) => path.includes("/test/constructs/")),
    },
    {
      ...common,
      displayName: "fuzz",
      testMatch: process.env.FUZZ_FACTOR === undefined ? fuzz : [...fuzz, ...drawn],
    },
    {
      ...common,
      displayName: "stories",
      testMatch: ["<rootDir>/test/e2e/stories/**/*.test.ts"],
      globalSetup: "<rootDir>/test/support/missing-engine.ts",
    },
    {
      ...common,
      displayName: "e2e",
      testMatch: ["<rootDir>/test/e2e/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/e2e/stories/"],
      globalSetup: "<rootDir>/test/support/missing-programs.ts",
    },
  ],
};
