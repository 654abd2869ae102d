/** Words our findings for Terraform's users, who write HCL and have no command. */
import { type Finding, TenancyError, worded, type Words } from "../problems";
import { type ObjectValue, stringifyJson, textOf } from "../lib/values";
import type { Diagnostic as TerraformDiagnostic } from "../lib/plugin-runtime";

export const HCL: Words = {
  name: (attribute) => `\`${attribute}\``,
  set: (attribute, value) => `\`${attribute} = ${stringifyJson(value)}\``,
  version: (attribute) => `\`${attribute}_version\``,
  unset: (attribute) => `add "${attribute}" to \`unset\``,
  importIt: (id) =>
    `import it with an \`import\` block${id === undefined ? "" : ` (\`id = ${stringifyJson(id)}\`)`}`,
  recognise: () =>
    "If its declaration moved, add a `moved` block; if it is missing from the state, take it in by its id, with an `import` block.",
  perhapsCreated: (key) =>
    `Plan again when the service is healthy. If the object was created, ${HCL.importIt(key)}: it is not in the state.`,
  takenName: () => "It cannot be replaced with `create_before_destroy`: both would have its name.",
  account: () => "`tenancy_account`",
  only: () => "-target",
  flag: (option) => `\`${option}\``,
  flagWith: (option, value) => `\`${option}\` (${value})`,
  recover: () => "If its declaration moved, add a `moved` block.",
  removal: () => "its removal from the configuration",
  removalOf: () => "its removal from the configuration",
  // Terraform destroys a token before its user, and the provider does not learn that the user is next.
  endWithUser: () =>
    "If its user is to be destroyed, too, have Terraform forget the token first, with a `removed` block and `destroy = false`: the token ends with the user.",
  command: () => undefined,
};

/**
 * Our findings on Terraform's screen: a summary, and below it the reason, the advice, and the code to look up. Terraform folds warnings
 * with equal summaries, so a warning's summary is the sentence that all warnings of its code share, and the names are in the detail.
 */
export function toTerraform(findings: readonly Finding[]): readonly TerraformDiagnostic[] {
  return findings.flatMap((finding) =>
    worded([finding], HCL).map(({ severity, summary, detail, advice, code, attribute }) => {
      const title = severity === "warning" ? finding.title : undefined;
      const ownSummary =
        title === undefined || title === capitalized(summary) ? undefined : `${capitalized(summary)}.`;
      const why = [ownSummary, detail].filter((part) => part !== undefined && part !== "").join(" ");
      return {
        severity,
        summary: title ?? (severity === "warning" ? capitalized(summary) : summary),
        detail: [why, advice, code].filter((part) => part !== undefined && part !== "").join("\n"),
        ...(attribute !== undefined && { attribute }),
      };
    }),
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The diagnostics of an error of this program; undefined for any other error. */
export function diagnose(error: unknown): readonly TerraformDiagnostic[] | undefined {
  return error instanceof TenancyError ? toTerraform(error.toFindings()) : undefined;
}

/** The natural key of an object, by which findings name it: a user's login, an account's name. */
export function keyOf(state: ObjectValue): string {
  return textOf(state["login"]) ?? textOf(state["name"]) ?? "";
}

/** The natural key of a token: `csi@acme/csi-prod`. */
export function tokenKeyOf(token: ObjectValue): string {
  return [textOf(token["login"]), textOf(token["name"])].join("/");
}
