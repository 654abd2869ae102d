import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The note of a minting, as the store keeps it. */
export interface NotedMinting {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  /** ISO 8601. */
  readonly started_at: string;
}

/** An earlier run was cut short while a token was minted: one may exist whose secret nobody has. */
export class OpenIntent extends TenancyError {
  static readonly code = "TENANCY_OPEN_INTENT";
  static readonly explanation = `
Before a token is minted, the credential store notes the intent; after it, the token. A run that was killed in between, or whose answer was
lost, leaves the note, and perhaps a token at the service whose secret nobody has. No program can tell: the API shows a secret once and
lists no tokens. So it is reported at every run until somebody has looked:

1. In the service, look at the authorizations of the user for one that was created at the noted time or shortly after, and that
   \`tenancy token list\` does not show.
2. Where there is one, revoke it there.
3. Forget the note: \`tenancy token revoke ID\`, with the id that the message and \`tenancy token list\` show. This sends nothing.

Meanwhile runs go on as usual: a declared token that is not in the store is minted.`;

  constructor({ id, login, name, started_at }: NotedMinting, details: ErrorDetails = {}) {
    super(`a token "${name}" of ${login} may have been minted at ${started_at} without being kept`, {
      detail: "The run that minted it was cut short, or its answer was lost.",
      advice:
        `Look in the service for an authorization of ${login} from that time that nobody recognises, and revoke it. ` +
        `Then forget this note: tenancy token revoke ${id}`,
      ...details,
    });
  }
}
