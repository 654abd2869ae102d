/** A provider as another gRPC client calls it, over its socket. */
import { promisify } from "node:util";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { decode, encode, ExtData } from "@msgpack/msgpack";
import type { TerraformSchema } from "../../../src/lib/values";
import type { Provider } from "../../../src/lib/plugin-runtime";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { nullProvider } from "../../support/null-provider/provider";
import { calls, type Calls, type Draft } from "../../../src/lib/plugin-runtime/generated/tfplugin6";

const ADDRESS = "registry.terraform.io/hashicorp/null";

let attached: AttachedProvider;
let client: Client;

async function connect(provider: Provider): Promise<void> {
  attached = await attachProvider(provider);
  const { Addr } = (JSON.parse(attached.reattach(ADDRESS)) as Record<string, { Addr: { String: string } }>)[
    ADDRESS
  ]!;
  client = new Client(`unix:${Addr.String}`, credentials.createInsecure());
}

const thingSchema: TerraformSchema = {
  version: 0,
  block: { attributes: { name: { type: "string", optional: true, computed: true } } },
};
let listed = 0;

/** Lists as many objects as the configuration says; the thirteenth cannot be read. */
const listing: Provider = {
  schema: { version: 0, block: { attributes: {} } },
  resources: {
    fixture_thing: {
      schema: thingSchema,
      identity: {
        attributes: { name: { type: "string", description: "Its name." } },
        of: ({ name: key = null }) => ({ name: key }),
        idFor: ({ name: key }) => key as string,
      },
      read: () => ({}),
      create: ({ planned }) => ({ state: planned }),
      delete: () => undefined,
    },
  },
  listResources: {
    fixture_thing: {
      schema: { version: 0, block: { attributes: { count: { type: "number", required: true } } } },
      validate: ({ count }) =>
        Number(count) < 0
          ? { diagnostics: [{ severity: "error", summary: "too few", attribute: ["count"] }] }
          : {},
      *list({ count }) {
        for (let index = 0; index < Number(count); index++) {
          if (index === 13) throw new Error("the list broke off");
          listed += 1;
          yield { displayName: `thing ${index}`, state: { name: `${index} ${"x".repeat(50_000)}` } };
        }
      },
    },
  },
};

afterEach(async () => {
  client.close();
  await attached.close();
});

/** Calls a method of the provider service. */
async function call<Name extends keyof Calls>(
  name: Name,
  request: Draft<Calls[Name]["request"]>,
): Promise<Calls[Name]["response"]> {
  const messages = calls[name];
  const asked = promisify((done: (error: ServiceError | null, response?: Calls[Name]["response"]) => void) =>
    client.makeUnaryRequest(
      `/tfplugin6.Provider/${name}`,
      (message: typeof request) => Buffer.from(messages.request.encode(message).finish()),
      (bytes) => messages.response.decode(bytes),
      request,
      done,
    ),
  );
  return (await asked()) as Calls[Name]["response"];
}

type ListEvent = Calls["ListResource"]["response"];

/** @param enough closes the stream after that many events */
async function list(
  request: Draft<Calls["ListResource"]["request"]>,
  enough = Infinity,
): Promise<readonly ListEvent[]> {
  const messages = calls.ListResource;
  const stream = client.makeServerStreamRequest(
    "/tfplugin6.Provider/ListResource",
    (message: typeof request) => Buffer.from(messages.request.encode(message).finish()),
    (bytes) => messages.response.decode(bytes),
    { typeName: "fixture_thing", ...request },
  );
  stream.on("error", () => undefined);
  const events: ListEvent[] = [];
  for await (const event of stream) {
    events.push(event as ListEvent);
    if (events.length === enough) break;
  }
  stream.cancel();
  return events;
}

const dynamic = (value: unknown) => ({ msgpack: Buffer.from(encode(value)) });
const valueOf = (message: unknown) => decode((message as { readonly msgpack: Uint8Array }).msgpack);

test("tells its schema, plans and creates an object", async () => {
  await connect(nullProvider);
  const { resourceSchemas: schemas } = await call("GetProviderSchema", {});
  expect(schemas).toMatchObject({
    null_resource: {
      block: {
        attributes: [
          { name: "id", computed: true },
          { name: "triggers", optional: true },
        ],
      },
    },
  });

  const config = dynamic({ id: null, triggers: { a: "1" } });
  const request = { typeName: "null_resource", priorState: dynamic(null), config };
  const planned = await call("PlanResourceChange", { ...request, proposedNewState: config });
  expect(valueOf(planned.plannedState)).toEqual({
    id: new ExtData(0, new Uint8Array(1)),
    triggers: { a: "1" },
  });

  const made = await call("ApplyResourceChange", { ...request, plannedState: planned.plannedState });
  expect(valueOf(made.newState)).toEqual({
    id: expect.stringMatching(/^\d+$/) as string,
    triggers: { a: "1" },
  });
});

test("takes and gives more than one frame of HTTP/2", async () => {
  await connect(nullProvider);
  const triggers = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`key ${index}`, "x".repeat(200)]),
  );
  const state = dynamic({ id: "1", triggers });
  const { newState } = await call("ReadResource", { typeName: "null_resource", currentState: state });
  expect(valueOf(newState)).toEqual({ id: "1", triggers });
});

describe("a list", () => {
  beforeEach(async () => {
    listed = 0;
    await connect(listing);
  });

  test("is a stream of identities, with the objects where they are asked for", async () => {
    const config = dynamic({ count: 3 });
    const events = await list({ config, limit: 100, includeResourceObject: true });
    expect(events.map((event) => event.displayName)).toEqual(["thing 0", "thing 1", "thing 2"]);
    const [first] = events;
    expect(valueOf(first?.identity?.identityData)).toEqual(valueOf(first?.resourceObject));
    for (const event of await list({ config, limit: 100 })) expect(event.resourceObject).toBeFalsy();
    expect(await list({ config: dynamic({ count: 0 }), limit: 100 })).toEqual([]);
  });

  test("ends with the limit, and nothing more is looked for", async () => {
    expect(await list({ config: dynamic({ count: 12 }), limit: 5 })).toHaveLength(5);
    expect(listed).toBe(5);
  });

  test("breaks off with a diagnostic, after the objects that it found", async () => {
    const events = await list({ config: dynamic({ count: 20 }), limit: 100 });
    expect(events).toHaveLength(14);
    expect(events.at(-1)).toMatchObject({ diagnostic: [{ summary: "the list broke off" }] });
    expect(events.at(-1)?.identity).toBeFalsy();
  });

  test("is left in the middle by a client that has enough", async () => {
    expect(await list({ config: dynamic({ count: 12 }), limit: 100 }, 2)).toHaveLength(2);
    expect(await list({ config: dynamic({ count: 1 }), limit: 100 })).toHaveLength(1);
  });

  test("has a schema, a configuration that is validated, and is nothing where the type is unknown", async () => {
    const { listResourceSchemas: schemas } = await call("GetProviderSchema", {});
    expect(schemas).toMatchObject({ fixture_thing: { block: { attributes: [{ name: "count" }] } } });
    const request = { typeName: "fixture_thing", config: dynamic({ count: -1 }) };
    expect(await call("ValidateListResourceConfig", request)).toMatchObject({
      diagnostics: [{ summary: "too few" }],
    });
    const [event] = await list({ typeName: "fixture_other", config: dynamic({}), limit: 1 });
    expect(event).toMatchObject({ diagnostic: [{ summary: "the provider has no such list resource" }] });
  });
});
