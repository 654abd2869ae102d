/** The door to the HTTP client: the client, its options, and the service's records. */
export { Client } from "./client";
export type { Endpoint } from "./endpoint";
export type { Credentials, Identity } from "./identity";
export { readingClock, systemClock } from "./limiter";
export { type ClientOptions, parseBaseUrl, type RetryWait } from "./options";
export type {
  AccountRecord,
  CallerRecord,
  CommonRecord,
  CreatedAuthorization,
  ProfileRecord,
  UsageRecord,
} from "./records";
export { type Recorded, recordedClient } from "./recorded";
export { withIds } from "./references";
export { OneTimePasswords } from "./session";
export {
  dispatcherThrough,
  proxyFor,
  proxyFromEnvironment,
  type ProxySettings,
  readCaFile,
} from "./transport";
