/** Terraform's calls, answered by a small provider: covers src/lib/plugin-runtime/calls, src/lib/plugin-runtime/messages.ts and provider.ts, besides its own source. */
import { providerService } from "../../../../src/lib/plugin-runtime/calls";
import { encodeObject, Host } from "../../../../src/lib/plugin-runtime/calls/rpc";
import type { Identity, Provider } from "../../../../src/lib/plugin-runtime";
import { createLog } from "../../../../src/lib/plugin-runtime/log";
import { calls, type Calls, type Draft } from "../../../../src/lib/plugin-runtime/generated/tfplugin6";
import { decodeIdentity, encodeIdentity } from "../../../../src/lib/plugin-runtime/calls/import";
import { encodeValue } from "../../../../src/lib/plugin-runtime/values";
import type { ObjectValue } from "../../../../src/lib/values";
import { optional, schemaOf } from "../../../support/fixture-provider/schema";

const schema = schemaOf({
  name: { type: "string", ...optional },
  secret_wo: { type: "string", ...optional, write_only: true },
});

const resource = {
  schema,
  read: ({ state }: { readonly state: ObjectValue }) => ({ state }),
  create: ({ planned }: { readonly planned: ObjectValue }) => ({ state: planned }),
  delete: () => undefined,
};

let stopped = 0;
const provider: Provider = {
  schema: schemaOf({}),
  resources: { fixture_thing: resource },
  dataSources: { fixture_thing: { schema, read: (state) => ({ state }) } },
  functions: {
    one: { parameters: [{ name: "a", type: "number" }], returns: "number", call: (a) => a ?? null },
  },
  stop: () => void stopped++,
  diagnose: (error) =>
    error instanceof RangeError
      ? [{ severity: "error", summary: "out of range", attribute: ["name"] }]
      : undefined,
};

async function ask<Name extends keyof Calls>(
  name: Name,
  request: Draft<Calls[Name]["request"]>,
  of: Provider = provider,
): Promise<Calls[Name]["response"]> {
  const call = providerService(new Host(of, createLog("test", "off"))).get(`/tfplugin6.Provider/${name}`);
  if (call === undefined) throw new Error(`${name} is not implemented`);
  const messages = calls[name];
  const answer = await call(messages.request.encode(request).finish(), {
    signal: new AbortController().signal,
    isLost: false,
  });
  return messages.response.decode(answer as Uint8Array);
}

const object = (value: ObjectValue) => encodeObject(value, schema, { unknowns: true });
/** As core sends it: with what is write-only. */
const raw = (value: ObjectValue) => ({
  msgpack: encodeValue(value, ["object", { name: "string", secret_wo: "string" }], { unknowns: true }),
});

