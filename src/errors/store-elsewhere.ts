import { TenancyError } from "./tenancy-error";

/** The credential store knows the same service under another owner alone, or the same logins under another address. */
export class StoreElsewhere extends TenancyError {
  static readonly code = "TENANCY_STORE_ELSEWHERE";
  static readonly explanation = `
What the credential store keeps belongs to one address of a service and one owner, and is used for no other. Here the store keeps nothing
for the address and owner of this run, or nothing for a login, and does so under another owner or another address. That is right for a
second stack, or for a second service whose tenants have the same names. It is a mistake where the owner was mistyped, or where one service
is reached under two addresses (\`localhost\` and \`127.0.0.1\`, a name and its alias): then records are not recognised as yours, and tokens
would be minted a second time.`;

  static otherOwners(
    store: string,
    {
      origin,
      owner,
      names,
    }: { readonly origin: string; readonly owner: string; readonly names: readonly string[] },
  ): StoreElsewhere {
    const known = names.map((name) => JSON.stringify(name)).join(", ");
    return new StoreElsewhere(
      `the credential store ${store} knows ${origin} as owner ${known}, and not as ${JSON.stringify(owner)}`,
      {
        detail:
          "If the owner of this run is mistyped, what it made before looks as if somebody else had made it.",
        advice: `Correct the owner, or name the former one in previous_owners. For a new owner there is nothing to do.`,
      },
    );
  }

  static otherAddress(
    store: string,
    {
      origin,
      address,
      logins,
    }: { readonly origin: string; readonly address: string; readonly logins: readonly string[] },
  ): StoreElsewhere {
    const shown = logins.slice(0, SHOWN).join(", ");
    const more = logins.length > SHOWN ? ` and ${logins.length - SHOWN} more` : "";
    return new StoreElsewhere(
      `the credential store ${store} keeps what it knows of ${shown}${more} for ${address}, and not for ${origin}`,
      {
        detail: "If both are addresses of one service, tokens that exist already would be minted again.",
        advice: `If both are one service, set base_url to ${address}. If they are two services, there is nothing to do.`,
      },
    );
  }
}

/** How many logins a message names. */
const SHOWN = 5;
