import { ApiError, type ApiFacts } from "./api-error";

/** The service points somewhere else. */
export class RedirectRefused extends ApiError {
  static readonly code = "TENANCY_API_REDIRECT";
  static readonly explanation = `
The service answered with a redirect that is not followed: to another origin, where the credentials would go along; of a write, which would be
repeated; or round in a circle. Set \`base_url\` to the address where the service really is.`;

  constructor(facts: ApiFacts, target: string, why: string) {
    super(`redirect to ${target} not followed: ${why}`, facts, {
      advice: "Set base_url to the address where the service really is.",
    });
  }
}
