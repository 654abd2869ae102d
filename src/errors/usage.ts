import { TenancyError } from "./tenancy-error";

/** The command was called in a way that it does not understand. */
export class Usage extends TenancyError {
  static readonly code = "TENANCY_USAGE";
  static readonly explanation = `
The command line names a verb or an option that does not exist, lacks a value, or combines options that do not go together. Nothing was
done. \`tenancy --help\` lists the verbs, \`tenancy VERB --help\` the options of one.`;

  constructor(problem: string, advice: string) {
    super(problem, { advice });
  }
}
