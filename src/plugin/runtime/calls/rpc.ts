/** Handles what all calls share: it reads the request, asks the provider, and writes the answer or the failure. */
import { isUnknown, type ObjectValue, type Path, type Value } from "../../../values";
import { decodeValue, parseExact, valueFromJson } from "../decode";
import { type EncodeOptions, encodeValue } from "../encode";
import { withoutWriteOnly } from "../faults";
import type { CallContext, Method } from "../grpc";
import type { Log } from "../log";
import {
  type ClientCapabilities,
  deferralReasons,
  type DiagnosticDraft,
  type DynamicValue,
} from "../messages";
import { Malformed } from "../msgpack";
import type { Decoded, Draft, MessageType } from "../protobuf";
import { type Call, type Deferral, type Diagnostic, diagnosticMessages, type Provider } from "../provider";
import { type Schema, typeOfBlock, withEmptyBlocks } from "../schema";
import { Nonconformity, WireDetails, type Type } from "../values";

/** A handler's result: the fields of the response, and the findings as the author made them. */
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
interface Rpc<Request, Response, Definition extends { readonly schema: Schema }> {
  readonly request: MessageType<Request, never>;
  readonly response: MessageType<unknown, Response>;
  /** The part of the provider that the call is for; undefined where there is none such. */
  definition(provider: Provider, request: Request): Definition | undefined;
  handle(at: At<Request, Definition>): Promise<Answer<Response>>;
  /** The answer besides the findings if the handler failed: the client's own data, so that it loses nothing. */
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

/** The client's capabilities, if the request names them. */
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

/** The entry of that name. Members that every object inherits do not count. */
export function own<T>(entries: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** A provider, or what makes one: loading it can wait until Terraform has been greeted. */
export type ProviderSource = Provider | (() => Provider | Promise<Provider>);

/** What all calls of this process share. */
export class Host {
  readonly log: Log;
  readonly #source: ProviderSource;
  #provider: Promise<Provider> | undefined;
  #stop = new AbortController();

  constructor(source: ProviderSource, log: Log) {
    this.#source = source;
    this.log = log;
  }

  /** The provider, loaded when it is first asked for. */
  provider(): Promise<Provider> {
    this.#provider ??= Promise.resolve(typeof this.#source === "function" ? this.#source() : this.#source);
    return this.#provider;
  }

  /** Aborted when the provider is to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts all calls, and those that are still to come. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await (await this.#provider)?.stop?.();
  }

  /** Takes calls again: a process that Terraform reattaches to outlives the run that it stopped. */
  resume(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }
}

/** The values of one call, in and out. They share their details, so that a value that is passed on unchanged arrives unchanged. */
export class CallValues {
  readonly #details = new WireDetails();

  /** A value of any type; an absent one is null. */
  decode(message: Decoded<typeof DynamicValue> | undefined, type: Type, path: Path = []): Value {
    if (message === undefined) return null;
    if (message.msgpack.length > 0) return decodeValue(message.msgpack, type, this.#details, path);
    if (message.json.length > 0) return this.fromJson(message.json, type);
    return null;
  }

  /** A configuration, plan or state. Of several in one call, decode last the one that is to be followed most closely. */
  decodeObject(message: Decoded<typeof DynamicValue> | undefined, schema: Schema): ObjectValue | null {
    const value = this.decode(message, typeOfBlock(schema));
    if (isUnknown(value)) throw new Malformed("an object as a whole is unknown");
    return value as ObjectValue | null;
  }

  /** JSON of no type. */
  parse(json: Uint8Array): Value {
    return parseExact(Buffer.from(json).toString(), this.#details);
  }

  fromJson(json: Uint8Array, type: Type): Value {
    return valueFromJson(this.parse(json), type, this.#details);
  }

  /** @throws Nonconformity */
  encode(value: Value, type: Type, options: EncodeOptions): Draft<typeof DynamicValue> {
    return { msgpack: encodeValue(value, type, this.#details, options) };
  }

  /**
   * Encodes a plan or state, without what is write-only.
   * @throws Nonconformity
   */
  encodeObject(
    value: ObjectValue | null,
    schema: Schema,
    options: EncodeOptions,
  ): Draft<typeof DynamicValue> {
    const clean = withoutWriteOnly(schema, withEmptyBlocks(schema, value));
    return this.encode(clean, typeOfBlock(schema), options);
  }
}

/** The deferral that a call returned, as the protocol sends it, or the error that the client doesn't take one. */
export function deferral(
  { deferred }: Deferral,
  call: Call,
): { readonly deferred?: { readonly reason: number }; readonly faults: readonly Diagnostic[] } {
  if (deferred === undefined) return { faults: [] };
  if (call.deferralAllowed) return { deferred: { reason: deferralReasons[deferred] }, faults: [] };
  const fault: Diagnostic = {
    severity: "error",
    summary: "Something is not known yet",
    detail: `The provider would put this off to a later run (${deferred}), but Terraform was not started in a way that allows it.`,
  };
  return { faults: [fault] };
}

/** The attributes and blocks at the root that the plan changes, judged by what core is going to compare. */
export function changedAttributes(
  schema: Schema,
  values: CallValues,
  prior: ObjectValue,
  planned: ObjectValue,
): readonly Path[] {
  const type = typeOfBlock(schema);
  if (typeof type === "string" || type[0] !== "object") return [];
  const bytes = (object: ObjectValue, name: string): string => {
    const member = withoutWriteOnly(schema, object)[name] ?? null;
    const { msgpack } = values.encode(member, type[1][name] ?? "dynamic", { unknowns: true });
    return Buffer.from(msgpack ?? []).toString("latin1");
  };
  return Object.keys(type[1])
    .filter((name) => bytes(prior, name) !== bytes(planned, name))
    .map((name) => [name]);
}
