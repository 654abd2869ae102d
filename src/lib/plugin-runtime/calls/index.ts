/**
 * Lists the calls of Terraform's provider service, protocol 6. Every other call is answered "unimplemented". Terraform and OpenTofu don't make
 * these calls of a provider like ours: GetMetadata; UpgradeResourceIdentity, while the version of an identity stays; RenewEphemeralResource,
 * if the value has no time of renewal. For MoveResourceState, both tell the user that the provider does not support it.
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
  validateListResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./describe";
import { importResourceState } from "./import";
import { listResource } from "./list";
import { callFunction, closeEphemeralResource, openEphemeralResource, readDataSource } from "./readers";
import { applyResourceChange, planResourceChange, readResource, upgradeResourceState } from "./resource";
import type { Host } from "./rpc";

export { encodedSchema } from "./describe";
export { encodeObject, Host, type ProviderSource } from "./rpc";

const callMethods: Readonly<Record<string, (host: Host) => Method>> = {
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
  ValidateListResourceConfig: validateListResourceConfig,
  ListResource: listResource,
  StopProvider: stopProvider,
};

export function providerService(host: Host, schemaAnswer?: Uint8Array): Methods {
  const methods = new Map(
    Object.entries(callMethods).map(([name, make]) => [`/tfplugin6.Provider/${name}`, make(host)]),
  );
  if (schemaAnswer !== undefined) methods.set("/tfplugin6.Provider/GetProviderSchema", () => schemaAnswer);
  return methods;
}
