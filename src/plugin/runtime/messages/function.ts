/** Messages of plugin protocol 6 for functions. */
import { message, repeated } from "../protobuf/field";
import { defineMessage } from "../protobuf/message";
import { optionalInteger, string } from "../protobuf/scalar";
import { DynamicValue } from "./common";

export const CallFunctionRequest = defineMessage({ name: string(1), arguments: repeated(2, DynamicValue) });

const FunctionError = defineMessage({ text: string(1), functionArgument: optionalInteger(2) });

export const CallFunctionResponse = defineMessage({
  result: message(1, DynamicValue),
  error: message(2, FunctionError),
});
