/** Messages of plugin protocol 6 for managed resources. */
import { message, repeated } from "../protobuf/field";
import { defineMessage } from "../protobuf/message";
import { bytes, integer, string } from "../protobuf/scalar";
import {
  AttributePath,
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  IdentityData,
  RawState,
} from "./common";

export const ValidateResourceConfigRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(3, ClientCapabilities),
});

export const UpgradeResourceStateRequest = defineMessage({
  typeName: string(1),
  version: integer(2),
  rawState: message(3, RawState),
});
export const UpgradeResourceStateResponse = defineMessage({
  upgradedState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
});

export const UpgradeResourceIdentityRequest = defineMessage({
  typeName: string(1),
  version: integer(2),
  rawIdentity: message(3, RawState),
});
export const UpgradeResourceIdentityResponse = defineMessage({
  upgradedIdentity: message(1, IdentityData),
  diagnostics: repeated(2, Diagnostic),
});

export const ReadResourceRequest = defineMessage({
  typeName: string(1),
  currentState: message(2, DynamicValue),
  private: bytes(3),
  clientCapabilities: message(5, ClientCapabilities),
  currentIdentity: message(6, IdentityData),
});
export const ReadResourceResponse = defineMessage({
  newState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  private: bytes(3),
  deferred: message(4, Deferred),
  newIdentity: message(5, IdentityData),
});

export const PlanResourceChangeRequest = defineMessage({
  typeName: string(1),
  priorState: message(2, DynamicValue),
  proposedNewState: message(3, DynamicValue),
  config: message(4, DynamicValue),
  priorPrivate: bytes(5),
  clientCapabilities: message(7, ClientCapabilities),
});
export const PlanResourceChangeResponse = defineMessage({
  plannedState: message(1, DynamicValue),
  requiresReplace: repeated(2, AttributePath),
  plannedPrivate: bytes(3),
  diagnostics: repeated(4, Diagnostic),
  deferred: message(6, Deferred),
  plannedIdentity: message(7, IdentityData),
});

export const ApplyResourceChangeRequest = defineMessage({
  typeName: string(1),
  priorState: message(2, DynamicValue),
  plannedState: message(3, DynamicValue),
  config: message(4, DynamicValue),
  plannedPrivate: bytes(5),
  plannedIdentity: message(7, IdentityData),
});
export const ApplyResourceChangeResponse = defineMessage({
  newState: message(1, DynamicValue),
  private: bytes(2),
  diagnostics: repeated(3, Diagnostic),
  newIdentity: message(5, IdentityData),
});

export const ImportResourceStateRequest = defineMessage({
  typeName: string(1),
  id: string(2),
  clientCapabilities: message(3, ClientCapabilities),
  identity: message(4, IdentityData),
});
const ImportedResource = defineMessage({
  typeName: string(1),
  state: message(2, DynamicValue),
  private: bytes(3),
  identity: message(4, IdentityData),
});
export const ImportResourceStateResponse = defineMessage({
  importedResources: repeated(1, ImportedResource),
  diagnostics: repeated(2, Diagnostic),
  deferred: message(3, Deferred),
});

export const MoveResourceStateRequest = defineMessage({
  sourceProviderAddress: string(1),
  sourceTypeName: string(2),
  sourceSchemaVersion: integer(3),
  sourceState: message(4, RawState),
  targetTypeName: string(5),
  sourcePrivate: bytes(6),
});
export const MoveResourceStateResponse = defineMessage({
  targetState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  targetPrivate: bytes(3),
  targetIdentity: message(4, IdentityData),
});
