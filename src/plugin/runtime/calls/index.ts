/** Lists the calls of Terraform's provider service, protocol 6. A missing call is answered "unimplemented". */
import type { Method, Methods } from "../grpc";
import {
  configureProvider,
  getFunctions,
  getMetadata,
  getProviderSchema,
  getResourceIdentitySchemas,
  stopProvider,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./describe";
import {
  importResourceState,
  moveResourceState,
  upgradeResourceIdentity,
  upgradeResourceState,
} from "./import";
import {
  callFunction,
  closeEphemeralResource,
  openEphemeralResource,
  readDataSource,
  renewEphemeralResource,
} from "./readers";
import { applyResourceChange, planResourceChange, readResource } from "./resource";
import type { Host } from "./rpc";

export { Host, type ProviderSource } from "./rpc";

const calls: Readonly<Record<string, (host: Host) => Method>> = {
  GetMetadata: getMetadata,
  GetProviderSchema: getProviderSchema,
  GetResourceIdentitySchemas: getResourceIdentitySchemas,
  GetFunctions: getFunctions,
  ValidateProviderConfig: validateProviderConfig,
  ValidateResourceConfig: validateResourceConfig,
  ValidateDataResourceConfig: validateDataResourceConfig,
  ValidateEphemeralResourceConfig: validateEphemeralResourceConfig,
  ConfigureProvider: configureProvider,
  UpgradeResourceState: upgradeResourceState,
  UpgradeResourceIdentity: upgradeResourceIdentity,
  ReadResource: readResource,
  PlanResourceChange: planResourceChange,
  ApplyResourceChange: applyResourceChange,
  ImportResourceState: importResourceState,
  MoveResourceState: moveResourceState,
  ReadDataSource: readDataSource,
  OpenEphemeralResource: openEphemeralResource,
  RenewEphemeralResource: renewEphemeralResource,
  CloseEphemeralResource: closeEphemeralResource,
  CallFunction: callFunction,
  StopProvider: stopProvider,
};

export function providerService(host: Host): Methods {
  return new Map(Object.entries(calls).map(([name, make]) => [`/tfplugin6.Provider/${name}`, make(host)]));
}
