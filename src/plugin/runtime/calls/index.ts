/**
 * Lists the calls of Terraform's provider service, protocol 6. Every other one is answered "unimplemented", as the provider needs none:
 * neither engine asks for GetMetadata; each says by itself that a resource of another type cannot be taken over (MoveResourceState); and
 * they ask for an identity to be upgraded only if its version differs, for an ephemeral value to be renewed only if it said when.
 */
import type { Method, Methods } from "../grpc";
import {
  configureProvider,
  getFunctions,
  getProviderSchema,
  getResourceIdentitySchemas,
  stopProvider,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./describe";
import { importResourceState } from "./import";
import { callFunction, closeEphemeralResource, openEphemeralResource, readDataSource } from "./readers";
import { applyResourceChange, planResourceChange, readResource, upgradeResourceState } from "./resource";
import type { Host } from "./rpc";

export { encodeObject, Host, type ProviderSource } from "./rpc";

const calls: Readonly<Record<string, (host: Host) => Method>> = {
  GetProviderSchema: getProviderSchema,
  GetResourceIdentitySchemas: getResourceIdentitySchemas,
  GetFunctions: getFunctions,
  ValidateProviderConfig: validateProviderConfig,
  ValidateResourceConfig: validateResourceConfig,
  ValidateDataResourceConfig: validateDataResourceConfig,
  ValidateEphemeralResourceConfig: validateEphemeralResourceConfig,
  ConfigureProvider: configureProvider,
  UpgradeResourceState: upgradeResourceState,
  ReadResource: readResource,
  PlanResourceChange: planResourceChange,
  ApplyResourceChange: applyResourceChange,
  ImportResourceState: importResourceState,
  ReadDataSource: readDataSource,
  OpenEphemeralResource: openEphemeralResource,
  CloseEphemeralResource: closeEphemeralResource,
  CallFunction: callFunction,
  StopProvider: stopProvider,
};

export function providerService(host: Host): Methods {
  return new Map(Object.entries(calls).map(([name, make]) => [`/tfplugin6.Provider/${name}`, make(host)]));
}
