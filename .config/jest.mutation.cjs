// Each mutant is to be loaded anew.
process.env.ISOLATED_SUITES = "1";
const { projects } = require("./jest.config.cjs");

const unit = projects.find(({ displayName }) => displayName === "unit");

/** The unit tests, slow ones too, that look for mutants: those that `test/mutation/main.ts` names for the area, in one project, as Stryker needs it. */
module.exports = {
  ...unit,
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/(bench|e2e|fuzz)/"],
  roots: ["<rootDir>/src", "<rootDir>/test"],
  testTimeout: 60_000,
  testMatch: (process.env.MUTATION_TESTS ?? "")
    .split(",")
    .map((test) => `<rootDir>/test/${test.endsWith(".test.ts") ? test : `${test}/**/*.test.ts`}`),
};
