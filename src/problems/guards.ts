/** Refusals of the guards. */
import {
  type Diagnostic,
  type ErrorDetails,
  formatDiagnostic,
  placed,
  TenancyError,
  type Whereabouts,
} from "./problem";

/** Guards stopped the plan; holds every refusal. */
export class PlanRefused extends TenancyError {
  static readonly code = "TENANCY_PLAN_REFUSED";
  static readonly explanation = `
One or more guards refused the plan, each with its own code. All guards are judged before the first write, and one refusal stops the whole
run: nothing was written.`;

  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return placed(this.diagnostics, where);
  }
}

/** Most of our records would be deleted, which is rarely intended. */
export class MassDeletion extends TenancyError {
  static readonly code = "TENANCY_MASS_DELETION";
  static readonly explanation = `
The stack declares nothing, or the plan would delete over half of what the owner has. An empty stack is far more often an import
that failed or a variable that was not set than a decision. Nothing was written. If it is intended, pass \`--max-deletes N\`, or use
\`tenancy destroy\`.`;

  /** @param total of all services, which `--max-deletes` is about */
  constructor(why: string, count: number, total: number) {
    super(`${count} ${count === 1 ? "record" : "records"} would be deleted: ${why}`, {
      advice: `Nothing was written. If that is intended: --max-deletes ${total}.`,
    });
  }
}

/** One run would delete more records than it may without permission. */
export class TooManyDeletes extends TenancyError {
  static readonly code = "TENANCY_TOO_MANY_DELETES";
  static readonly explanation = `
Unless told otherwise, a run deletes at most 5 records of a service, or a quarter of what the owner has there, up to 25. Every record that ceases
counts, once: users, tokens, and what an account takes with it. So a mistake in the code is noticed before it does much harm. Nothing was written. Read
the plan; if it is what you want, pass \`--max-deletes N\` with the number that it names.`;

  /** @param facts `count`: at the service that is named, or at the only one; `total`: at all of them, which `--max-deletes` is about */
  constructor(facts: {
    readonly count: number;
    readonly allowed: number;
    readonly total: number;
    readonly origin?: string | undefined;
  }) {
    const { count, allowed, total, origin } = facts;
    const [where, there] = origin === undefined ? ["", ""] : [` at ${origin}`, " there"];
    super(`${count} records would be deleted${where}, and this run may delete ${allowed}${there}`, {
      advice: `Nothing was written. If that is intended: --max-deletes ${total}.`,
    });
  }
}

/** A delete of something that the configuration protects with `prevent_destroy`. */
export class PreventDestroy extends TenancyError {
  static readonly code = "TENANCY_PREVENT_DESTROY";
  static readonly explanation = `
The object is declared with \`lifecycle { prevent_destroy = true }\`, and the plan would delete or replace it. Nothing was written.
Remove that setting if the delete is intended.`;

  constructor(key: string, details: ErrorDetails = {}) {
    super(`"${key}" would be deleted, but its lifecycle says prevent_destroy`, {
      advice: "Remove prevent_destroy if that is intended.",
      ...details,
    });
  }
}

/** The primary user profile of an account is declared or imported on its own. */
export class PrimaryProfile extends TenancyError {
  static readonly code = "TENANCY_PRIMARY_PROFILE";
  static readonly explanation = `
An account comes with a primary user profile, whose login is the account's name. It is part of the account: its permissions, level, access
and password are attributes of \`tenancy_account\`. Two declarations of it would undo each other's work.`;

  constructor(login: string, details: ErrorDetails = {}) {
    super(`the primary user profile ${JSON.stringify(login)} is part of its account`, {
      advice:
        "Declare its permissions, level, access and password on `tenancy_account`; for another user choose another username.",
      ...details,
    });
  }
}

/** The plan would delete, disable or weaken the credential that the run works with. */
export class SelfChange extends TenancyError {
  static readonly code = "TENANCY_SELF_CHANGE";
  static readonly explanation = `
The plan deletes or disables the credential that the run itself works with, takes its \`manage_accounts\`, \`manage_users\` or API access,
changes its password, two-factor authentication or level, or revokes its token. Such a run could lock itself out half-way. Nothing was
written. Run it with another credential, or pass \`--allow-self-change\`. With a token, the service does not say which user it belongs to;
then every user of its account counts.`;

  /** @param harm what it does, as in "takes its API access" */
  constructor(key: string, harm: string, details: ErrorDetails = {}) {
    super(`the run works with "${key}", and this ${harm}`, {
      advice: "Run it with another credential, or pass --allow-self-change.",
      ...details,
    });
  }
}

/** An account would be deleted without permission. */
export class AccountDeletionRefused extends TenancyError {
  static readonly code = "TENANCY_ACCOUNT_DELETION";
  static readonly explanation = `
Deleting or replacing an account destroys the tenant's storage, so it has to be allowed: \`deletion_protection = false\` applied while the
account is declared, \`new Removed(…)\` for an account that is no longer declared, or \`--allow-account-deletion=NAME\` for one run. One
refused delete stops the run before the first write.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`account "${name}" would be deleted, with the tenant's storage`, {
      advice: `If that is intended: set deletion_protection = false, or pass --allow-account-deletion=${name}.`,
      ...details,
    });
  }
}

/** An account that is to be deleted still holds something. */
export class AccountNotEmpty extends TenancyError {
  static readonly code = "TENANCY_ACCOUNT_NOT_EMPTY";
  static readonly explanation = `
An account is deleted only when it is empty: its usage counters are there and zero, and no user profile in it was made by somebody else.
Move or delete what is in it, or allow it to be deleted with its contents: \`allow_nonempty_delete = true\` applied while the account is
declared, or \`--allow-nonempty\` for one run.`;

  /** @param findings what is in it, each a few words */
  constructor(name: string, findings: readonly string[], details: ErrorDetails = {}) {
    super(`account "${name}" is not empty: ${findings.join(", ")}`, {
      advice: "Empty it first, or pass --allow-nonempty to delete it with everything in it.",
      ...details,
    });
  }
}

/** The service's lists may be incomplete, so nothing follows from what they lack. */
export class IncompleteLists extends TenancyError {
  static readonly code = "TENANCY_INCOMPLETE_LISTS";
  static readonly explanation = `
Before anything is created or deleted, the lists of accounts and user profiles must be complete: the caller must be in them, and each
\`account_id\` and \`admin_profile_id\` must resolve. A short list, from a busy server or a gateway, would otherwise turn what it lacks
into creates, and what is left into deletes. Nothing was written. Try again; if this persists, ask the service's operator, or check that
the credential may list the account that it belongs to.`;

  /** @param missing what the lists lack, as a clause */
  constructor(origin: string, missing: string, changes: number) {
    super(`the lists of ${origin} are incomplete: ${missing}`, {
      detail: `${changes} planned ${changes === 1 ? "create or delete depends" : "creates and deletes depend"} on them.`,
      advice: "Nothing was written. Run it again; if this persists, check what the credential may list.",
    });
  }
}

/** A write during what must only read. */
export class ReadOnly extends TenancyError {
  static readonly code = "TENANCY_READ_ONLY";
  static readonly explanation = `
Planning sends nothing but GET and log-in, and this is enforced where requests are made. If you see this, a part of this program tried to
write while planning: nothing was sent. Please report it.`;

  constructor(method: string, path: string) {
    super(`${method} ${path} is a write, and this run only reads`, {
      advice: "Nothing was sent. This is a bug: please report it.",
    });
  }
}
