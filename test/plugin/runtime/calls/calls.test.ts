import { providerService } from "../../../../src/plugin/runtime/calls";
import { Host, CallValues } from "../../../../src/plugin/runtime/calls/rpc";
import type { Identity, Provider, Schema } from "../../../../src/plugin/runtime";
import {
  DiagnosticsResponse,
  ReadDataSourceRequest,
  ReadDataSourceResponse,
  CallFunctionRequest,
  CallFunctionResponse,
  StopProviderResponse,
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  ImportResourceStateRequest,
  ImportResourceStateResponse,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
  ReadResourceRequest,
  ReadResourceResponse,
  UpgradeResourceIdentityRequest,
  UpgradeResourceIdentityResponse,
  UpgradeResourceStateRequest,
  UpgradeResourceStateResponse,
  ValidateResourceConfigRequest,
} from "../../../../src/plugin/runtime/messages";
import {
  GetFunctionsResponse,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
} from "../../../../src/plugin/runtime/schema-messages";
import { createLog } from "../../../../src/plugin/runtime/log";
import type { MessageType } from "../../../../src/plugin/runtime/protobuf";
import { decodeIdentity, encodeIdentity } from "../../../../src/plugin/runtime/calls/identity";
import type { ObjectValue } from "../../../../src/values";

const schema = {
  attributes: {
    name: { type: "string", optional: true },
    secret_wo: { type: "string", optional: true, writeOnly: true },
  },
} as const satisfies Schema;

const resource = {
  schema,
  read: ({ state }: { readonly state: ObjectValue }) => ({ state, deferred: "absent_prerequisite" as const }),
  create: ({ planned }: { readonly planned: ObjectValue }) => ({ state: planned }),
  delete: () => undefined,
};

let stopped = 0;
const provider: Provider = {
  schema: {},
  resources: { fixture_thing: resource },
  dataSources: {
    fixture_thing: { schema, read: () => ({ deferred: "provider_config_unknown" }) },
  },
  functions: {
    one: { parameters: [{ name: "a", type: "number" }], returns: "number", call: (a) => a ?? null },
  },
  stop: () => void stopped++,
  diagnose: (error) =>
    error instanceof RangeError
      ? [{ severity: "error", summary: "out of range", attribute: ["name"] }]
      : undefined,
};

async function ask<Request, Response>(
  method: string,
  requestType: MessageType<unknown, Request>,
  responseType: MessageType<Response, never>,
  request: Request,
  of: Provider = provider,
): Promise<Response> {
  const call = providerService(new Host(of, createLog("test", "off"))).get(`/tfplugin6.Provider/${method}`);
  if (call === undefined) throw new Error(`${method} is not implemented`);
  return responseType.decode(
    await call(requestType.encode(request), { signal: new AbortController().signal, isLost: false }),
  );
}

const object = (value: ObjectValue) =>
  new CallValues().encodeObject(value, { attributes: schema.attributes }, { unknowns: true });
const raw = (value: ObjectValue) =>
  new CallValues().encode(value, ["object", { name: "string", secret_wo: "string" }], { unknowns: true });
const Nothing = ReadResourceRequest;

test("a deferral is passed on to a client that takes it, and is an error for others", async () => {
  const request = { typeName: "fixture_thing", currentState: object({ name: "a", secret_wo: null }) };
  const taken = await ask("ReadResource", ReadResourceRequest, ReadResourceResponse, {
    ...request,
    clientCapabilities: { deferralAllowed: true },
  });
  expect(taken).toMatchObject({ deferred: { reason: 3 }, diagnostics: [] });
  const refused = await ask("ReadResource", ReadResourceRequest, ReadResourceResponse, request);
  expect(refused).toMatchObject({
    deferred: undefined,
    diagnostics: [{ severity: 1, summary: "Something is not known yet" }],
  });

  const data = { typeName: "fixture_thing", config: object({ name: "a", secret_wo: null }) };
  const deferred = await ask("ReadDataSource", ReadDataSourceRequest, ReadDataSourceResponse, {
    ...data,
    clientCapabilities: { deferralAllowed: true },
  });
  expect(deferred).toMatchObject({ deferred: { reason: 2 }, diagnostics: [] });
});

