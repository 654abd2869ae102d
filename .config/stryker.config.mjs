/** How mutants are made and looked for; `npm run mutate` says in which files. */
export default {
  testRunner: "in-process",
  plugins: ["./test/mutation/in-process.mjs"],
  coverageAnalysis: "perTest",
  // Conditions, comparisons, operators, calls and blocks decide. Texts are for people, who read them, and the compiler looks after the rest.
  mutator: {
    excludedMutations: [
      "StringLiteral",
      "Regex",
      "OptionalChaining",
      "ObjectLiteral",
      "ArrayDeclaration",
      "ArrowFunction",
    ],
  },
  checkers: [],
  concurrency: 1,
  timeoutMS: 8_000,
  timeoutFactor: 2,
  // Tests read files of the repository; what is built is none of it.
  ignorePatterns: ["/.git", "/lib", "/cdktn", "/engine", "/testing", "/register", "/release", "/reports"],
  tempDirName: ".stryker-tmp",
  allowEmpty: true,
  reporters: ["json", "progress-append-only"],
};
