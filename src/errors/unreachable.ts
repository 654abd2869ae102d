import { ApiError, type ApiFacts } from "./api-error";

/** No connection to the service. */
export class Unreachable extends ApiError {
  static readonly code = "TENANCY_API_UNREACHABLE";
  static readonly explanation = `
No connection to the service (or to the proxy in front of it) could be made: its name is unknown, nothing listens there, or the way is
blocked. Nothing was sent. Check \`base_url\`, \`HTTPS_PROXY\` and \`NO_PROXY\`.`;

  constructor(
    facts: ApiFacts,
    readonly target: string,
    readonly why: string,
    private readonly passing: boolean = true,
  ) {
    super(
      `no connection to ${target}: ${why}`,
      { ...facts, sent: false },
      {
        advice: "Check base_url, the network, and HTTPS_PROXY and NO_PROXY where a proxy is used.",
      },
    );
  }

  override get transient(): boolean {
    return this.passing;
  }
}