test("a write-only value is refused for a client that would store it", async () => {
  const request = { typeName: "fixture_thing", config: raw({ name: null, secret_wo: "canary" }) };
  const refused = await ask(
    "ValidateResourceConfig",
    ValidateResourceConfigRequest,
    DiagnosticsResponse,
    request,
  );
  expect(refused.diagnostics).toMatchObject([
    { severity: 1, attribute: { steps: [{ attributeName: "secret_wo" }] } },
  ]);
  const taken = await ask("ValidateResourceConfig", ValidateResourceConfigRequest, DiagnosticsResponse, {
    ...request,
    clientCapabilities: { writeOnlyAttributesAllowed: true },
  });
  expect(taken.diagnostics).toEqual([]);
});

test("a write-only value in core's proposal is in no plan and no author's sight, and private state is returned", async () => {
  let seen: ObjectValue | undefined;
  const plan = ({ proposed }: { readonly proposed: ObjectValue }) => {
    seen = proposed;
    return {};
  };
  const { plannedState, plannedPrivate } = await ask(
    "PlanResourceChange",
    PlanResourceChangeRequest,
    PlanResourceChangeResponse,
    {
      typeName: "fixture_thing",
      proposedNewState: raw({ name: "a", secret_wo: "canary" }),
      config: raw({ name: "a", secret_wo: "canary" }),
      priorPrivate: Buffer.from('{"a":1}'),
    },
    { ...provider, resources: { fixture_thing: { ...resource, plan } } },
  );
  expect(seen).toMatchObject({ name: "a", secret_wo: null });
  expect(Buffer.from(plannedState?.msgpack ?? []).toString()).not.toContain("canary");
  expect(Buffer.from(plannedPrivate).toString()).toBe('{"a":1}');
});

describe("private state that a resource says nothing of", () => {
  const held = Buffer.from('{"seal":9007199254740993}');
  const state = object({ name: "a", secret_wo: null });
  const typeName = "fixture_thing";
  const able: Provider = {
    ...provider,
    resources: { fixture_thing: { ...resource, read: ({ state: read }) => ({ state: read }) } },
  };

  test("stays as it is after a read", async () => {
    const request = { typeName, currentState: state, private: held };
    const read = await ask("ReadResource", ReadResourceRequest, ReadResourceResponse, request, able);
    expect(Buffer.from(read.private)).toEqual(held);
  });

  test("stays as it is after an apply", async () => {
    const request = { typeName, config: state, plannedState: state, plannedPrivate: held };
    const applied = await ask(
      "ApplyResourceChange",
      ApplyResourceChangeRequest,
      ApplyResourceChangeResponse,
      request,
      able,
    );
    expect(applied.diagnostics).toEqual([]);
    expect(Buffer.from(applied.private)).toEqual(held);
  });
});

test("stored state of this version comes back digit by digit", async () => {
  const numbers = { attributes: { number: { type: "number", optional: true } } } as const;
  const of: Provider = { ...provider, resources: { fixture_thing: { ...resource, schema: numbers } } };
  const { upgradedState } = await ask(
    "UpgradeResourceState",
    UpgradeResourceStateRequest,
    UpgradeResourceStateResponse,
    { typeName: "fixture_thing", rawState: { json: Buffer.from('{"number":9007199254740993}') } },
    of,
  );
  const exact = new CallValues().encodeObject({ number: 9007199254740993n }, numbers, { unknowns: false });
  expect(upgradedState?.msgpack).toEqual(Uint8Array.from(exact.msgpack ?? []));
});

