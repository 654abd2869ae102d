/** From the provider's configuration to a connection: one service, seen with one credential. Used by both engines. */
export { checkProvider } from "./check";
export { connect, type ConnectOptions } from "./connect";
export {
  addressOf,
  credentialsOf,
  serviceSettingsOf,
  settingsOf,
  usernameOf,
  type Address,
  type Environment,
  type ServiceSettings,
  type Settings,
} from "./settings";
