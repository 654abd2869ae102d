/** The ways of minting a token, by the value of `mint_with`. */
import { mintWithEphemeralPassword } from "./ephemeral-password";
import type { MintWith } from "./minting";
import { mintWithPassword } from "./password";
import { mintWithSwitchUser } from "./switch-user";

export type { Minted, MintRequest } from "./minting";

export const waysOfMinting: ReadonlyMap<string, MintWith> = new Map([
  ["password", mintWithPassword],
  ["switch_user", mintWithSwitchUser],
  ["ephemeral_password", mintWithEphemeralPassword],
]);
