import { TenancyError } from "./tenancy-error";

/** Acting as another user needs `switch_user_header`. */
export class SwitchUserUnset extends TenancyError {
  static readonly code = "TENANCY_SWITCH_USER_UNSET";
  static readonly explanation = `
Minting a token by switching to its user needs the name of the header that this deployment has for that. It is in no published
description of the API, so there is no default: ask the service's operator and set \`switch_user_header\`, or choose another \`mint_with\`.`;

  constructor() {
    super("switching to another user needs the name of the header for it", {
      advice: "Set switch_user_header in the provider's configuration, or choose another mint_with.",
    });
  }
}
