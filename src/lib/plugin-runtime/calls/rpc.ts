/** Handles the common part of all calls: it reads the request, asks the provider, and writes the answer or the failure. */
import {
  formatPath,
  isObject,
  isUnknown,
  type ObjectValue,
  parseJson,
  type Path,
  stringifyJson,
  type TerraformSchema,
  type TerraformType,
  type Value,
} from "../../values";
import { calls, type Calls, type Draft, type Messages } from "../generated/tfplugin6";
import type { CallContext, Method } from "../grpc";
import type { Log } from "../log";
import { severities } from "../messages";
import type { Call, Diagnostic, PrivateState, Provider } from "../provider";
import { schemaType, withoutWriteOnly } from "../schema";
import {
  decodeValue,
  type EncodeOptions,
  encodeValue,
  Malformed,
  Nonconformity,
  valueOfType,
} from "../values";

type CallName = keyof Calls;
export type RequestOf<Name extends CallName> = Calls[Name]["request"];
export type ResponseOf<Name extends CallName> = Draft<Calls[Name]["response"]>;

/** Makes a method of a handler. */
export function method<Name extends CallName>(
  name: Name,
  handle: (request: RequestOf<Name>) => Promise<ResponseOf<Name>> | ResponseOf<Name>,
): Method {
  const { request, response } = calls[name];
  return async (bytes) => response.encode(await handle(request.decode(bytes))).finish();
}

/** A handler's result: the fields of the response, and the findings as the author made them. */
export type Answer<Name extends CallName> = Omit<ResponseOf<Name>, "diagnostics"> & {
  readonly diagnostics?: readonly Diagnostic[] | undefined;
};

/** A call, as a handler gets it. */
export interface At<Request, Definition> {
  readonly request: Request;
  readonly provider: Provider;
  readonly definition: Definition;
  readonly call: Call;
}

/** One call of the provider service, as far as it goes by a schema and answers with diagnostics. */
interface Rpc<Name extends CallName, Definition extends { readonly schema: TerraformSchema }> {
  readonly name: Name;
  /** The part of the provider that the call is for; undefined if there is none such. */
  definition(provider: Provider, request: RequestOf<Name>): Definition | undefined;
  handle(at: At<RequestOf<Name>, Definition>): Promise<Answer<Name>>;
  /** The answer's content if the handler failed: the client's own data, so that it loses nothing. The findings are added. */
  failed?(request: RequestOf<Name>): Answer<Name>;
}

/** Makes a method of a call: any error of its handler becomes a diagnostic. */
export function rpc<Name extends CallName, Definition extends { readonly schema: TerraformSchema }>(
  rpc: Rpc<Name, Definition>,
): (host: Host) => Method {
  const messages = calls[rpc.name];
  return (host) => async (bytes: Uint8Array, context: CallContext) => {
    const request = messages.request.decode(bytes);
    const provider = await host.provider();
    const definition = rpc.definition(provider, request);
    const call = callOf(host, context);
    const answer = await answerCall(rpc, request, provider, definition, call);
    const diagnostics = (answer.diagnostics ?? []).map((one) => diagnosticMessage(one, definition?.schema));
    return messages.response.encode({ ...answer, diagnostics } as unknown as ResponseOf<Name>).finish();
  };
}

/** Circumstances of a call. The signal is made when it is first asked for. */
export function callOf({ log }: Host, context: CallContext): Call {
  return {
    get signal() {
      return context.signal;
    },
    get isLost() {
      return context.isLost;
    },
    log,
  };
}

async function answerCall<Name extends CallName, Definition extends { readonly schema: TerraformSchema }>(
  rpc: Rpc<Name, Definition>,
  request: RequestOf<Name>,
  provider: Provider,
  definition: Definition | undefined,
  call: Call,
): Promise<Answer<Name>> {
  try {
    if (definition === undefined) throw new Error("the provider has no such type");
    return await rpc.handle({ request, provider, definition, call });
  } catch (error) {
    const clientData = rpc.failed?.(request) ?? ({} as Answer<Name>);
    return { ...clientData, diagnostics: diagnosticsOfError(error, provider, call) };
  }
}

interface OfType {
  readonly typeName: string;
}

export const resourceFor = ({ resources }: Provider, { typeName }: OfType) => own(resources, typeName);
export const dataSourceFor = ({ dataSources }: Provider, { typeName }: OfType) => own(dataSources, typeName);
export const ephemeralFor = ({ ephemeralResources }: Provider, { typeName }: OfType) =>
  own(ephemeralResources, typeName);

export const listResourceFor = ({ listResources }: Provider, { typeName }: OfType) =>
  own(listResources, typeName);

/** The entry of that name. Members that every object inherits do not count. */
export function own<T>(entries: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
}

// Diagnostics.

