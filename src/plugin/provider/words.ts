/** Words our findings for Terraform's users, who write HCL and have no command; and keeps notes in private state. */
import { type Finding, TenancyError, worded, type Words } from "../../problems";
import { isInteger, isList, isObject, type ObjectValue, stringifyJson, type Value } from "../../values";
import type { Diagnostic as TerraformDiagnostic, PrivateState } from "../runtime";

export const HCL: Words = {
  name: (attribute) => `\`${attribute}\``,
  set: (attribute, value) => `\`${attribute} = ${stringifyJson(value)}\``,
  version: (attribute) => `\`${attribute}_version\``,
  unset: (attribute) => `add "${attribute}" to \`unset\``,
  adopt: (id) =>
    `adopt it with an \`import\` block${id === undefined ? "" : ` (\`id = ${stringifyJson(id)}\`)`}`,
  recognise: () =>
    "If its declaration moved, add a `moved` block; if it is missing from the state, take it in by its id, with an `import` block.",
  takenName: () => "It cannot be replaced with `create_before_destroy`: both would have its name.",
  account: () => "`tenancy_account`",
  only: () => "-target",
  flag: (option) => `\`${option}\``,
  flagWith: (option, value) => `\`${option}\` (${value})`,
  removal: () => "its removal from the configuration",
  removalOf: () => "its removal from the configuration",
  command: () => undefined,
};

/** Our findings on Terraform's screen: a summary, and below it why, what to do, and the code to look up. */
export function toTerraform(findings: readonly Finding[]): readonly TerraformDiagnostic[] {
  return worded(findings, HCL).map(({ severity, summary, detail, advice, code, attribute }) => ({
    severity,
    summary,
    detail: [detail, advice, code].filter((part) => part !== undefined && part !== "").join("\n"),
    ...(attribute !== undefined && { attribute }),
  }));
}

/** The diagnostics of an error of ours; undefined for any other error. */
export function diagnose(error: unknown): readonly TerraformDiagnostic[] | undefined {
  return error instanceof TenancyError ? toTerraform(error.toFindings()) : undefined;
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
