/** What is read of a service, and the connection that it is read and written through. */
export { connect, type Connection } from "./connection";
export { coalescingDirectory, type Directory, listDirectory, type Listers } from "./directory";
export { checkProvider, provider } from "./provider";
export {
  ALL_RIGHTS,
  callerMay,
  DEFAULT_RIGHTS,
  successorsOf,
  DESTRUCTIVE_RIGHTS,
  explainRight,
  isKnownRight,
  POWERFUL_RIGHTS,
  type Right,
  RIGHT_GROUPS,
  type RightGroup,
  RIGHTS,
} from "./rights";
export {
  addressOf,
  credentialsOf,
  type Environment,
  type ServiceSettings,
  serviceSettingsOf,
  type Settings,
  settingsOf,
  usernameOf,
} from "./settings";
export { isPrimary, primaryOf, Snapshot } from "./snapshot";
export { type Doubt, doubtOfAccount, doubtOfProfile, incompleteness } from "./wholeness";
