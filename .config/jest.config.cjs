const { resolve } = require("node:path");

const common = {
  rootDir: resolve(__dirname, ".."),
  setupFiles: ["<rootDir>/test/support/drawn-alike.ts"],
  transform: { "^.+\\.ts$": "@swc/jest" },
  moduleNameMapper: {
    "^cdktf-provider-tenancy$": "<rootDir>/src/index.ts",
    "^cdktf-provider-tenancy/(engine|testing)$": "<rootDir>/src/$1/index.ts",
  },
  modulePathIgnorePatterns: ["lib", "cdktn", "engine", "testing", "register"].map(
    (name) => `<rootDir>/${name}/`,
  ),
};

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
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/e2e/", "<rootDir>/test/bench/"],
    },
    {
      // The same sources and tests, with the other library and its L1.
      ...common,
      displayName: "cdktn",
      testMatch: ["<rootDir>/test/constructs/**/*.test.ts"],
      moduleNameMapper: {
        ...common.moduleNameMapper,
        "^cdktf$": "cdktn",
        "/generated/l1$": "<rootDir>/src/constructs/generated/l1-cdktn",
      },
    },
    {
      ...common,
      displayName: "e2e",
      testMatch: ["<rootDir>/test/e2e/**/*.test.ts"],
      globalSetup: "<rootDir>/test/support/missing-programs.ts",
    },
  ],
};
