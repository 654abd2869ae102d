/** Answers the calls about data sources, ephemeral resources and functions. */
import type { Method } from "../grpc";
import { type FunctionDefinition, FunctionFailure, type Parameter } from "../provider";
import { Nonconformity } from "../values";
import {
  dataSourceFor,
  decodeMessage,
  decodeObjectMessage,
  encode,
  encodeObject,
  ephemeralFor,
  hasErrors,
  type Host,
  method,
  own,
  type RequestOf,
  type ResponseOf,
  rpc,
} from "./rpc";

export const readDataSource = rpc({
  name: "ReadDataSource",
  definition: dataSourceFor,

  async handle({ request, definition, call }) {
    const { schema } = definition;
    const { state, diagnostics = [] } = await definition.read(
      decodeObjectMessage(request.config, schema) ?? {},
      call,
    );
    if (hasErrors(diagnostics)) return { state: request.config, diagnostics };
    if (state === undefined) throw new Nonconformity([], "what was read", "missing");
    return { state: encodeObject(state, schema, { unknowns: false }), diagnostics };
  },
});

export const openEphemeralResource = rpc({
  name: "OpenEphemeralResource",
  definition: ephemeralFor,

  async handle({ request, definition, call }) {
    const { schema } = definition;
    const { result, diagnostics = [] } = await definition.open(
      decodeObjectMessage(request.config, schema) ?? {},
      call,
    );
    if (hasErrors(diagnostics)) return { result: request.config, diagnostics };
    if (result === undefined) throw new Nonconformity([], "the result", "missing");
    return { result: encodeObject(result, schema, { unknowns: false }), diagnostics };
  },
});

/** Terraform closes each one that it opened. There is nothing to end. */
export const closeEphemeralResource = (): Method => method("CloseEphemeralResource", () => ({}));

type Response = ResponseOf<"CallFunction">;

export const callFunction = (host: Host): Method =>
  method("CallFunction", async (request): Promise<Response> => {
    try {
      const definition = own((await host.provider()).functions, request.name);
      if (definition === undefined) throw new FunctionFailure("the provider has no such function");
      return await call(definition, request);
    } catch (error) {
      return { error: explainFailure(error) };
    }
  });

async function call(definition: FunctionDefinition, request: RequestOf<"CallFunction">): Promise<Response> {
  const parameters = definition.parameters ?? [];
  const args = request.arguments.map((argument, index) => {
    const parameter = parameters[index] ?? definition.variadic;
    if (parameter === undefined) throw new FunctionFailure("too many arguments", index);
    return decodeMessage(argument, parameter.type);
  });
  if (args.length < parameters.length) throw new FunctionFailure("too few arguments");
  const result = await definition.call(...args);
  return { result: encode(result, definition.returns, { unknowns: mayBeUnknown(definition) }) };
}

/** A pure function can return an unknown result only for unknown arguments. */
function mayBeUnknown({ parameters = [], variadic }: FunctionDefinition): boolean {
  const allows = (parameter: Parameter | undefined): boolean => parameter?.allowUnknown ?? false;
  return parameters.some(allows) || allows(variadic);
}

function explainFailure(error: unknown): {
  readonly text: string;
  readonly functionArgument?: number | undefined;
} {
  if (error instanceof FunctionFailure) return { text: error.message, functionArgument: error.argument };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Nonconformity)) return { text: message };
  return {
    text: `This is a bug in the provider; please report it to its developers. In its answer, ${message}.`,
  };
}
