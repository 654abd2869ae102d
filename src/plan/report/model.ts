/** Defines the content of a report: the effective access of all users. The names are those of its JSON (docs/manual/reference/json.md). */
import type { AccessMark } from "../plan";

export const REPORT_FORMAT = "tenancy-report";
export const REPORT_VERSION = 1;

/** The access of all users. It has the members of the JSON of `tenancy report --json`, which docs/manual/reference/json.md explains. */
export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly version: typeof REPORT_VERSION;
  /** ISO 8601. */
  readonly made_at: string;
  /** When the snapshot was taken that it was made from; null where the services themselves were asked. */
  readonly taken_at: string | null;
  /** True if a project's declarations were compared. */
  readonly project: boolean;
  /** True if usage counters were read. */
  readonly usage: boolean;
  readonly max_token_age_days: number;
  readonly question: ReportQuestion;
  /** Why declarations could not be read to their end: which records are declared is then known in part. */
  readonly notes: readonly string[];
  readonly services: readonly ReportedService[];
}

/** The question; null where the report is about everything. */
export interface ReportQuestion {
  readonly who_can: string | null;
  readonly user: string | null;
  readonly account: string | null;
}

/** One service, as the stacks see it. */
export interface ReportedService {
  readonly origin: string;
  /** The login of the caller. */
  readonly caller: string;
  /** The stacks whose records are known. */
  readonly stacks: readonly string[];
  /** Why there may be more than is listed; null where that is all. */
  readonly incomplete: string | null;
  readonly accounts: readonly ReportedAccount[];
  readonly users: readonly ReportedUser[];
  /** Users that hold the right that was asked for, and cannot use it at present. */
  readonly held_without_effect: readonly { readonly login: string; readonly because: readonly string[] }[];
  /** Tokens of the state whose user no list shows. */
  readonly other_tokens: readonly ReportedToken[];
  readonly findings: readonly ReportFinding[];
}

/** Ownership of a record. */
export interface Ownership {
  readonly claim: "managed" | "imported" | "unmanaged" | "unknown";
  /** The stack whose state knows it; null where none of this run does. */
  readonly stack: string | null;
  /** True if the project declares it; null without a project, or where that is not known. */
  readonly declared: boolean | null;
}

/** An account. A hidden value is null. */
export interface ReportedAccount {
  readonly name: string;
  readonly id: string;
  /** Null where the service does not show it. */
  readonly disabled: boolean | null;
  readonly ownership: Ownership;
  readonly users: number;
  readonly quotas: readonly Quota[];
}

/** A limit of an account, and its used part. */
export interface Quota {
  readonly name: "limits_vss_num" | "limits_size_reserve_total";
  /** Null where there is no limit. */
  readonly limit: number | bigint | null;
  /** Null where usage was not read. */
  readonly used: number | bigint | null;
}

/** A user profile. A hidden value is null. */
export interface ReportedUser {
  readonly login: string;
  readonly id: string;
  /** Name of the account; null where the account is not listed. */
  readonly account: string | null;
  readonly primary: boolean;
  readonly ownership: Ownership;
  readonly activated: boolean | null;
  readonly account_disabled: boolean | null;
  readonly access: { readonly web: boolean | null; readonly api: boolean | null };
  readonly account_admin: boolean | null;
  readonly level: number | null;
  /** The rights that the profile holds; null where the service does not show them. */
  readonly rights: readonly string[] | null;
  /** Those of them that can be used at present. */
  readonly takes_effect: readonly string[];
  /** Why nothing can be used: `not activated`, `account disabled`, `no access`. */
  readonly idle: readonly string[];
  /** Ids, or `*`; empty: nowhere; null: not shown. */
  readonly vss_scope: readonly string[] | null;
  readonly node_scope: readonly string[] | null;
  /** The nearest preset and the difference: `operator + vss.format_disks`. */
  readonly preset: string | null;
  /** True if these are just the rights that the service gives by itself. */
  readonly by_default: boolean;
  /** Marks of the rights that take effect. */
  readonly marks: readonly AccessMark[];
  /** `none`, `yubikey`, `google`; null where it is not shown. */
  readonly two_factor: string | null;
  readonly password_set: boolean | null;
  /** ISO 8601; null is unknown, and never "unused". */
  readonly last_activity: string | null;
  readonly tokens: readonly ReportedToken[];
  /** Ends of access, as the last apply left them. */
  readonly ends: readonly ReportedEnd[];
}

/** The end of a right, or of web and API access. */
export interface ReportedEnd {
  /** A right, or `access`. */
  readonly what: string;
  /** The last day, in UTC. */
  readonly until: string;
  /** True if the user has it at present; null where the service does not show it. */
  readonly granted: boolean | null;
}

/** A token that the state knows. */
export interface ReportedToken {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  /** As the service wrote it; null if it said nothing. */
  readonly created_at: string | null;
  readonly age_days: number | null;
  /** First day, in UTC, on which it is due for rotation by its `rotate_after`; null where it never is. */
  readonly rotates_on: string | null;
  /** Time since which holders of an earlier key of the state may know the token, ISO 8601; null if only the present key opens it. */
  readonly exposed_at: string | null;
  /** `replaced`: a newer one took its place, and it is valid until it is revoked. */
  readonly state: "current" | "replaced";
}

/** Something that deserves a look. */
export interface ReportFinding {
  readonly kind:
    | "no_two_factor"
    | "two_factor_unknown"
    | "access_ended"
    | "access_ending"
    | "undeclared_user"
    | "exposed_token"
    | "old_token"
    | "retained_account"
    | "quota";
  /** A login, an account's name, or `login/name (serial)`. */
  readonly subject: string;
  /** `high`: a user may destroy or take over objects of others. `low`: it is the service's default, or the next apply resolves it. */
  readonly severity: "high" | "medium" | "low";
  readonly account: string | null;
  readonly login: string | null;
  /** Goes on from the subject: `has destructive rights and no second factor`. */
  readonly says: string;
  readonly advice: string;
  /** True if it follows from an unchanged default of the service. */
  readonly by_default: boolean;
}
