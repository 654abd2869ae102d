/** Plans made by hand, for tests of what is shown of them. */
import { type Action, type Change, type Plan, summaryOf } from "../../src/plan";
import { accessChanges } from "../../src/plan/access";
import { account } from "../../src/resources/account/description";
import { authorization } from "../../src/resources/authorization/description";
import { userProfile } from "../../src/resources/user-profile/description";
import { changesBetween } from "../../src/schema";

const DESCRIPTIONS = { account, user_profile: userProfile, authorization };

export type ChangeFacts = Partial<Change> & {
  readonly kind: keyof typeof DESCRIPTIONS;
  readonly name: string;
};

/** A change of one object; its action follows from what is before and after. */
export function change({ kind, name, ...facts }: ChangeFacts): Change {
  const description = DESCRIPTIONS[kind];
  const before = facts.before ?? null;
  const after = facts.after ?? null;
  const action: Action = facts.action ?? (before === null ? "create" : after === null ? "delete" : "update");
  return {
    action,
    address: `${description.type}.${name}`,
    description,
    constructPath: `platform/${name}/Resource`,
    provider: "tenancy",
    key: name,
    title: facts.key ?? name,
    claim: before === null ? undefined : "managed",
    attributes:
      action === "delete" || action === "none"
        ? []
        : changesBetween(description.attributes, action === "replace" ? null : before, after),
    replacedBy: [],
    sensitive: [],
    importId: undefined,
    reason: action === "delete" ? "undeclared" : undefined,
    notes: [],
    observedRecord: undefined,
    ...facts,
    before,
    after,
  };
}

export function plan(changes: readonly Change[], facts: Partial<Plan> = {}): Plan {
  const { retained = [], deletedWithAccount = [] } = facts;
  return {
    stack: "storage",
    targets: [
      {
        provider: "tenancy",
        origin: "https://storage.example",
        caller: "system",
      },
    ],
    destroy: false,
    partial: false,
    noPrune: false,
    changes,
    retained,
    unmanagedUsers: [],
    renames: [],
    deletedWithAccount,
    access: accessChanges(changes),
    outputs: [],
    evaluated: [],
    warnings: [],
    plannedAt: "2026-03-01T12:00:00.000Z",
    summary: summaryOf({ changes, deletedWithAccount, retained }),
    ...facts,
  };
}
