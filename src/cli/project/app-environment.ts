import { withoutCredentials, type Environment } from "../../values";
import type { Project } from "./project";

/**
 * The environment that the app command is run in: that of the run, with what CDKTF apps look for, and without credentials, which would
 * end in what the app writes.
 */
export function appEnvironment(
  { output, context }: Project,
  environment: Environment,
): Record<string, string> {
  return {
    // cdktn captures a stack trace for each reference unless told not to, and shows it only where a reference cannot be resolved.
    CDKTN_DISABLE_CREATION_STACK: "1",
    ...withoutCredentials(environment),
    CDKTF_OUTDIR: output,
    // Errors of annotations are read from the manifest, where they have a place; the app would die of them.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
    ...(context !== undefined && { CDKTF_CONTEXT_JSON: context }),
  };
}
