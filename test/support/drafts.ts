/** Plans before they are judged, made by hand. */
import type { AccountRecord, CallerRecord, ProfileRecord } from "../../src/api";
import { judge, type Change, type Draft, type Surveyed } from "../../src/plan";
import { Snapshot } from "../../src/service/snapshot";

export interface DraftFacts extends Partial<Omit<Draft, "surveyed">>, SurveyFacts {
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
  readonly survey?: Partial<Omit<Surveyed, "owned">> & { readonly owned?: number };
}

/** A plan for a service as `surveyed` makes it. */
export function draft(changes: readonly Change[], facts: DraftFacts = {}): Draft {
  const { aliases = [], ...rest } = facts;
  return {
    changes,
    retained: [],
    surveyed: [facts, ...aliases].map(surveyed),
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
function surveyed({
  accounts,
  profiles,
  caller,
  login = "deployer@ops",
  survey = {},
}: SurveyFacts): Surveyed {
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
    owner: "acme-platform",
    snapshot,
    incomplete: undefined,
    owned: ownedRecords(owned),
    ownToken: undefined,
    ...rest,
  };
}

/** So many records, with the names that a survey would give them. */
export function ownedRecords(count: number): Surveyed["owned"] {
  return new Map(Array.from({ length: count }, (_unused, index) => [`tenancy_user_profile ${index}`, 1]));
}

/** What stops a plan: `TENANCY_MASS_DELETION`, or with the place `TENANCY_PREVENT_DESTROY tenancy_account.acme`. */
export function refusals(changes: readonly Change[], facts: DraftFacts = {}): readonly string[] {
  return judge(draft(changes, facts)).map(({ code, address }) =>
    address === undefined ? code : `${code} ${address}`,
  );
}
