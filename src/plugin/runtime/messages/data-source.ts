/** Messages of plugin protocol 6 for data sources. */
import { message, repeated } from "../protobuf/field";
import { defineMessage } from "../protobuf/message";
import { string } from "../protobuf/scalar";
import { ClientCapabilities, Deferred, Diagnostic, DynamicValue } from "./common";

export const ValidateDataResourceConfigRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
});

export const ReadDataSourceRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(4, ClientCapabilities),
});
export const ReadDataSourceResponse = defineMessage({
  state: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  deferred: message(3, Deferred),
});
