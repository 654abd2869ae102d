/** The files that decide over deletes, ownership, credentials, access changes and self-change, and the tests that look at each. */
export interface Area {
  readonly files: readonly string[];
  /** Files and folders under `test/` that each mutant is run against first. */
  readonly near: readonly string[];
  /** Slower tests, which run the files through an engine: the mutants that survive `near` are run against them. */
  readonly far: readonly string[];
}

/** All tests of the store except those of its lock, which take long since they wait for locks. */
const STORE_TESTS = [
  "ledger.test.ts",
  "ledger",
  "memories.test.ts",
  "previous-owners.test.ts",
  "refusals.test.ts",
]
  .concat(["store.test.ts", "store", "sealer.test.ts", "secret-hash.test.ts", "last-apply.test.ts"])
  .map((name) => `credentials/${name}`);

export const AREAS: Readonly<Record<string, Area>> = {
  ownership: {
    files: ["src/ownership/claim.ts", "src/ownership/uuid.ts"],
    near: ["ownership"],
    far: ["engine/owner-key.test.ts", "engine/ownership.test.ts", "cli/snapshot.test.ts"],
  },
  "self-change": {
    files: ["src/resources/self-change.ts"],
    near: ["plan/guards"],
    far: ["engine/guards.test.ts", "plugin/provider"],
  },
  guards: {
    files: ["src/plan/guards.ts"],
    near: ["plan/guards"],
    far: ["engine/guards.test.ts", "engine/tokens/rotate.test.ts", "engine/short-lists.test.ts"],
  },
  access: {
    files: ["src/plan/access.ts", "src/plan/rights.ts"],
    near: ["plan/access.test.ts", "plan/approval.test.ts"],
    far: ["render/view", "engine/permissions.test.ts", "engine/hidden-dangers.test.ts"],
  },
  approval: {
    files: ["src/plan/approval.ts", "src/plan/approval-lines.ts", "src/plan/approval-file.ts"],
    near: ["plan/approval.test.ts", "plan/approval-file.test.ts"],
    far: ["engine/approval.test.ts", "cli/approvals.test.ts"],
  },
  prune: {
    files: ["src/engine/diff/prune.ts", "src/engine/diff/contents.ts", "src/engine/diff/declarations.ts"],
    near: ["engine/ownership.test.ts", "engine/selection.test.ts", "engine/diff"],
    far: [
      "engine/guards.test.ts",
      "engine/tokens.test.ts",
      "engine/owner-key.test.ts",
      "engine/another-family.test.ts",
      "engine/snapshot",
    ],
  },
  delete: {
    files: ["src/engine/apply/delete.ts"],
    near: ["engine/apply/delete.test.ts", "engine/guards.test.ts", "engine/ownership.test.ts"],
    far: ["engine/failures.test.ts", "engine/apply", "engine/tokens.test.ts", "engine/tokens"],
  },
  revoke: {
    files: ["src/resources/authorization/revoke.ts", "src/resources/authorization/plan.ts"],
    near: ["resources/authorization"],
    far: ["engine/tokens/rotate.test.ts", "engine/tokens/revoke.test.ts", "engine/tokens.test.ts"],
  },
  mint: {
    files: ["src/resources/authorization/mint.ts", "src/resources/authorization/with-password.ts"],
    near: ["resources/authorization"],
    far: ["engine/tokens.test.ts", "engine/tokens/rotate.test.ts"],
  },
  ledger: {
    files: ["src/credentials/ledger.ts", "src/credentials/entries.ts", "src/credentials/memories.ts"],
    near: STORE_TESTS,
    far: ["credentials", "engine/hidden-values.test.ts", "engine/passwords.test.ts", "engine/tokens.test.ts"],
  },
  store: {
    files: ["src/credentials/store.ts", "src/credentials/document.ts", "src/credentials/secret-hash.ts"],
    near: STORE_TESTS,
    far: ["credentials", "cli/lost-store.test.ts"],
  },
  sealer: {
    files: ["src/credentials/sealer.ts", "src/credentials/file-backend.ts"],
    near: STORE_TESTS,
    far: ["credentials"],
  },
  tokens: {
    files: ["src/engine/diff/token.ts", "src/engine/diff/passwords.ts"],
    near: ["engine/diff/passwords.test.ts", "engine/tokens.test.ts", "engine/passwords.test.ts"].concat([
      "engine/tokens/rotate.test.ts",
      "engine/snapshot/contents.test.ts",
    ]),
    far: ["engine/ownership.test.ts"],
  },
  "provider-guards": {
    files: ["src/plugin/provider/guards.ts"],
    near: ["plugin/provider"],
    far: ["plugin"],
  },
  "apply-passwords": {
    files: ["src/engine/apply/passwords.ts"],
    near: ["engine/apply/passwords.test.ts"],
    far: ["engine/passwords.test.ts", "engine/tokens.test.ts", "engine/selection.test.ts"].concat(
      "engine/tokens/rotate.test.ts",
    ),
  },
  contents: {
    files: ["src/resources/account/index.ts"],
    near: ["resources/account"],
    far: ["engine/guards.test.ts", "engine/apply/delete.test.ts", "plugin/provider"],
  },
  "revoke-by-name": {
    files: ["src/engine/tokens/revoke.ts"],
    near: ["engine/tokens/revoke.test.ts"],
    far: ["cli/token.test.ts"],
  },
  lookup: {
    files: ["src/resources/record/inventory.ts"],
    near: ["resources/record", "resources/account", "resources/user-profile"],
    far: ["engine/ownership.test.ts", "engine/owner-key.test.ts", "plugin/provider"],
  },
  update: {
    files: ["src/resources/record/update.ts", "src/resources/user-profile/index.ts"],
    near: ["resources/record", "resources/account", "resources/user-profile"],
    far: ["engine/passwords.test.ts", "engine/failures.test.ts", "engine/apply/write.test.ts"],
  },
  coverage: {
    files: ["src/engine/guard.ts"],
    near: ["engine/guards.test.ts", "engine/selection.test.ts", "engine/ownership.test.ts"],
    far: [
      "engine/short-lists.test.ts",
      "engine/snapshot/reading-credential.test.ts",
      "engine/siblings.test.ts",
      "engine/addresses.test.ts",
      "engine/tokens.test.ts",
    ],
  },
  "provider-changes": {
    files: ["src/plugin/provider/plan.ts", "src/plugin/provider/resource.ts"],
    near: ["plugin/provider"],
    far: ["plugin"],
  },
};
