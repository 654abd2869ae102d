/** A service to develop and test against: written from the spec alone, sharing no code with the client. */
export { type AccountPatch, type BackDoor, type UserProfilePatch } from "./back-door";
export { type Fault, type PendingFault } from "./faults/fault";
export { type RecordedRequest, type SimulatorOptions } from "./options";
export { type AccountCreate, type AccountUpdate } from "./parameters/account";
export { type UserProfileCreate, type UserProfileUpdate } from "./parameters/user-profile";
export { type Account, type Usage } from "./records/account";
export { type Authorization } from "./records/authorization";
export { type UserProfile } from "./records/user-profile";
export { serve } from "./serve";
export { UnusableData } from "./store/journal";
export { type Simulator, startSimulator } from "./simulator";