test("a plan that fails leaves the client what it has", async () => {
  const plan = () => {
    throw new Error("out of order");
  };
  const of: Provider = { ...provider, resources: { fixture_thing: { ...resource, plan } } };
  const state = object({ name: "a", secret_wo: null });
  const held = Buffer.from('{"seal":1}');
  const { diagnostics, plannedState, plannedPrivate } = await ask(
    "PlanResourceChange",
    PlanResourceChangeRequest,
    PlanResourceChangeResponse,
    {
      typeName: "fixture_thing",
      priorState: state,
      proposedNewState: state,
      config: state,
      priorPrivate: held,
    },
    of,
  );
  expect(diagnostics).toMatchObject([{ severity: 1, summary: "out of order" }]);
  expect(Buffer.from(plannedState?.msgpack ?? [])).toEqual(state.msgpack);
  expect(Buffer.from(plannedPrivate)).toEqual(held);
});

test("an apply that fails leaves the client what it has", async () => {
  const update = () => {
    throw new Error("out of order");
  };
  const of: Provider = { ...provider, resources: { fixture_thing: { ...resource, update } } };
  const [before, after] = ["a", "b"].map((name) => object({ name, secret_wo: null }));
  const held = Buffer.from('{"seal":1}');
  const { diagnostics, newState, ...applied } = await ask(
    "ApplyResourceChange",
    ApplyResourceChangeRequest,
    ApplyResourceChangeResponse,
    {
      typeName: "fixture_thing",
      priorState: before,
      plannedState: after,
      config: after,
      plannedPrivate: held,
    },
    of,
  );
  expect(diagnostics).toMatchObject([{ severity: 1, summary: "out of order" }]);
  expect(Buffer.from(newState?.msgpack ?? [])).toEqual(before?.msgpack);
  expect(Buffer.from(applied.private)).toEqual(held);
});

test.each(["PlanResourceChange", "ReadResource", "ImportResourceState"])(
  "%s of a type that there is not is an error, not a failed call",
  async (method) => {
    const { diagnostics } = await ask(method, Nothing, DiagnosticsOf(method), { typeName: "constructor" });
    expect(diagnostics).toMatchObject([{ severity: 1, summary: "the provider has no such type" }]);
  },
);

function DiagnosticsOf(method: string): MessageType<{ readonly diagnostics: readonly unknown[] }, never> {
  if (method === "PlanResourceChange") return PlanResourceChangeResponse;
  return method === "ReadResource" ? ReadResourceResponse : ImportResourceStateResponse;
}

test("bytes that are no state are an error, and the client keeps what it has", async () => {
  const currentState = { msgpack: Buffer.from([0xc1]) };
  const { diagnostics, newState } = await ask("ReadResource", ReadResourceRequest, ReadResourceResponse, {
    typeName: "fixture_thing",
    currentState,
  });
  expect(diagnostics).toMatchObject([{ severity: 1 }]);
  expect(newState?.msgpack).toEqual(currentState.msgpack);
});

test("state in the old flat form is refused", async () => {
  const { diagnostics } = await ask(
    "UpgradeResourceState",
    UpgradeResourceStateRequest,
    UpgradeResourceStateResponse,
    {
      typeName: "fixture_thing",
      rawState: { flatmap: [{}] },
    },
  );
  expect(diagnostics).toMatchObject([{ summary: expect.stringContaining("0.11") as string }]);
});

test("state of a version without an upgrade is refused", async () => {
  const of: Provider = {
    ...provider,
    resources: { fixture_thing: { ...resource, schema: { ...schema, version: 2 } } },
  };
  const request = { typeName: "fixture_thing", version: 1, rawState: { json: Buffer.from('{"name":"a"}') } };
  const upgraded = await ask(
    "UpgradeResourceState",
    UpgradeResourceStateRequest,
    UpgradeResourceStateResponse,
    request,
    of,
  );
  expect(upgraded.diagnostics).toMatchObject([
    { summary: expect.stringContaining("there is no upgrade") as string },
  ]);
});

