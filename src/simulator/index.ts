/** A service to develop and test against: written from the spec alone, sharing no code with the client. */
export { type AccountPatch, BackDoor, type UserProfilePatch } from "./back-door";
export type { Fault, PendingFault } from "./faults/fault";
export type { RecordedRequest, SeedRecords, SimulatorOptions } from "./options";
export type { AccountCreate, AccountUpdate } from "./parameters/account";
export type { UserProfileCreate, UserProfileUpdate } from "./parameters/user-profile";
export type { Account, Usage } from "./records/account";
export type { Authorization } from "./records/authorization";
export type { UserProfile } from "./records/user-profile";
export { serve } from "./serve";
export { type Simulator, startSimulator } from "./simulator";
export { UnusableData } from "./store/journal";
