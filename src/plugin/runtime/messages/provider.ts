/** Messages of plugin protocol 6 for the provider as a whole. */
import { message, repeated } from "../protobuf/field";
import { defineMessage } from "../protobuf/message";
import { string } from "../protobuf/scalar";
import { ClientCapabilities, Diagnostic, DynamicValue } from "./common";

export const ValidateProviderConfigRequest = defineMessage({ config: message(1, DynamicValue) });
export const ValidateProviderConfigResponse = defineMessage({ diagnostics: repeated(2, Diagnostic) });

export const ConfigureProviderRequest = defineMessage({
  terraformVersion: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(3, ClientCapabilities),
});

export const StopProviderResponse = defineMessage({ error: string(1) });
