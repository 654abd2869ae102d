/** The public module for reading the service: the connection, and the records. */
export { connect, type Connection } from "./connection";
export { coalescingDirectory, type Lister, listDirectory, type Listers } from "./directory";
export { type KeptSecret, CreatedInRun } from "./created-in-run";
export { checkProvider, provider } from "./provider";
export {
  acceptingExtraRights,
  ALL_RIGHTS,
  callerMay,
  DEFAULT_RIGHTS,
  successorsOf,
  DESTRUCTIVE_RIGHTS,
  explainRight,
  impliedRights,
  isKnownRight,
  PRIVILEGED_RIGHTS,
  type Right,
  RIGHT_FORM,
  RIGHT_GROUPS,
  type RightGroup,
  RIGHTS,
} from "./rights";
export {
  serviceAndOwnerOf,
  credentialsOf,
  type ServiceSettings,
  serviceSettingsOf,
  type ProviderSettings,
  providerSettingsOf,
  passwordUsername,
  textsSetting,
} from "./settings";
export { isPrimary, Register, Snapshot } from "./snapshot";
export {
  ACCOUNTS_SEEN_WITH,
  type UnprovenAbsence,
  whyAbsenceUnproven,
  whyListIncomplete,
  incompleteness,
  PROFILES_SEEN_WITH,
} from "./list-completeness";
