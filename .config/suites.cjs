/** Suites that the unit tests leave out, or draw more of, by what they cost. All others are unit tests. */

const paths = (names) => names.map((name) => `<rootDir>/test/${name}.test.ts`);

/**
 * What takes more than a second of processor time by itself: long histories of whole runs, and bounds that are reached. Jest prints
 * the time of such a suite; if it cannot be made faster, it belongs here.
 */
const slow = paths([
  "cli/apply",
  "cli/approvals",
  "cli/consumers",
  "cli/drift",
  "cli/lost-store",
  "cli/plan",
  "cli/report",
  "cli/report-services",
  "cli/snapshot",
  "cli/store",
  "cli/token",
  "cli/verbs/plugin",
  "constructs/lean",
  "credentials/git-backend",
  "credentials/refusals",
  "credentials/sealer",
  "credentials/store",
  "docs/bounds",
  "engine/addresses",
  "engine/another-family",
  "engine/apply/apply",
  "engine/apply/delete",
  "engine/apply/write",
  "engine/approval",
  "engine/bounds",
  "engine/converging",
  "engine/drift/drift",
  "engine/evaluation",
  "engine/failures",
  "engine/findings",
  "engine/guard",
  "engine/guards",
  "engine/hidden-values",
  "engine/imports",
  "engine/owner-key",
  "engine/ownership",
  "engine/passwords",
  "engine/run",
  "engine/saved",
  "engine/saved-plans",
  "engine/selection",
  "engine/shared-owner",
  "engine/siblings",
  "engine/snapshot/agreement",
  "engine/snapshot/contents",
  "engine/snapshot/file",
  "engine/tokens/absent-store",
  "engine/tokens/creation-failures",
  "engine/tokens/left-passwords",
  "engine/tokens/life",
  "engine/tokens/needs",
  "engine/tokens/refused",
  "engine/tokens/revoke",
  "engine/tokens/rotate",
  "engine/tokens/rotation-by-keepers",
  "engine/tokens/undeclared-users",
  "export/round-trip",
  "lib/language/functions/functions",
  "lib/language/limits",
  "lib/plugin-runtime/grpc/server",
  "render/html/index",
  "render/markdown/index",
  "resources/authorization/life",
  "resources/authorization/create",
  "resources/record/consistency",
  "resources/record/create",
  "resources/record/outcome",
  "resources/record/update",
  "schema/propose/settled",
]);

/** What a service, a file or a text could hold, drawn at random: too much for every save. */
const fuzz = ["<rootDir>/test/fuzz/**/*.test.ts", "<rootDir>/test/lib/language/fuzz.test.ts"];

/** Properties of which other tests draw little. `npm run fuzz` draws twenty times as much of them, and of the above. */
const drawn = paths([
  "constructs/lean",
  "engine/snapshot/agreement",
  "engine/shown",
  "export/round-trip",
  "lib/plugin-runtime/grpc/server",
  "lib/plugin-runtime/protobuf",
  "lib/plugin-runtime/values/codec",
  "engine/drift/histories",
  "render/html/index",
  "render/markdown/index",
  "lib/values/json/long-numeral",
]);

module.exports = { slow, fuzz, drawn };