test("the provider may say itself what an error means", async () => {
  const read = () => {
    throw new RangeError("internal");
  };
  const of: Provider = { ...provider, resources: { fixture_thing: { ...resource, read } } };
  const request = { typeName: "fixture_thing", currentState: object({ name: "a", secret_wo: null }) };
  const { diagnostics } = await ask("ReadResource", ReadResourceRequest, ReadResourceResponse, request, of);
  expect(diagnostics).toMatchObject([
    { summary: "out of range", attribute: { steps: [{ attributeName: "name" }] } },
  ]);
});

test.each([
  ["too few arguments", []],
  ["too many arguments", [{ msgpack: Buffer.from([1]) }, { msgpack: Buffer.from([2]) }]],
])("a function that gets %s says so", async (message, args) => {
  const { error } = await ask("CallFunction", CallFunctionRequest, CallFunctionResponse, {
    name: "one",
    arguments: args,
  });
  expect(error?.text).toBe(message);
});

test("a function that there is not says so", async () => {
  const { error } = await ask("CallFunction", CallFunctionRequest, CallFunctionResponse, {
    name: "toString",
  });
  expect(error?.text).toBe("the provider has no such function");
});

describe("the capabilities to plan deletes and to move state", () => {
  const capabilities = async (of: Provider) =>
    (await ask("GetProviderSchema", Nothing, GetProviderSchemaResponse, {}, of)).serverCapabilities;

  test("are not advertised where no resource has them", async () => {
    expect(await capabilities(provider)).toEqual({
      planDestroy: false,
      getProviderSchemaOptional: true,
      moveResourceState: false,
    });
  });

  test("are advertised where a resource has them", async () => {
    const able = { ...resource, planDelete: () => undefined, move: () => undefined };
    expect(await capabilities({ ...provider, resources: { able } })).toMatchObject({
      planDestroy: true,
      moveResourceState: true,
    });
  });
});

test("metadata, functions and identities are answered", async () => {
  expect(await ask("GetMetadata", Nothing, GetMetadataResponse, {})).toMatchObject({
    resources: [{ typeName: "fixture_thing" }],
    dataSources: [{ typeName: "fixture_thing" }],
    functions: [{ name: "one" }],
    ephemeralResources: [],
  });
  expect([...(await ask("GetFunctions", Nothing, GetFunctionsResponse, {})).functions.keys()]).toEqual([
    "one",
  ]);
  const none = await ask("GetResourceIdentitySchemas", Nothing, GetResourceIdentitySchemasResponse, {});
  expect(none.diagnostics).toEqual([]);
  expect(none.identitySchemas.size).toBe(0);
});

test("a stop reaches the calls that run, and the provider", async () => {
  const host = new Host(provider, createLog("test", "off"));
  await host.provider();
  const { signal } = host;
  const stop = providerService(host).get("/tfplugin6.Provider/StopProvider");
  const response = await stop?.(Buffer.alloc(0), { signal, isLost: false });
  expect(StopProviderResponse.decode(response ?? Buffer.alloc(0)).error).toBe("");
  expect(signal.aborted).toBe(true);
  expect(host.signal.aborted).toBe(true);
  expect(stopped).toBe(1);
  host.resume();
  expect(host.signal.aborted).toBe(false);
});

