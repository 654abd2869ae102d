/**
 * A Terraform provider in TypeScript: plugin protocol 6. An author writes a {@link Provider} and hands it to {@link serveProvider}.
 */
export { encodedSchema } from "./calls";
export { serveProvider } from "./greeting";
export type { Log } from "./log";
export {
  type Call,
  type CreateRequest,
  type DataSourceDefinition,
  type DeleteRequest,
  type PlanDeleteResult,
  type Diagnostic,
  type EphemeralResourceDefinition,
  type DiagnosticsResult,
  type FunctionDefinition,
  FunctionFailure,
  type Identity,
  type ImportResult,
  type ListResourceDefinition,
  type PlanRequest,
  type PlanResult,
  type PrivateState,
  type Provider,
  type ReadRequest,
  type ReadResult,
  type ResourceDefinition,
  type UpdateRequest,
  type WriteResult,
} from "./provider";
