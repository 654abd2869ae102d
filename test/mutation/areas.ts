/** The files that decide over deletes, ownership, credentials, access changes and self-change, and the tests that look at each. */
export interface Area {
  readonly files: readonly string[];
  /** Files and folders under `test/`: where the mutants are looked for first. */
  readonly near: readonly string[];
}

export const AREAS: Readonly<Record<string, Area>> = {
  ownership: { files: ["src/ownership/claim.ts", "src/ownership/uuid.ts"], near: ["ownership"] },
  "self-change": {
    files: ["src/resources/self-change.ts"],
    near: ["plan/guards", "engine/guards.test.ts"],
  },
  guards: {
    files: ["src/plan/guards.ts"],
    near: ["plan/guards", "engine/guards.test.ts", "engine/tokens.test.ts"],
  },
  access: { files: ["src/plan/access.ts", "src/plan/rights.ts"], near: ["plan", "render/view"] },
  approval: {
    files: ["src/plan/approval.ts", "src/plan/approval-lines.ts", "src/plan/approval-file.ts"],
    near: ["plan", "engine/approval.test.ts", "cli/approvals.test.ts"],
  },
  prune: {
    files: ["src/engine/diff/prune.ts", "src/engine/diff/contents.ts", "src/engine/diff/declarations.ts"],
    near: ["engine/guards.test.ts", "engine/ownership.test.ts", "engine/selection.test.ts", "engine/diff"],
  },
  delete: {
    files: ["src/engine/apply/delete.ts"],
    near: ["engine/guards.test.ts", "engine/failures.test.ts", "engine/apply", "engine/ownership.test.ts"],
  },
  revoke: {
    files: ["src/resources/authorization/revoke.ts", "src/resources/authorization/plan.ts"],
    near: ["resources/authorization", "engine/tokens", "engine/tokens.test.ts"],
  },
  mint: {
    files: ["src/resources/authorization/mint.ts", "src/resources/authorization/with-password.ts"],
    near: ["resources/authorization", "engine/tokens", "engine/tokens.test.ts"],
  },
  ledger: {
    files: ["src/credentials/ledger.ts", "src/credentials/entries.ts", "src/credentials/memories.ts"],
    near: ["credentials", "engine/tokens.test.ts"],
  },
  store: {
    files: ["src/credentials/store.ts", "src/credentials/document.ts", "src/credentials/secret-hash.ts"],
    near: ["credentials", "cli/lost-store.test.ts"],
  },
  sealer: {
    files: ["src/credentials/sealer.ts", "src/credentials/file-backend.ts"],
    near: ["credentials"],
  },
  tokens: {
    files: ["src/engine/diff/token.ts", "src/engine/diff/passwords.ts"],
    near: ["engine/tokens", "engine/tokens.test.ts", "engine/passwords.test.ts"],
  },
};

/** Where mutants that the near tests leave are looked for: everything that runs these files through an engine. */
export const FAR = ["credentials", "engine", "ownership", "plan", "resources", "cli", "render"];
