import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An earlier run was cut short while a token was minted: one may exist whose secret nobody has. */
export class OpenIntent extends TenancyError {
  static readonly code = "TENANCY_OPEN_INTENT";
  static readonly explanation = `
Before a token is minted, the credential store notes the intent; after it, the token. A run that was killed in between leaves the note, and
perhaps a token at the service whose secret nobody has. It is reported at every run until it is settled: look at the user's authorizations
in the service, revoke the one that was created at the noted time, and then forget the note with \`tenancy token revoke\`.`;

  constructor(login: string, name: string, startedAt: string, details: ErrorDetails = {}) {
    super(`a token "${name}" of ${login} may have been minted at ${startedAt} without being kept`, {
      detail: "The run that minted it was cut short.",
      advice: `Look for an authorization of ${login} from that time that nobody knows, and revoke it.`,
      ...details,
    });
  }
}
