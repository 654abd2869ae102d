import { TenancyError } from "./tenancy-error";

/** `TENANCY_ALLOWED_ORIGINS` does not name the service that the configuration does. */
export class OriginNotAllowed extends TenancyError {
  static readonly code = "TENANCY_ORIGIN_NOT_ALLOWED";
  static readonly explanation = `
Where \`TENANCY_ALLOWED_ORIGINS\` is set, nothing is sent to any other service than those that it lists: origins, separated by commas, such as
\`https://storage.example,https://storage.example:8443\`. It is read from the environment alone, so a pull request that changes \`base_url\` cannot
make a pipeline send its password elsewhere. Scheme, host and port have to be the same; the port may be left out where it is the usual one.
Nothing was sent. An entry that is no origin is an error, too: a list with a slip in it must not pass for one that allows less, or more.`;

  private constructor(summary: string, advice: string) {
    super(summary, { advice });
  }

  /** @param origin of the service that was to be talked to */
  static notListed(origin: string): OriginNotAllowed {
    return new OriginNotAllowed(
      `TENANCY_ALLOWED_ORIGINS does not allow ${origin}`,
      "Check base_url. If this service is meant, add its origin to TENANCY_ALLOWED_ORIGINS.",
    );
  }

  /** @param problem as in "the entry "storage" is no origin" */
  static unfit(problem: string): OriginNotAllowed {
    return new OriginNotAllowed(
      `TENANCY_ALLOWED_ORIGINS cannot be used: ${problem}`,
      "List origins, separated by commas, such as https://storage.example.",
    );
  }
}
