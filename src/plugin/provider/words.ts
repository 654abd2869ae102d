/** Words the advice of errors for Terraform's users. The errors' own advice names the command's flags, verbs and one-time codes. */
import {
  accountDeletionRefused,
  accountNotEmpty,
  alreadyLive,
  type Diagnostic,
  forbidden,
  foreign,
  otpRefused,
  otpRequired,
  passwordRefused,
  retiresEarly,
  selfChange,
  TenancyError,
  tokensEnded,
} from "../../problems";
import { isInteger, isList, isObject, type ObjectValue, type Value } from "../../values";
import type { Diagnostic as TerraformDiagnostic, PrivateState } from "../runtime";

const NOT_BEFORE = "It cannot be replaced with `create_before_destroy`: both would have its name.";

/** By the code of the error. */
export const adviceHere: ReadonlyMap<string, string> = new Map([
  [accountDeletionRefused.code, "If that is intended, apply `deletion_protection = false` first."],
  [
    accountNotEmpty.code,
    "Empty it first, or apply `allow_nonempty_delete = true`, to have it deleted with everything in it.",
  ],
  [
    alreadyLive.code,
    "If its declaration moved, add a `moved` block; if it is missing from the state, take it in by its id, with an `import` block. " +
      NOT_BEFORE,
  ],
  [forbidden.code, "Run with a user whose permissions cover this."],
  [otpRefused.code, "Check totp_secret, and this machine's clock."],
  [
    otpRequired.code,
    "Set totp_secret (TENANCY_TOTP_SECRET), or work with a persistent token (TENANCY_TOKEN).",
  ],
  [passwordRefused.code, "Raise password_wo_version, so that it is sent again."],
  [
    retiresEarly.code,
    "Wait until then, or raise `retain_previous`, so that it stays good; to end it now, declare a shorter `retain_previous_for`.",
  ],
  [
    tokensEnded.code,
    'Choose mint_with = "switch_user", or give the user a password and choose "password". The next plan has the tokens that have ended minted ' +
      "anew.",
  ],
  // There is no way to allow it.
  [selfChange.code, "Run it with another credential."],
]);

/** What is said besides an error's own advice, by the code of the error. */
const addition: ReadonlyMap<string, string> = new Map([[foreign.code, NOT_BEFORE]]);

/** Our findings in the words of Terraform's screen: a summary, and below it why, what to do, and the code to look up. */
export function toTerraform(diagnostics: readonly Diagnostic[]): readonly TerraformDiagnostic[] {
  return diagnostics.map(({ severity, summary, detail, advice, code, attribute }) => ({
    severity,
    summary,
    detail: [
      detail,
      [adviceHere.get(code) ?? advice, addition.get(code)].filter((part) => part !== undefined).join(" "),
      code,
    ]
      .filter((part) => part !== undefined && part !== "")
      .join("\n"),
    ...(attribute !== undefined && { attribute }),
  }));
}

/** The diagnostics of an error of ours; undefined for any other error. */
export function diagnose(error: unknown): readonly TerraformDiagnostic[] | undefined {
  return error instanceof TenancyError ? toTerraform(error.toDiagnostics()) : undefined;
}

/** A resource's private state. It is not the user's, so nothing of it is ever shown as a change. */
export interface Notes {
  /** Sequence number of the record when it was last read or written. */
  readonly seq?: number | bigint | undefined;
  /** The object was taken in, and nothing was written to it since. */
  readonly imported?: boolean | undefined;
  /**
   * When the last refresh was. Plan and apply judge by this alone what is old enough to go: a clock read twice would make
   * them disagree.
   */
  readonly notedAt?: Date | undefined;
  /** The attributes that the last apply held declared, members of contacts too: `email`, `primary_contact.phone`. */
  readonly declared?: readonly string[] | undefined;
  /** The rights that the `permissions` of the last apply named. */
  readonly rights?: readonly string[] | undefined;
  /** The rights that the service granted when it was last asked, those too that state does not hold. */
  readonly granted?: readonly string[] | undefined;
  /** From the first to the second half of a plan: the object that is there, should it turn out to be replaced. */
  readonly standing?: ObjectValue | undefined;
}

export function notesOf(held: PrivateState): Notes {
  const { seq, imported, noted_at: notedAt, declared, rights, granted, standing } = held;
  return {
    ...(isTexts(declared) && { declared }),
    ...(isTexts(rights) && { rights }),
    ...(isTexts(granted) && { granted }),
    ...(isInteger(seq) && { seq }),
    ...(imported === true && { imported }),
    ...(isInstant(notedAt) && { notedAt: new Date(notedAt) }),
    ...(isObject(standing) && { standing }),
  };
}

export function heldOf({ seq, imported, notedAt, declared, rights, granted, standing }: Notes): PrivateState {
  return {
    ...(declared !== undefined && { declared }),
    ...(rights !== undefined && { rights }),
    ...(granted !== undefined && { granted }),
    ...(seq !== undefined && { seq }),
    ...(imported === true && { imported }),
    ...(notedAt !== undefined && { noted_at: notedAt.toISOString() }),
    ...(standing !== undefined && { standing }),
  };
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return isList(value ?? null) && (value as readonly Value[]).every((one) => typeof one === "string");
}

function isInstant(value: Value | undefined): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
