/** A service to develop and test against: its rules are written from the spec alone, and it shares no code with the client. */
export { type AccountPatch, BackDoor, type UserProfilePatch } from "./back-door";
export type { Fault, PendingFault } from "./faults";
export type { RecordedRequest, SeedRecords, ServiceBehavior, SimulatorOptions } from "./options";
export { SERVICE_BEHAVIORS } from "./options";
export type { Account, AccountCreate, AccountUpdate, Usage } from "./account";
export type { Authorization } from "./tokens";
export type { UserProfile, UserProfileCreate, UserProfileUpdate } from "./user-profile";
export { serve, type Simulator, startSimulator } from "./simulator";
