const { projects } = require("./jest.config.cjs");

const unit = projects.find(({ displayName }) => displayName === "unit");

/** The unit tests that look for mutants: those that `test/mutation/main.ts` names for the area, in one project, as Stryker needs it. */
module.exports = {
  ...unit,
  roots: ["<rootDir>/src", "<rootDir>/test"],
  testTimeout: 60_000,
  testMatch: (process.env.MUTATION_TESTS ?? "")
    .split(",")
    .map((test) => `<rootDir>/test/${test.endsWith(".test.ts") ? test : `${test}/**/*.test.ts`}`),
};
