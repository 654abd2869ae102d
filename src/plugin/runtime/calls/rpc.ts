import { Nonconformity } from "../cty/nonconformity";
import { diagnosticMessages, type Diagnostic } from "../diagnostics";
import { type CallContext, type Method } from "../grpc/method";
import { type ClientCapabilities, type DiagnosticDraft } from "../messages/common";
import { type Decoded, type MessageType } from "../protobuf/message";
import { type Call, type Provider } from "../provider";
import { type Schema } from "../schemas/schema";
import { CallValues } from "./call-values";
import { type Host } from "./host";

/** What a handler gives: the fields of the response, its findings as the author made them. */
export type Answer<Response> = Omit<Response, "diagnostics"> & {
  readonly diagnostics?: readonly Diagnostic[] | undefined;
};

/** What a handler works with. */
export interface At<Request, Definition> {
  readonly request: Request;
  readonly provider: Provider;
  readonly definition: Definition;
  readonly values: CallValues;
  readonly call: Call;
}

/** One call of the provider service, as far as it goes by a schema and answers with diagnostics. */
export interface Rpc<Request, Response, Definition extends { readonly schema: Schema }> {
  readonly request: MessageType<Request, never>;
  readonly response: MessageType<unknown, Response>;
  /** The part of the provider that the call is for; undefined where there is none such. */
  definition(provider: Provider, request: Request): Definition | undefined;
  handle(at: At<Request, Definition>): Promise<Answer<Response>>;
  /** What to answer besides the findings when the handler failed: what the client has, so that it loses nothing. */
  failed?(request: Request): Omit<Response, "diagnostics">;
}

/** Makes a method of a call: whatever its handler throws becomes a diagnostic. */
export function rpc<
  Request extends object,
  Response extends { readonly diagnostics?: readonly DiagnosticDraft[] | undefined },
  Definition extends { readonly schema: Schema },
>(call: Rpc<Request, Response, Definition>): (host: Host) => Method {
  return (host) => async (bytes: Uint8Array, context: CallContext) => {
    const request = call.request.decode(bytes);
    const provider = await host.provider();
    const definition = call.definition(provider, request);
    const answer = await attempt(call, request, provider, definition, {
      get signal() {
        return context.signal;
      },
      get isLost() {
        return context.isLost;
      },
      deferralAllowed: capabilitiesOf(request)?.deferralAllowed ?? false,
      log: host.log,
    });
    const diagnostics = diagnosticMessages(answer.diagnostics ?? [], definition?.schema);
    return call.response.encode({ ...answer, diagnostics } as unknown as Response);
  };
}

async function attempt<Request, Response, Definition extends { readonly schema: Schema }>(
  rpc: Rpc<Request, Response, Definition>,
  request: Request,
  provider: Provider,
  definition: Definition | undefined,
  call: Call,
): Promise<Answer<Response>> {
  try {
    if (definition === undefined) throw new Error("the provider has no such type");
    return await rpc.handle({ request, provider, definition, values: new CallValues(), call });
  } catch (error) {
    const kept = rpc.failed?.(request) ?? ({} as Omit<Response, "diagnostics">);
    return { ...kept, diagnostics: diagnose(error, provider, call) };
  }
}

/** What the client is capable of, where the request tells: not every kind does. */
function capabilitiesOf(request: object): Decoded<typeof ClientCapabilities> | undefined {
  return (request as { readonly clientCapabilities?: Decoded<typeof ClientCapabilities> }).clientCapabilities;
}

/** What an error means to the user. */
export function diagnose(error: unknown, provider: Provider, { log, signal }: Call): readonly Diagnostic[] {
  log.debug("a call failed", { error: error instanceof Error ? error.stack : String(error) });
  if (error instanceof Nonconformity) return [wrongShape(error)];
  const own = provider.diagnose?.(error);
  if (own !== undefined && own.length > 0) return own;
  const message = error instanceof Error ? error.message : String(error);
  if (signal.aborted) {
    const detail = `Terraform asked the provider to stop. What it was doing ended with: ${message}`;
    return [{ severity: "error", summary: "Interrupted", detail }];
  }
  return [
    { severity: "error", summary: message === "" ? "The provider failed without saying why" : message },
  ];
}

function wrongShape({ message, path }: Nonconformity): Diagnostic {
  return {
    severity: "error",
    summary: "The provider returned an invalid value",
    detail: `This is a bug in the provider, not in the configuration; please report it to its developers. In what it returned, ${message}.`,
    attribute: path,
  };
}

/** The entry of that name, and nothing that objects have by nature. */
export function own<T>(entries: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
}
