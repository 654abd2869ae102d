import { TenancyError } from "./tenancy-error";

/** A token minted here would be lost with the machine. */
export class MintingRefused extends TenancyError {
  static readonly code = "TENANCY_MINTING_REFUSED";
  static readonly explanation = `
In a CI job (\`CI\` is set) the default credential store is a file that vanishes with the job's machine, and with it the secret of
every token minted there. The next job would find no store. So minting is refused before anything is sent, unless you said where
the store lives: \`TENANCY_STORE_KEY\` (the encrypted file may be committed), \`--credential-helper\`, or \`--store PATH\` on a disk
that outlives the job.`;

  constructor() {
    super("tokens are not minted in a CI job without a credential store that outlives it", {
      advice:
        "Set TENANCY_STORE_KEY and commit the encrypted store, or pass --credential-helper, or --store PATH.",
    });
  }
}
