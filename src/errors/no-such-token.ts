import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** The credential store knows no token of that name. */
export class NoSuchToken extends TenancyError {
  static readonly code = "TENANCY_NO_SUCH_TOKEN";
  static readonly explanation = `
\`tenancy token\` works on what the credential store holds for the service and owner of the stack: a token is named by its name, by
\`login/name\`, or by its serial number, a note of an interrupted minting by its id. A token that is declared and not in the store yet
is minted by \`tenancy apply\`; a token that is not in the store is not managed here, and has to be revoked in the service itself.`;

  /** @param known the tokens that there are, each as \`login/name\` */
  constructor(name: string, store: string, known: readonly string[]) {
    const near = nearest(name, [...known, ...known.map((key) => key.slice(key.indexOf("/") + 1))]);
    super(`${store} holds no token ${JSON.stringify(name)}`, {
      advice:
        near !== undefined
          ? `Did you mean ${JSON.stringify(near)}?`
          : known.length === 0
            ? "It holds none for this service and owner; apply mints what is declared."
            : `It holds: ${known.slice(0, 60).join(", ")}.`,
    });
  }
}
