import { TenancyError } from "./tenancy-error";

/** Others can read the plain credential store. */
export class StoreExposed extends TenancyError {
  static readonly code = "TENANCY_STORE_EXPOSED";
  static readonly explanation = `
A credential store without encryption holds tokens that anyone who can read the file can use. So it is refused while its group or others
have any access to it. Nobody can tell whether somebody did read it: where that matters, rotate the tokens (\`tenancy token rotate
--compromised\`). An encrypted store may be readable: set \`TENANCY_STORE_KEY\` to have it encrypted.`;

  /** @param mode permission bits of the file */
  constructor(path: string, mode: number) {
    super(`others can read the credential store ${path} (mode ${mode.toString(8).padStart(4, "0")})`, {
      advice: `chmod 600 '${path}', and rotate its tokens if somebody else may have read it.`,
    });
  }
}
