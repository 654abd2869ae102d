/** The calls of Terraform's provider service, protocol 6. Those that are missing are answered "unimplemented". */
import { type Method, type Methods } from "../grpc/method";
import { applyResourceChange } from "./apply-resource";
import { configureProvider } from "./configure";
import { closeEphemeralResource, openEphemeralResource, renewEphemeralResource } from "./ephemeral-resource";
import { callFunction } from "./function";
import { type Host } from "./host";
import { importResourceState } from "./import-resource";
import { moveResourceState } from "./move-resource";
import { planResourceChange } from "./plan-resource";
import { readDataSource } from "./read-data-source";
import { readResource } from "./read-resource";
import { getFunctions, getMetadata, getProviderSchema, getResourceIdentitySchemas } from "./schema";
import { stopProvider } from "./stop";
import { upgradeResourceIdentity, upgradeResourceState } from "./upgrade-resource";
import {
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./validate";

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