/** The diagnostics of an error that a handler threw. */
export function diagnosticsOfError(
  error: unknown,
  provider: Provider,
  { log, signal }: Call,
): readonly Diagnostic[] {
  log.debug("a call failed", { error: error instanceof Error ? error.stack : String(error) });
  if (error instanceof Nonconformity) return [wrongShape(error)];
  const own = provider.diagnose?.(error);
  if (own !== undefined && own.length > 0) return own;
  const message = error instanceof Error ? error.message : String(error);
  if (signal.aborted) {
    const detail = `Terraform asked the provider to stop. The call ended with: ${message}`;
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
    detail: `This is a bug in the provider, not in the configuration; please report it to its developers. In its answer, ${message}.`,
    attribute: path,
  };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** A diagnostic as the protocol sends it. If the path leads further than Terraform follows it, the detail holds the whole path. */
export function diagnosticMessage(
  { severity, summary, detail = "", attribute = [] }: Diagnostic,
  schema: TerraformSchema | undefined,
): Draft<Messages["Diagnostic"]> {
  const pathInSource = schema && sourcePath(schema, attribute);
  const place = pathInSource?.steps?.length === attribute.length ? [] : attribute;
  const placeText = place.length === 0 ? [] : [`At ${formatPath(place)}.`];
  return {
    severity: severities[severity],
    // A text that was cut within a character would break the whole answer.
    summary: summary.toWellFormed(),
    detail: [...(detail === "" ? [] : [detail]), ...placeText].join("\n\n").toWellFormed(),
    attribute: pathInSource,
  };
}

/**
 * The part of a path that Terraform finds in the source: an attribute, and the key where the attribute is a map. With other steps Terraform
 * would point at the whole block.
 */
function sourcePath(
  schema: TerraformSchema,
  [name = "", key]: Path,
): Draft<Messages["AttributePath"]> | undefined {
  const root = attributePathMessage(schema, [name]);
  const type = schema.block.attributes[name]?.type;
  const isKey = typeof key === "string" && Array.isArray(type) && type[0] === "map";
  return isKey && root !== undefined ? { steps: [...(root.steps ?? []), { elementKeyString: key }] } : root;
}

/** The root attribute of a path; undefined if the schema has no such attribute. */
export function attributePathMessage(
  { block }: TerraformSchema,
  [name = ""]: Path,
): Draft<Messages["AttributePath"]> | undefined {
  if (typeof name !== "string" || !Object.hasOwn(block.attributes, name)) return undefined;
  return { steps: [{ attributeName: name }] };
}

// Values.

type DynamicValue = Messages["DynamicValue"];

/** A value of any type; an absent one is null. */
export function decodeMessage(message: DynamicValue | null, type: TerraformType): Value {
  if (message === null) return null;
  if (message.msgpack.length > 0) return decodeValue(message.msgpack, type);
  return message.json.length > 0 ? decodeJson(message.json, type) : null;
}

/** A configuration, plan or state. */
export function decodeObjectMessage(
  message: DynamicValue | null,
  schema: TerraformSchema,
): ObjectValue | null {
  const value = decodeMessage(message, schemaType(schema));
  if (isUnknown(value)) throw new Malformed("an object as a whole is unknown");
  return value as ObjectValue | null;
}

/** A value in the form in which it is stored. */
export function decodeJson(json: Uint8Array, type: TerraformType): Value {
  return valueOfType(parseJson(Buffer.from(json).toString()), type);
}

/** @throws Nonconformity */
export function encode(value: Value, type: TerraformType, options: EncodeOptions): Draft<DynamicValue> {
  return { msgpack: encodeValue(value, type, options) };
}

/**
 * Encodes a plan or state, without write-only attributes.
 * @throws Nonconformity
 */
export function encodeObject(
  value: ObjectValue | null,
  schema: TerraformSchema,
  options: EncodeOptions,
): Draft<DynamicValue> {
  return encode(withoutWriteOnly(schema, value), schemaType(schema), options);
}

/** Reads private state. Private state of a provider on another runtime counts as none. */
export function decodePrivate(bytes: Uint8Array): PrivateState {
  if (bytes.length === 0) return {};
  try {
    const value = parseJson(Buffer.from(bytes).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Writes private state; an empty one is no bytes at all. */
export function encodePrivate(state: PrivateState): Uint8Array {
  return Buffer.from(Object.keys(state).length === 0 ? "" : stringifyJson(state));
}

// The process.

/** A provider, or a function that loads it: loading can wait until Terraform has been greeted. */
export type ProviderSource = Provider | (() => Provider | Promise<Provider>);

/** The provider of this process, and its log. All calls share them. */
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

  /** Aborts all running calls, and all later calls. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await (await this.#provider)?.stop?.();
  }

  /** Takes calls again: a process that Terraform reattaches to outlives the run that it stopped. */
  resume(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }
}
