/** Evaluates the access of all users at one service, from its lists: once, for every question. No I/O. */
import { ENDED_ACCESS, rightsOfRecord, shownScope } from "../../resources";
import { callerMay, DEFAULT_RIGHTS, incompleteness, isPrimary, type Snapshot } from "../../service";
import {
  compareText,
  groupedBy,
  isInteger,
  isList,
  isObject,
  normalForm,
  type ObjectValue,
  onceForAlike,
  textOf,
  type Value,
} from "../../lib/values";
import { accessMarksOf, presetText } from "../rights";
import { findingsOf } from "./findings";
import type {
  Quota,
  ReportedAccount,
  ReportedService,
  ReportedEnd,
  ReportedToken,
  ReportedUser,
  Ownership,
} from "./model";
import { DAY_MS } from "../../schema";

/** One service, read. */
export interface ReportFacts {
  readonly origin: string;
  readonly caller: string;
  /** Every stack whose records are known. */
  readonly stacks: readonly string[];
  readonly snapshot: Snapshot;
  /** Stacks by the ids of the records that the state knows as theirs. */
  readonly stacksById: ReadonlyMap<string, string>;
  /** Ids of declared records, and how each came to be; undefined without a project. */
  readonly declarationsById: ReadonlyMap<string, "managed" | "imported" | "unmanaged"> | undefined;
  /** True if all declarations could be read. */
  readonly wholly: boolean;
  readonly tokens: readonly Omit<ReportedToken, "age_days">[];
  /** Last days of access, by the uuid of the user, or of the account whose primary user has it. */
  readonly endsByUuid: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Counters by the id of the account; undefined where they were not read. */
  readonly usage: ReadonlyMap<string, ObjectValue> | undefined;
}

/** @param settings when it is made, and from which age on a token is old */
export function reportedService(
  facts: ReportFacts,
  settings: { readonly now: Date; readonly maxTokenAgeDays: number },
): ReportedService {
  const { snapshot } = facts;
  const tokens = groupedBy(
    facts.tokens.map((token): ReportedToken => ({
      ...token,
      age_days: ageInDays(token.created_at, settings.now),
    })),
    ({ login }) => normalForm(login),
  );
  // Many users hold the same rights.
  const judge = onceForAlike((rights: readonly string[]) => rights.join(), judgeRights);
  const users = snapshot.profiles
    .map((profile) => reportedUser(profile, facts, { tokens, judge }))
    .sort((a, b) => compareText(a.account ?? "", b.account ?? "") || compareText(a.login, b.login));
  const byAccount = groupedBy(users, ({ account }) => account);
  const accounts = snapshot.accounts
    .map((account): ReportedAccount => {
      const name = textOf(account.name) ?? "";
      return {
        name,
        id: textOf(account.id) ?? "",
        disabled: flag(account.disabled),
        ownership: whoseOf(account, facts),
        users: byAccount.get(name)?.length ?? 0,
        quotas: quotasOfAccount(account, facts.usage?.get(textOf(account.id) ?? "")),
      };
    })
    .sort((a, b) => compareText(a.name, b.name));
  const logins = new Set(users.map(({ login }) => normalForm(login)));
  const service = {
    origin: facts.origin,
    caller: facts.caller,
    stacks: facts.stacks,
    incomplete: whyIncomplete(snapshot),
    accounts,
    users,
    held_without_effect: [],
    other_tokens: [...tokens].flatMap(([login, list]) => (logins.has(login) ? [] : list)),
  };
  return { ...service, findings: findingsOf(service, settings) };
}

function ageInDays(createdAt: string | null, now: Date): number | null {
  const createdMs = createdAt === null ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(createdMs) ? null : Math.max(0, Math.floor((now.getTime() - createdMs) / DAY_MS));
}

/** Why there may be more accounts and users than the lists show. */
export function whyIncomplete(snapshot: Snapshot): string | null {
  const missing = incompleteness(snapshot);
  if (missing !== undefined) return `the lists are incomplete: ${missing}`;
  const all = callerMay(snapshot, "realm.manage_accounts");
  if (all === true) return null;
  return all === undefined
    ? "it is not known whether the caller sees every account and user"
    : "the caller lacks the right realm.manage_accounts, so there may be accounts and users that it does not see";
}

