import { TenancyError } from "./tenancy-error";

/** The Node that runs the command is too old for it. */
export class OldNode extends TenancyError {
  static readonly code = "TENANCY_OLD_NODE";
  static readonly explanation = `
The command uses features that older versions of Node do not have. \`node --version\` tells which one is first on the PATH; version managers
and CI images often pin one, in a file such as .nvmrc or in the job's definition.`;

  constructor(oldest: string, found: string) {
    super(`tenancy needs Node ${oldest} or later; this is Node ${found}`, {
      advice: "Install a current Node, or put it first on the PATH.",
    });
  }
}
