/** What can be done with the tokens of the store apart from an apply. */
export type { KeptToken, KeptTokens, OpenMinting, OpenRevocation, PreviousToken } from "./kept-tokens";
export { listTokens } from "./list-tokens";
export { findToken, revokeToken, type TokenRevocation } from "./revoke-token";
