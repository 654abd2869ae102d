import type { Project } from "./project";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the run knows and the app must not: secrets would end in what it writes. */
const CREDENTIALS = /^(TF_VAR_.*|TENANCY_(USERNAME|PASSWORD|TOKEN|OTP|TOTP_SECRET|STORE_KEY))$/i;

/** The environment that the app command is run in: that of the run, without credentials, with what CDKTF apps look for. */
export function appEnvironment(
  { output, context }: Project,
  environment: Environment,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !CREDENTIALS.test(name)) kept[name] = value;
  }
  return {
    ...kept,
    CDKTF_OUTDIR: output,
    // Errors of annotations are read from the manifest, where they have a place; the app would die of them.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
    ...(context !== undefined && { CDKTF_CONTEXT_JSON: context }),
  };
}
