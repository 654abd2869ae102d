import { TenancyError } from "./tenancy-error";

/** A file that the command was to read or write. */
export class FileUnusable extends TenancyError {
  static readonly code = "TENANCY_FILE_UNUSABLE";
  static readonly explanation = `
A file named on the command line cannot be read or written, or a file that \`tenancy init\` would create exists already: it overwrites
nothing.`;

  /** @param problem as in "it exists already" */
  constructor(file: string, problem: string, advice: string) {
    super(`${file}: ${problem}`, { file, advice });
  }
}
