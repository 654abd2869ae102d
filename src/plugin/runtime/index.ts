/**
 * A Terraform provider in TypeScript: plugin protocol 6. An author writes a {@link Provider} and hands it to
 * {@link serveProvider}.
 */
export { serveProvider } from "./greeting";
export type { Fields, Level, Log } from "./log";
export {
  type Awaitable,
  type Call,
  type ConfigureCall,
  type CreateRequest,
  type DataResult,
  type DataSourceDefinition,
  type Deferral,
  type DeferralReason,
  defineDataSource,
  defineEphemeralResource,
  defineResource,
  type DeleteRequest,
  type Diagnostic,
  type EphemeralResourceDefinition,
  type Findings,
  type FunctionDefinition,
  FunctionFailure,
  type Identity,
  type IdentityAttribute,
  type ImportedObject,
  type ImportResult,
  type MoveRequest,
  type MoveResult,
  type OpenResult,
  type Parameter,
  type PlanRequest,
  type PlanResult,
  type PrivateState,
  type Provider,
  type ReadRequest,
  type ReadResult,
  type RenewResult,
  type ResourceDefinition,
  type UpdateRequest,
  type UpgradeRequest,
  type UpgradeResult,
  type WriteResult,
} from "./provider";
export { type AttachedProvider, type AttachOptions, attachProvider } from "./reattach";
export type {
  Attribute,
  Attributes,
  Block,
  ConfigOf,
  KnownConfigOf,
  Nested,
  NestedAttribute,
  NestedBlock,
  PlainAttribute,
  PlanOf,
  Schema,
  StateOf,
} from "./schema";
export { type Bound, RefinedUnknown, type Refinements, type Type } from "./values";
