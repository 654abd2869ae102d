const { resolve } = require("node:path");

const common = {
  rootDir: resolve(__dirname, ".."),
  transform: { "^.+\\.ts$": "@swc/jest" },
  moduleNameMapper: {
    "^cdktf-provider-tenancy$": "<rootDir>/src/index.ts",
    "^cdktf-provider-tenancy/(engine|testing)$": "<rootDir>/src/$1/index.ts",
  },
  modulePathIgnorePatterns: ["<rootDir>/lib/", "<rootDir>/cdktn/", "<rootDir>/engine/", "<rootDir>/testing/"],
};

/** `unit` is fast and runs at every save; `e2e` starts processes: the command, the embedded service, real engines. */
module.exports = {
  rootDir: common.rootDir,
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/e2e/", "<rootDir>/test/bench/"],
    },
    { ...common, displayName: "e2e", testMatch: ["<rootDir>/test/e2e/**/*.test.ts"] },
  ],
};
