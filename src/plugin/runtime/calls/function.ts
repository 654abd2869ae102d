import { Nonconformity } from "../cty/nonconformity";
import { FunctionFailure } from "../function-failure";
import { type FunctionDefinition, type Parameter } from "../function";
import { method, type Method } from "../grpc/method";
import { CallFunctionRequest, CallFunctionResponse } from "../messages/function";
import { type Decoded, type Draft } from "../protobuf/message";
import { CallValues } from "./call-values";
import { type Host } from "./host";
import { own } from "./rpc";

type Response = Draft<typeof CallFunctionResponse>;

export const callFunction = (host: Host): Method =>
  method(CallFunctionRequest, CallFunctionResponse, async (request): Promise<Response> => {
    try {
      const definition = own((await host.provider()).functions, request.name);
      if (definition === undefined) throw new FunctionFailure("the provider has no such function");
      return await call(definition, request);
    } catch (error) {
      return { error: explain(error) };
    }
  });

async function call(
  definition: FunctionDefinition,
  request: Decoded<typeof CallFunctionRequest>,
): Promise<Response> {
  const values = new CallValues();
  const parameters = definition.parameters ?? [];
  const args = request.arguments.map((argument, index) => {
    const parameter = parameters[index] ?? definition.variadic;
    if (parameter === undefined) throw new FunctionFailure("too many arguments", index);
    return values.decode(argument, parameter.type, ["arguments", index]);
  });
  if (args.length < parameters.length) throw new FunctionFailure("too few arguments");
  const result = await definition.call(...args);
  return { result: values.encode(result, definition.returns, { unknowns: mayBeUnknown(definition) }) };
}

/** Only of unknown arguments can a pure function make an unknown result. */
function mayBeUnknown({ parameters = [], variadic }: FunctionDefinition): boolean {
  const allows = (parameter: Parameter | undefined): boolean => parameter?.allowUnknown ?? false;
  return parameters.some(allows) || allows(variadic);
}

function explain(error: unknown): { readonly text: string; readonly functionArgument?: number | undefined } {
  if (error instanceof FunctionFailure) return { text: error.message, functionArgument: error.argument };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Nonconformity)) return { text: message };
  return {
    text: `This is a bug in the provider; please report it to its developers. In what it returned, ${message}.`,
  };
}