function reportedUser(
  profile: Snapshot["profiles"][number],
  facts: ReportFacts,
  {
    tokens,
    judge,
  }: {
    /** By login, in its normal form. */
    readonly tokens: ReadonlyMap<string, readonly ReportedToken[]>;
    readonly judge: (rights: readonly string[]) => Judged;
  },
): ReportedUser {
  const login = textOf(profile.login) ?? "";
  const account = facts.snapshot.account(textOf(profile.account_id) ?? "");
  const name = textOf(account?.name) ?? null;
  const primary = isPrimary(profile, account);
  const rights = rightsOfRecord(profile) ?? null;
  const accessMember = isObject(profile.access) ? profile.access : {};
  const access = { web: flag(accessMember["web"]), api: flag(accessMember["api"]) };
  const activated = flag(profile.activated);
  const disabled = flag(account?.disabled);
  const idle = [
    ...(activated === false ? ["not activated"] : []),
    ...(disabled === true ? ["account disabled"] : []),
    ...(access.web === false && access.api === false ? ["no access"] : []),
  ];
  const scopes = {
    vss: shownScope("vss", profile)?.toSorted(compareText) ?? null,
    node: shownScope("node", profile)?.toSorted(compareText) ?? null,
  };
  const effective =
    idle.length > 0 || rights === null ? [] : rights.filter((right) => reaches(right, scopes));
  const level = profile["level"];
  const ending = `@${name ?? ""}`;
  const key =
    primary && name !== null && account !== undefined
      ? { record: account, key: { kind: "account", names: [name] } }
      : {
          record: profile,
          key: {
            kind: "user_profile",
            names: [
              name ?? login.slice(login.lastIndexOf("@") + 1),
              login.endsWith(ending) ? login.slice(0, -ending.length) : login,
            ],
          },
        };
  return {
    login,
    id: textOf(profile.id) ?? "",
    account: name,
    primary,
    // The primary user comes and goes with its account.
    ownership: whoseOf(key.record, facts),
    activated,
    account_disabled: disabled,
    access,
    account_admin: flag(profile["account_admin"]),
    level: isInteger(level) ? Number(level) : null,
    rights,
    takes_effect: effective,
    idle,
    vss_scope: scopes.vss,
    node_scope: scopes.node,
    preset: rights === null ? null : judge(rights).preset,
    by_default: rights !== null && judge(rights).by_default,
    marks: judge(effective).marks,
    two_factor: textOf(isObject(profile["two_factor"]) ? profile["two_factor"]["auth"] : undefined) ?? null,
    password_set: flag(profile.password_set),
    last_activity: lastActivity(profile["sessions"]),
    tokens: tokens.get(normalForm(login)) ?? [],
    ends: endsOfUser(
      facts.endsByUuid.get(textOf(key.record["uuid"])?.toLowerCase() ?? "") ?? {},
      rights,
      access,
    ),
  };
}

function endsOfUser(
  days: Readonly<Record<string, string>>,
  rights: readonly string[] | null,
  access: ReportedUser["access"],
): readonly ReportedEnd[] {
  const isAccessKnown = access.web !== null && access.api !== null;
  return Object.entries(days)
    .map(([what, until]) => ({
      what,
      until,
      granted:
        what !== ENDED_ACCESS
          ? (rights?.includes(what) ?? null)
          : access.web === true || access.api === true || (isAccessKnown ? false : null),
    }))
    .sort((a, b) => compareText(a.until, b.until) || compareText(a.what, b.what));
}

function flag(value: Value | undefined): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** A right over storage or nodes that is limited to none of them cannot be used. */
function reaches(right: string, scopes: Readonly<Record<"vss" | "node", readonly string[] | null>>): boolean {
  const scope = right.startsWith("vss.") ? scopes.vss : right.startsWith("node.") ? scopes.node : null;
  return scope === null || scope.length > 0;
}

/** The time of the last request in any session that is shown. */
function lastActivity(sessions: Value | undefined): string | null {
  if (!isList(sessions)) return null;
  const last = sessions
    .flatMap((session) => (isObject(session) ? (session["last_ms"] ?? []) : []))
    .flatMap((ms) => (isInteger(ms) ? Number(ms) : []))
    .reduce((latest, ms) => Math.max(latest, ms), 0);
  return last > 0 && last <= LATEST_MS ? new Date(last).toISOString() : null;
}

/** The latest time that a date can hold. */
const LATEST_MS = 8_640_000_000_000_000;

function quotasOfAccount(account: ObjectValue, usage: ObjectValue | undefined): readonly Quota[] {
  const limits = account["limits"];
  if (!isObject(limits)) return [];
  const counters = { vss_num: "vss_num", size_reserve_total: "size_reserve" } as const;
  return (["vss_num", "size_reserve_total"] as const).flatMap((member) => {
    const limit = limits[member] ?? null;
    const usedAmount = usage?.[counters[member]];
    return limit === null || isInteger(limit)
      ? [
          {
            name: `limits_${member}` as const,
            limit,
            used: isInteger(usedAmount) ? usedAmount : null,
          },
        ]
      : [];
  });
}

function whoseOf(
  record: ObjectValue,
  { stacksById, stacks, declarationsById, wholly }: ReportFacts,
): Ownership {
  const id = textOf(record["id"]) ?? "";
  const stack = stacksById.get(id) ?? null;
  const how = declarationsById?.get(id);
  const isDeclared = declarationsById === undefined ? null : how !== undefined ? true : wholly ? false : null;
  const claim = stack !== null ? "managed" : (how ?? (stacks.length === 0 ? "unknown" : "unmanaged"));
  return { claim, stack, declared: isDeclared };
}

// Results of a set of rights.

type Judged = Pick<ReportedUser, "preset" | "by_default" | "marks">;

function judgeRights(rights: readonly string[]): Judged {
  const rightSet = new Set(rights);
  const isDefault =
    rightSet.size === DEFAULT_RIGHTS.length && DEFAULT_RIGHTS.every((right) => rightSet.has(right));
  const marks = [...new Set(rights.flatMap(accessMarksOf))].sort();
  return { preset: presetText(rights), by_default: isDefault, marks };
}
