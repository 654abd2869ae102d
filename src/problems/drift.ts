/** Errors and warnings of looking for drift. */
import { TenancyError } from "./problem";

/** The credential store was replaced each time while the service was read. */
export class StoreUnsettled extends TenancyError {
  static readonly code = "TENANCY_STORE_UNSETTLED";
  static readonly explanation = `
\`tenancy drift\` compares the service with what the store remembers of the last apply. Another run wrote the store while the service was read, so
the two did not belong together. Drift takes no lock that would block an apply: it looked again, a few times, and each time the store was
written meanwhile. Nothing is wrong. Run it again when no apply is under way.`;

  /**
   * @param store the store, as in "platform/credentials.json" or "kept by vault-helper"
   * @param attempts how often it was looked
   */
  constructor(store: string, attempts: number) {
    super(
      `the credential store ${store} was written while the service was read, ${attempts} times in a row`,
      {
        advice: "Run again when the other run has ended.",
      },
    );
  }
}

/** `--ignore` names something that has not drifted. */
export class IgnoresNothing extends TenancyError {
  static readonly code = "TENANCY_IGNORES_NOTHING";
  static readonly explanation = `
\`tenancy drift --ignore ADDRESS[.ATTRIBUTE]\` keeps a difference quiet. This one matches no difference that was found: it is mistyped, or the
difference is gone. Addresses are those of the report; a login or an account's name will do, and \`*\` stands for any characters.`;

  constructor(pattern: string) {
    super(`--ignore ${JSON.stringify(pattern)} matches nothing`, {
      advice: "Leave it out, or write the address as the report does.",
    });
  }
}