test("a write-only value is refused for a client that would store it", async () => {
  const request = { typeName: "fixture_thing", config: raw({ name: null, secret_wo: "canary" }) };
  const refused = await ask("ValidateResourceConfig", request);
  expect(refused.diagnostics).toMatchObject([
    { severity: 1, attribute: { steps: [{ attributeName: "secret_wo" }] } },
  ]);
  const taken = await ask("ValidateResourceConfig", {
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

  test("stays as it is after a read", async () => {
    const request = { typeName, currentState: state, private: held };
    const read = await ask("ReadResource", request);
    expect(Buffer.from(read.private)).toEqual(held);
  });

  test("stays as it is after an apply", async () => {
    const request = { typeName, config: state, plannedState: state, plannedPrivate: held };
    const applied = await ask("ApplyResourceChange", request);
    expect(applied.diagnostics).toEqual([]);
    expect(Buffer.from(applied.private)).toEqual(held);
  });
});

test("stored state of this version comes back digit by digit", async () => {
  const numbers = schemaOf({ number: { type: "number", ...optional } });
  const of: Provider = { ...provider, resources: { fixture_thing: { ...resource, schema: numbers } } };
  const { upgradedState } = await ask(
    "UpgradeResourceState",
    { typeName: "fixture_thing", rawState: { json: Buffer.from('{"number":9007199254740993}') } },
    of,
  );
  const exact = encodeObject({ number: 9007199254740993n }, numbers, { unknowns: false });
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

test.each(["PlanResourceChange", "ReadResource", "ImportResourceState"] as const)(
  "%s of a type that does not exist is an error, not a failed call",
  async (method) => {
    const { diagnostics } = await ask(method, { typeName: "constructor" });
    expect(diagnostics).toMatchObject([{ severity: 1, summary: "the provider has no such type" }]);
  },
);

test("bytes that are no state are an error, and the client keeps what it has", async () => {
  const currentState = { msgpack: Buffer.from([0xc1]) };
  const { diagnostics, newState } = await ask("ReadResource", {
    typeName: "fixture_thing",
    currentState,
  });
  expect(diagnostics).toMatchObject([{ severity: 1 }]);
  expect(newState?.msgpack).toEqual(currentState.msgpack);
});

test.each([
  ["of another version", 1, '{"name":"a"}'],
  ["in a form that Terraform 0.12 gave up", 2, ""],
])("state %s is refused", async (_what, version, json) => {
  const of: Provider = {
    ...provider,
    resources: { fixture_thing: { ...resource, schema: { ...schema, version: 2 } } },
  };
  const request = { typeName: "fixture_thing", version, rawState: { json: Buffer.from(json) } };
  const upgraded = await ask("UpgradeResourceState", request, of);
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
  const { diagnostics } = await ask("ReadResource", request, of);
  expect(diagnostics).toMatchObject([
    { summary: "out of range", attribute: { steps: [{ attributeName: "name" }] } },
  ]);
});

test.each([
  ["too few arguments", []],
  ["too many arguments", [{ msgpack: Buffer.from([1]) }, { msgpack: Buffer.from([2]) }]],
])("a function that gets %s says so", async (message, args) => {
  const { error } = await ask("CallFunction", {
    name: "one",
    arguments: args,
  });
  expect(error?.text).toBe(message);
});

test("a call of a function that does not exist says so", async () => {
  const { error } = await ask("CallFunction", {
    name: "toString",
  });
  expect(error?.text).toBe("the provider has no such function");
});

test("the schema, functions and identities are answered", async () => {
  const all = await ask("GetProviderSchema", {});
  expect(all.serverCapabilities).toEqual({ planDestroy: true, getProviderSchemaOptional: true });
  expect(all.resourceSchemas["fixture_thing"]?.block?.attributes).toMatchObject([
    { name: "name", type: Buffer.from('"string"'), optional: true, writeOnly: false },
    { name: "secret_wo", optional: true, writeOnly: true },
  ]);
  expect(Object.keys((await ask("GetFunctions", {})).functions)).toEqual(["one"]);
  const none = await ask("GetResourceIdentitySchemas", {});
  expect(none.identitySchemas).toEqual({});
});

test("a diagnostic points at the attribute at the root or at the key of a map, and tells the rest of the path in words", async () => {
  const diagnosed = async (attribute: readonly (string | number)[]) => {
    const read = () => ({ diagnostics: [{ severity: "warning" as const, summary: "odd", attribute }] });
    const schema = schemaOf({
      name: { type: "string", ...optional },
      rights: { type: ["map", "bool"], ...optional },
    });
    const of: Provider = { ...provider, resources: { fixture_thing: { ...resource, schema, read } } };
    const currentState = encodeObject({ name: "a", rights: null }, schema, { unknowns: true });
    const request = { typeName: "fixture_thing", currentState };
    return (await ask("ReadResource", request, of)).diagnostics[0];
  };
  const steps = [{ attributeName: "name" }];
  expect(await diagnosed([])).toMatchObject({ severity: 2, detail: "", attribute: null });
  expect(await diagnosed(["name"])).toMatchObject({ detail: "", attribute: { steps } });
  expect(await diagnosed(["name", 0, "part"])).toMatchObject({
    detail: "At name[0].part.",
    attribute: { steps },
  });
  expect(await diagnosed(["constructor"])).toMatchObject({ detail: "At constructor.", attribute: null });
  expect(await diagnosed(["rights", "vss.use"])).toMatchObject({
    detail: "",
    attribute: { steps: [{ attributeName: "rights" }, { elementKeyString: "vss.use" }] },
  });
  expect(await diagnosed(["rights", "vss.use", "scope"])).toMatchObject({
    detail: 'At rights["vss.use"].scope.',
  });
});

test("a stop reaches the calls that run, and the provider", async () => {
  const host = new Host(provider, createLog("test", "off"));
  await host.provider();
  const { signal } = host;
  const stop = providerService(host).get("/tfplugin6.Provider/StopProvider");
  const response = await stop?.(Buffer.alloc(0), { signal, isLost: false });
  expect(calls.StopProvider.response.decode(response as Uint8Array).Error).toBe("");
  expect(signal.aborted).toBe(true);
  expect(host.signal.aborted).toBe(true);
  expect(stopped).toBe(1);
  host.resume();
  expect(host.signal.aborted).toBe(false);
});

describe("a resource with an identity", () => {
  const identity: Identity = {
    attributes: {
      key: { type: "string", description: "Its **key**." },
      place: { type: "string", description: "Where it is." },
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
  const sent = (value: ObjectValue) => encodeIdentity(identity, value);
  const told = (message: Parameters<typeof decodeIdentity>[1]) => decodeIdentity(identity, message);

  const importing = (written: ObjectValue) =>
    ask("ImportResourceState", { typeName: "fixture_thing", identity: sent(written) }, of);

  test("tells its attributes, of which an import may leave out any; a resource without an identity is left out", async () => {
    const schemas = await ask("GetResourceIdentitySchemas", {}, of);
    expect(Object.keys(schemas.identitySchemas)).toEqual(["fixture_thing"]);
    expect(schemas.identitySchemas["fixture_thing"]).toMatchObject({
      identityAttributes: [
        { name: "key", optionalForImport: true, description: "Its **key**." },
        { name: "place", optionalForImport: true },
      ],
    });
  });

  test("is imported by it, and has to be what was written", async () => {
    const found = await importing({ key: "a", place: null });
    expect(found.diagnostics).toEqual([]);
    expect(told(found.importedResources[0]?.identity ?? null)).toEqual({ key: "a", place: "here" });
    expect(await importing({ key: "a", place: "there" })).toMatchObject({
      diagnostics: [{ severity: 1, detail: expect.stringContaining('place "here"') as string }],
    });
  });

  test("keeps it where a read or a write tells nothing of the object", async () => {
    const state = object({ name: "a", secret_wo: null });
    const before = sent({ key: "a", place: "formerly" });
    const read = await ask(
      "ReadResource",
      { typeName: "fixture_thing", currentState: state, currentIdentity: before },
      of,
    );
    expect(told(read.newIdentity)).toEqual({ key: "a", place: "formerly" });
    const failed = await ask(
      "ApplyResourceChange",
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
    const planned = await ask("PlanResourceChange", request, of);
    expect(planned.diagnostics).toEqual([]);
    expect(planned.plannedIdentity).toBeNull();
    const made = await ask("ApplyResourceChange", request, of);
    expect(told(made.newIdentity)).toEqual({ key: "a", place: "here" });
  });
});
