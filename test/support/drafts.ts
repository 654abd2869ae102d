/** Plans before the guards judge them, made by hand. */
import type { AccountRecord, CallerRecord, ProfileRecord } from "../../src/api";
import { judge, type Change, type GuardedPlan, type GuardedService } from "../../src/plan";
import { Snapshot } from "../../src/service/snapshot";

export interface DraftFacts extends Partial<Omit<GuardedPlan, "services">>, SurveyFacts {
  /** What other providers of the stack find. */
  readonly aliases?: readonly SurveyFacts[];
}

interface SurveyFacts {
  readonly accounts?: readonly AccountRecord[];
  readonly profiles?: readonly ProfileRecord[];
  readonly caller?: CallerRecord;
  /** Login of the run's own password. */
  readonly login?: string;
  /** `owned`: how many records are ours. */
  readonly survey?: Partial<Omit<GuardedService, "countOwned">> & { readonly owned?: number };
}

/** A plan for a service as `serviceWith` makes it. */
export function draft(changes: readonly Change[], facts: DraftFacts = {}): GuardedPlan {
  const { aliases = [], ...rest } = facts;
  return {
    changes,
    services: [facts, ...aliases].map(serviceWith),
    permits: {},
    destroy: false,
    asOf: new Date("2026-03-01T12:00:00Z"),
    declaresNothing: false,
    contents: [],
    preventDestroy: new Set(),
    ...rest,
  };
}

/** A service with the account `ops` and its users `ops` and `deployer@ops`, seen by the latter. */
function serviceWith({
  accounts,
  profiles,
  caller,
  login = "deployer@ops",
  survey = {},
}: SurveyFacts): GuardedService {
  const { owned = 100, ...rest } = survey;
  const snapshot = new Snapshot({
    accounts: accounts ?? [{ id: "account:1:1", name: "ops", admin_profile_id: "user_profile:1:1" }],
    profiles: profiles ?? [
      { id: "user_profile:1:1", login: "ops", account_id: "account:1:1" },
      { id: "user_profile:1:2", login: "deployer@ops", account_id: "account:1:1" },
    ],
    caller: caller ?? { type: "user" },
    callerProfile: login === "" ? undefined : login,
  });
  return {
    provider: "tenancy",
    origin: "https://storage.example",
    snapshot,
    incomplete: undefined,
    countOwned: () => owned,
    ownToken: undefined,
    ...rest,
  };
}

/** What stops a plan: `TENANCY_TOO_MANY_DELETES`, or with the place `TENANCY_PREVENT_DESTROY tenancy_account.acme`. */
export function refusals(changes: readonly Change[], facts: DraftFacts = {}): readonly string[] {
  return judge(draft(changes, facts)).map(({ code, address }) =>
    address === undefined ? code : `${code} ${address}`,
  );
}
