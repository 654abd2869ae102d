/** Answers the calls about data sources, ephemeral resources and functions. */
import { type Method, method } from "../grpc";
import {
  CallFunctionRequest,
  CallFunctionResponse,
  CloseEphemeralResourceRequest,
  DiagnosticsResponse,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  ReadDataSourceRequest,
  ReadDataSourceResponse,
  RenewEphemeralResourceRequest,
  RenewEphemeralResourceResponse,
} from "../messages";
import type { Decoded, Draft } from "../protobuf";
import {
  decodePrivate,
  encodePrivate,
  type FunctionDefinition,
  FunctionFailure,
  hasErrors,
  type Parameter,
} from "../provider";
import { Nonconformity } from "../values";
import { CallValues, deferral, type Host, own, rpc } from "./rpc";

export const readDataSource = rpc({
  request: ReadDataSourceRequest,
  response: ReadDataSourceResponse,
  definition: (provider, { typeName }) => own(provider.dataSources, typeName),

  async handle({ request, definition, values, call }) {
    const config = values.decodeObject(request.config, definition.schema) ?? {};
    const result = await definition.read(config, call);
    const { deferred, faults } = deferral(result, call);
    const diagnostics = [...(result.diagnostics ?? []), ...faults];
    if (hasErrors(diagnostics) || deferred !== undefined)
      return { state: request.config, deferred, diagnostics };
    if (result.state === undefined) throw new Nonconformity([], "what was read", "missing");
    return { state: values.encodeObject(result.state, definition.schema, { unknowns: false }), diagnostics };
  },
});

export const openEphemeralResource = rpc({
  request: OpenEphemeralResourceRequest,
  response: OpenEphemeralResourceResponse,
  definition: (provider, { typeName }) => own(provider.ephemeralResources, typeName),
  async handle({ request, definition, values, call }) {
    const config = values.decodeObject(request.config, definition.schema) ?? {};
    const opened = await definition.open(config, call);
    const { deferred, faults } = deferral(opened, call);
    const diagnostics = [...(opened.diagnostics ?? []), ...faults];
    if (hasErrors(diagnostics) || deferred !== undefined)
      return { result: request.config, deferred, diagnostics };
    if (opened.result === undefined) throw new Nonconformity([], "the result", "missing");
    return {
      result: values.encodeObject(opened.result, definition.schema, { unknowns: false }),
      private: opened.private && encodePrivate(opened.private),
      renewAt: timestamp(opened.renewAt),
      diagnostics,
    };
  },
});

export const renewEphemeralResource = rpc({
  request: RenewEphemeralResourceRequest,
  response: RenewEphemeralResourceResponse,
  definition: (provider, { typeName }) => own(provider.ephemeralResources, typeName),
  failed: (request) => ({ private: request.private }),
  async handle({ request, definition, call }) {
    const renewed = (await definition.renew?.(decodePrivate(request.private), call)) ?? {};
    return {
      private: renewed.private === undefined ? request.private : encodePrivate(renewed.private),
      renewAt: timestamp(renewed.renewAt),
      diagnostics: renewed.diagnostics,
    };
  },
});

export const closeEphemeralResource = rpc({
  request: CloseEphemeralResourceRequest,
  response: DiagnosticsResponse,
  definition: (provider, { typeName }) => own(provider.ephemeralResources, typeName),
  handle: async ({ request, definition, call }) =>
    (await definition.close?.(decodePrivate(request.private), call)) ?? {},
});

function timestamp(at: Date | undefined): { readonly seconds: number; readonly nanos: number } | undefined {
  if (at === undefined) return undefined;
  const milliseconds = at.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}

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

/** A pure function can return an unknown result only for unknown arguments. */
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
