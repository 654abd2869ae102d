/** From the provider's configuration to a connection: one service, seen with one credential. Used by both engines. */
export { checkProvider } from "./check";
export { connect, type ConnectOptions } from "./connect";
export { addressOf, settingsOf, type Address, type Environment, type Settings } from "./settings";
