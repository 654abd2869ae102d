/** The files that decide over deletes, ownership, credentials, access changes and self-change, and the tests that look at each. */
export interface Area {
  readonly files: readonly string[];
  /** Files and folders under `test/` that each mutant is run against first. */
  readonly near: readonly string[];
  /** Slower tests, which run the files through an engine: the mutants that survive `near` are run against them. */
  readonly far: readonly string[];
}

/** All tests of the state except those of its lock, which take long since they wait for locks. */
const STATE_TESTS = ["state-part.test.ts", "previous-owners.test.ts", "refusals.test.ts"]
  .concat(["state.test.ts", "state", "sealer.test.ts", "secret-hash.test.ts"])
  .map((name) => `state/${name}`);

export const AREAS: Readonly<Record<string, Area>> = {
  ownership: {
    files: ["claim", "identity", "uuid"].map((name) => `src/ownership/${name}.ts`),
    near: ["ownership"],
    far: ["engine/owner-key.test.ts", "engine/ownership.test.ts", "cli/snapshot.test.ts"],
  },
  "self-change": {
    files: ["src/resources/self-change.ts"],
    near: ["plan/guards"],
    far: ["engine/guards.test.ts", "provider"],
  },
  guards: {
    files: ["src/plan/guards.ts"],
    near: ["plan/guards"],
    far: ["engine/guards.test.ts", "engine/tokens/rotate.test.ts", "engine/short-lists.test.ts"],
  },
  access: {
    files: ["src/plan/access.ts", "src/plan/access-of-tokens.ts", "src/plan/rights.ts"],
    near: ["plan/access.test.ts", "plan/approval.test.ts"],
    far: ["render/view", "engine/permissions.test.ts", "engine/hidden-dangers.test.ts"],
  },
  approval: {
    files: [
      "src/plan/approval.ts",
      "src/plan/approval-needs.ts",
      "src/plan/approval-pairs.ts",
      "src/plan/approval-file.ts",
    ],
    near: ["plan/approval.test.ts", "plan/approval-file.test.ts"],
    far: ["engine/approval.test.ts", "cli/approvals.test.ts"],
  },
  prune: {
    files: ["src/engine/diff/prune.ts", "src/engine/diff/contents.ts", "src/engine/diff/declarations.ts"],
    near: ["engine/ownership.test.ts", "engine/selection.test.ts", "engine/diff"],
    far: [
      "engine/guards.test.ts",
      "engine/tokens",
      "engine/owner-key.test.ts",
      "engine/another-family.test.ts",
      "engine/snapshot",
    ],
  },
  delete: {
    files: ["src/engine/apply/delete.ts", "src/engine/tokens/delete.ts"],
    near: ["engine/apply/delete.test.ts", "engine/guards.test.ts", "engine/ownership.test.ts"],
    far: ["engine/failures.test.ts", "engine/apply", "engine/tokens"],
  },
  revoke: {
    files: ["src/resources/authorization/revoke.ts", "src/resources/authorization/plan.ts"],
    near: ["resources/authorization"],
    far: ["engine/tokens"],
  },
  "create-token": {
    files: ["src/resources/authorization/create.ts", "src/resources/authorization/with-password.ts"],
    near: ["resources/authorization"],
    far: ["engine/tokens"],
  },
  part: {
    files: ["src/state/state-part.ts", "src/state/entries.ts"],
    near: STATE_TESTS,
    far: ["state", "engine/hidden-values.test.ts", "engine/passwords.test.ts", "engine/tokens"],
  },
  state: {
    files: ["src/state/state.ts", "src/state/document.ts", "src/state/secret-hash.ts"],
    near: STATE_TESTS,
    far: ["state", "cli/lost-state.test.ts"],
  },
  sealer: {
    files: ["src/state/sealer.ts", "src/state/file-backend.ts"],
    near: STATE_TESTS,
    far: ["state"],
  },
  tokens: {
    files: ["src/engine/tokens/plan.ts", "src/engine/tokens/rotation.ts", "src/engine/tokens/user.ts"],
    near: ["engine/tokens/plan.test.ts"],
    far: ["engine/tokens", "engine/snapshot/contents.test.ts"].concat("engine/ownership.test.ts"),
  },
  passwords: {
    files: ["src/engine/diff/passwords.ts"],
    near: ["engine/tokens/left-passwords.test.ts", "engine/passwords.test.ts"],
    far: ["engine/tokens"],
  },
  "provider-guards": {
    files: ["src/provider/guards.ts", "src/provider/walk.ts"],
    near: ["provider"],
    far: ["lib/plugin-runtime", "provider"],
  },
  "apply-passwords": {
    files: ["src/engine/apply/passwords.ts"],
    near: ["engine/passwords.test.ts", "engine/tokens/left-passwords.test.ts"],
    far: ["engine/tokens", "engine/selection.test.ts"],
  },
  contents: {
    files: ["src/resources/account/index.ts"],
    near: ["resources/account"],
    far: ["engine/guards.test.ts", "engine/apply/delete.test.ts", "provider"],
  },
  "revoke-by-name": {
    files: ["src/engine/tokens/revoke.ts"],
    near: ["engine/tokens/revoke.test.ts"],
    far: ["cli/token.test.ts"],
  },
  lookup: {
    files: ["src/resources/record/inventory.ts"],
    near: ["resources/record/matching.test.ts", "resources/user-profile"],
    far: [
      "engine/another-family.test.ts",
      "engine/ownership.test.ts",
      "engine/owner-key.test.ts",
      "provider",
    ],
  },
  update: {
    files: ["src/resources/record/update.ts", "src/resources/user-profile/index.ts"],
    near: ["update", "difference", "odd-services", "matching"]
      .map((name) => `resources/record/${name}.test.ts`)
      .concat(["resources/user-profile"]),
    far: ["resources/account", "engine/passwords.test.ts", "engine/failures.test.ts"].concat([
      "engine/apply/write.test.ts",
    ]),
  },
  create: {
    files: ["src/resources/record/create.ts"],
    near: ["resources/record/create.test.ts", "resources/user-profile/life.test.ts"],
    far: ["resources/record/odd-services.test.ts", "resources/account", "engine/failures.test.ts"].concat([
      "engine/another-family.test.ts",
      "provider",
    ]),
  },
  outcome: {
    files: ["src/resources/record/outcome.ts"],
    near: ["resources/record/outcome.test.ts", "resources/record/odd-services.test.ts"],
    far: [
      "resources/record",
      "resources/account",
      "resources/user-profile",
      "engine/permissions.test.ts",
    ].concat(["engine/converging.test.ts", "provider"]),
  },
  rights: {
    files: ["src/resources/permissions.ts"],
    near: ["resources/permissions.test.ts", "resources/account/plan.test.ts", "resources/names.test.ts"],
    far: [
      "resources/record",
      "resources/user-profile",
      "plan/access.test.ts",
      "plan/guards",
      "render/view",
      "engine/permissions.test.ts",
    ],
  },
  coverage: {
    files: [
      "src/engine/plan.ts",
      "src/engine/checks.ts",
      "src/engine/deletes.ts",
      "src/engine/assemble-plan.ts",
    ],
    near: ["engine/plan.test.ts"],
    far: [
      "engine/guards.test.ts",
      "engine/selection.test.ts",
      "engine/ownership.test.ts",
      "engine/short-lists.test.ts",
      "engine/snapshot/reading-credential.test.ts",
      "engine/siblings.test.ts",
      "engine/addresses.test.ts",
      "engine/tokens",
    ],
  },
  "provider-changes": {
    files: ["src/provider/plan.ts", "src/provider/apply.ts", "src/provider/resource.ts"],
    near: ["provider"],
    far: ["lib/plugin-runtime", "provider"],
  },
  "provider-service": {
    files: ["private-state", "undeclared", "service"].map((name) => `src/provider/${name}.ts`),
    near: ["provider"],
    far: ["lib/plugin-runtime", "provider"],
  },
  apply: {
    files: ["apply", "object", "schedule", "tasks"].map((name) => `src/engine/apply/${name}.ts`),
    near: ["engine/apply/schedule.test.ts", "engine/apply/apply.test.ts"],
    far: [
      "engine/apply",
      "engine/failures.test.ts",
      "engine/tokens",
      "engine/approval.test.ts",
      "engine/saved-plans.test.ts",
    ],
  },
  write: {
    files: ["src/engine/apply/write.ts", "src/engine/tokens/write.ts"],
    near: ["engine/apply/write.test.ts", "engine/tokens/rotate.test.ts"],
    far: ["engine/tokens", "engine/failures.test.ts", "engine/passwords.test.ts"].concat(
      "engine/hidden-values.test.ts",
    ),
  },
  selection: {
    files: ["src/engine/load/selection.ts"],
    near: ["engine/load/selection.test.ts", "engine/selection.test.ts"],
    far: ["engine/tokens", "engine/siblings.test.ts"],
  },
  "kept-tokens": {
    files: ["src/engine/state.ts"].concat(
      ["entry", "keeper", "refusals", "revocations"].map((name) => `src/engine/tokens/${name}.ts`),
    ),
    near: ["engine/tokens/keeper.test.ts"],
    far: ["engine/tokens"],
  },
  "saved-plans": {
    files: ["src/engine/saved.ts", "src/plan/fingerprint.ts"],
    near: ["plan/fingerprint.test.ts", "engine/saved.test.ts"],
    far: ["engine/saved-plans.test.ts"],
  },
  objects: {
    files: ["src/engine/entries/object-write.ts", "src/engine/entries/untouched.ts"],
    near: ["engine/passwords.test.ts", "engine/hidden-values.test.ts"],
    far: ["engine/drift", "engine/apply", "engine/ends.test.ts", "engine/privileges.test.ts"],
  },
  "object-entries": {
    files: ["object-entries", "object-draft", "object-document"].map((name) => `src/state/${name}.ts`),
    near: ["published", "state-part"].map((name) => `state/${name}.test.ts`),
    far: ["state/published.test.ts", "engine/drift"],
  },
  "shared-owner": {
    files: ["src/engine/shared-owner.ts"],
    near: ["shared-owner", "another-family"].map((name) => `engine/${name}.test.ts`),
    far: ["engine/ownership.test.ts"],
  },
  "possibly-issued": {
    files: ["src/engine/tokens/possibly-issued.ts"],
    near: ["engine/tokens/possibly-issued.test.ts"],
    far: ["engine/tokens", "engine/run.test.ts"],
  },
  record: {
    files: ["src/engine/diff/record.ts", "src/engine/diff/plan-remarks.ts"],
    near: ["record", "contents"].map((name) => `engine/diff/${name}.test.ts`),
    far: [
      "engine/diff",
      "engine/apply",
      "engine/ownership.test.ts",
      "engine/passwords.test.ts",
      "engine/hidden-values.test.ts",
      "engine/guards.test.ts",
    ],
  },
  sight: {
    files: ["src/service/snapshot.ts", "src/service/list-completeness.ts", "src/service/rights.ts"],
    near: ["service"],
    far: ["engine/short-lists.test.ts", "plan/guards"],
  },
  published: {
    files: ["src/resources/published.ts", "src/state/published.ts"],
    near: ["resources/published.test.ts", "state/published.test.ts"],
    far: ["engine/snapshot", "engine/owner-key.test.ts"],
  },
  replace: {
    files: ["src/resources/record/plan.ts"],
    near: ["resources/record/plan.test.ts", "resources/account/plan.test.ts"],
    far: ["resources/record", "provider"],
  },
  "token-family": {
    files: ["src/resources/authorization/index.ts", "src/resources/authorization/plan.ts"],
    near: ["resources/authorization"],
    far: ["provider", "engine/tokens"],
  },
  run: {
    files: ["src/engine/run.ts"],
    near: ["engine/run.test.ts"],
    far: ["engine/owner-key.test.ts", "engine/saved-plans.test.ts"],
  },
  compare: {
    files: ["src/schema/diff.ts", "src/schema/propose.ts"],
    near: ["schema/diff.test.ts", "schema/propose.test.ts", "schema/propose"],
    far: ["schema", "resources"],
  },
  "file-lock": {
    files: ["src/state/file-lock.ts"],
    near: ["state/file-lock.test.ts", "state/file-lock"],
    far: ["state/state.test.ts", "e2e/state"],
  },
  helper: {
    files: ["src/state/helper.ts"],
    near: ["state/helper.test.ts", "e2e/state/helper-calls.test.ts"],
    far: ["e2e/state/credential-helper.test.ts"],
  },
  remembered: {
    files: ["src/plan/applied-values.ts"],
    near: ["engine/hidden-values.test.ts", "engine/drift/drift.test.ts"],
    far: ["engine/drift", "engine/snapshot", "provider"],
  },
  "snapshot-file": {
    files: ["src/engine/snapshot/file.ts", "src/engine/snapshot/open.ts"],
    near: ["engine/snapshot/file.test.ts", "engine/snapshot/open.test.ts"],
    far: ["engine/snapshot", "cli/snapshot.test.ts"],
  },
  presets: {
    files: ["src/resources/presets.ts"],
    near: ["resources/presets.test.ts"],
    far: ["plan/access.test.ts"],
  },
  stages: {
    files: ["src/engine/change.ts", "src/engine/planned-object.ts", "src/engine/target.ts"],
    near: ["engine/change.test.ts"],
    far: ["engine/shared-owner.test.ts", "engine/apply/delete.test.ts"],
  },
  settings: {
    files: ["src/service/settings.ts"],
    near: ["service/settings.test.ts", "service/provider.test.ts"],
    far: ["engine/owner-key.test.ts", "provider/service.test.ts"],
  },
};