describe("a resource with an identity", () => {
  const identity: Identity = {
    version: 1,
    attributes: {
      key: { type: "string", required: true, description: "Its **key**." },
      place: { type: "string" },
    },
    of: ({ name = null }) => ({ key: name, place: "here" }),
    idFor: ({ key }) => `thing ${key as string}`,
  };
  const identified = {
    ...resource,
    identity,
    read: () => ({}),
    import: (id: string) => ({ imported: [{ state: { name: id.slice("thing ".length) } }] }),
  };
  const of: Provider = {
    ...provider,
    resources: { fixture_thing: identified, fixture_plain: resource },
  };
  const values = new CallValues();
  const sent = (value: ObjectValue) => encodeIdentity(identity, values, value);
  const told = (message: Parameters<typeof decodeIdentity>[2]) => decodeIdentity(identity, values, message);

  const importing = (written: ObjectValue) =>
    ask(
      "ImportResourceState",
      ImportResourceStateRequest,
      ImportResourceStateResponse,
      { typeName: "fixture_thing", identity: sent(written) },
      of,
    );
  const upgrading = (version: number, typeName = "fixture_thing") =>
    ask(
      "UpgradeResourceIdentity",
      UpgradeResourceIdentityRequest,
      UpgradeResourceIdentityResponse,
      { typeName, version, rawIdentity: { json: Buffer.from('{"key":"a","place":"here"}') } },
      of,
    );

  test("tells which attributes an import needs; one without an identity is left out", async () => {
    const schemas = await ask(
      "GetResourceIdentitySchemas",
      Nothing,
      GetResourceIdentitySchemasResponse,
      {},
      of,
    );
    expect([...schemas.identitySchemas.keys()]).toEqual(["fixture_thing"]);
    expect(schemas.identitySchemas.get("fixture_thing")).toMatchObject({
      version: 1,
      identityAttributes: [
        { name: "key", requiredForImport: true, optionalForImport: false, description: "Its **key**." },
        { name: "place", requiredForImport: false, optionalForImport: true, description: "" },
      ],
    });
  });

  test("is imported by it, and has to be what was written", async () => {
    const found = await importing({ key: "a", place: null });
    expect(found.diagnostics).toEqual([]);
    expect(told(found.importedResources[0]?.identity)).toEqual({ key: "a", place: "here" });
    expect(await importing({ key: "a", place: "there" })).toMatchObject({
      diagnostics: [{ severity: 1, detail: expect.stringContaining('place "here"') as string }],
    });
  });

  test("keeps it where a read or a write tells nothing of the object", async () => {
    const state = object({ name: "a", secret_wo: null });
    const before = sent({ key: "a", place: "formerly" });
    const read = await ask(
      "ReadResource",
      ReadResourceRequest,
      ReadResourceResponse,
      { typeName: "fixture_thing", currentState: state, currentIdentity: before },
      of,
    );
    expect(told(read.newIdentity)).toEqual({ key: "a", place: "formerly" });
    const failed = await ask(
      "ApplyResourceChange",
      ApplyResourceChangeRequest,
      ApplyResourceChangeResponse,
      {
        typeName: "fixture_thing",
        priorState: state,
        plannedState: state,
        config: state,
        plannedIdentity: before,
      },
      of,
    );
    expect(failed.diagnostics).toHaveLength(1);
    expect(told(failed.newIdentity)).toEqual({ key: "a", place: "formerly" });
  });

  test("has none in the plan of a create, and its own once it is there", async () => {
    const config = object({ name: "a", secret_wo: null });
    const request = {
      typeName: "fixture_thing",
      priorState: { msgpack: Buffer.from([0xc0]) },
      config,
      proposedNewState: config,
      plannedState: config,
    };
    const planned = await ask(
      "PlanResourceChange",
      PlanResourceChangeRequest,
      PlanResourceChangeResponse,
      request,
      of,
    );
    expect(planned.diagnostics).toEqual([]);
    expect(planned.plannedIdentity).toBeUndefined();
    const made = await ask(
      "ApplyResourceChange",
      ApplyResourceChangeRequest,
      ApplyResourceChangeResponse,
      request,
      of,
    );
    expect(told(made.newIdentity)).toEqual({ key: "a", place: "here" });
  });

  test("has the stored one read again, and refuses one of another version", async () => {
    expect(told((await upgrading(1)).upgradedIdentity)).toEqual({ key: "a", place: "here" });
    for (const [version, type, said] of [
      [2, "fixture_thing", "newer version"],
      [0, "fixture_thing", "there is no upgrade"],
      [1, "fixture_plain", "has no identity"],
    ] as const) {
      expect((await upgrading(version, type)).diagnostics).toMatchObject([
        { summary: expect.stringContaining(said) as string },
      ]);
    }
  });
});
