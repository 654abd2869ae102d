/** Messages of plugin protocol 6 for ephemeral resources. */
import { message, repeated } from "../protobuf/field";
import { defineMessage } from "../protobuf/message";
import { integer, optionalBytes, string } from "../protobuf/scalar";
import { ClientCapabilities, Deferred, Diagnostic, DynamicValue } from "./common";

const Timestamp = defineMessage({ seconds: integer(1), nanos: integer(2) });

export const ValidateEphemeralResourceConfigRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
});

export const OpenEphemeralResourceRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(3, ClientCapabilities),
});
export const OpenEphemeralResourceResponse = defineMessage({
  diagnostics: repeated(1, Diagnostic),
  renewAt: message(2, Timestamp),
  result: message(3, DynamicValue),
  private: optionalBytes(4),
  deferred: message(5, Deferred),
});

export const RenewEphemeralResourceRequest = defineMessage({
  typeName: string(1),
  private: optionalBytes(2),
});
export const RenewEphemeralResourceResponse = defineMessage({
  diagnostics: repeated(1, Diagnostic),
  renewAt: message(2, Timestamp),
  private: optionalBytes(3),
});

export const CloseEphemeralResourceRequest = defineMessage({
  typeName: string(1),
  private: optionalBytes(2),
});
