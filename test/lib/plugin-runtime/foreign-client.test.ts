/** A provider as another gRPC client calls it, with the published messages and another MessagePack library. */
import { promisify } from "node:util";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { decode, encode, ExtData } from "@msgpack/msgpack";
import { attachProvider, type AttachedProvider, type Provider } from "../../../src/lib/plugin-runtime";
import { nullProvider } from "../../support/null-provider/provider";
import { publishedMessage } from "../../support/published-protocol";

const ADDRESS = "registry.terraform.io/hashicorp/null";

let attached: AttachedProvider;
let client: Client;

/** Takes longer than a client waits. */
const slow: Provider = {
  schema: { version: 0, block: { attributes: {} } },
  functions: {
    wait: { returns: "string", call: () => new Promise((resolve) => setTimeout(() => resolve("done"), 500)) },
  },
};

async function connect(provider: Provider): Promise<void> {
  attached = await attachProvider(provider);
  const { Addr } = (JSON.parse(attached.reattach(ADDRESS)) as Record<string, { Addr: { String: string } }>)[
    ADDRESS
  ]!;
  client = new Client(`unix:${Addr.String}`, credentials.createInsecure());
}

afterEach(async () => {
  client.close();
  await attached.close();
});

/** Calls a method of the provider service. */
async function call(
  name: string,
  request: object,
  deadline?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const [requestType, responseType] = [publishedMessage(`${name}.Request`), publishedMessage(`${name}.Response`)];
  const asked = promisify((done: (error: ServiceError | null, response?: object) => void) =>
    client.makeUnaryRequest(
      `/tfplugin6.Provider/${name}`,
      (message: object) => Buffer.from(requestType.encode(requestType.fromObject(message)).finish()),
      (bytes) => responseType.toObject(responseType.decode(bytes), { longs: Number }),
      request,
      deadline === undefined ? {} : { deadline },
      done,
    ),
  );
  return (await asked()) as Readonly<Record<string, unknown>>;
}

const dynamic = (value: unknown) => ({ msgpack: Buffer.from(encode(value)) });
const valueOf = (message: unknown) => decode((message as { readonly msgpack: Uint8Array }).msgpack);

test("tells its schema, plans and creates an object", async () => {
  await connect(nullProvider);
  const { resource_schemas: schemas } = await call("GetProviderSchema", {});
  expect(schemas).toMatchObject({
    null_resource: {
      block: { attributes: [{ name: "id", computed: true }, { name: "triggers", optional: true }] },
    },
  });

  const config = dynamic({ id: null, triggers: { a: "1" } });
  const request = { type_name: "null_resource", prior_state: dynamic(null), config };
  const planned = await call("PlanResourceChange", { ...request, proposed_new_state: config });
  expect(valueOf(planned["planned_state"])).toEqual({
    id: new ExtData(0, new Uint8Array(1)),
    triggers: { a: "1" },
  });

  const made = await call("ApplyResourceChange", { ...request, planned_state: planned["planned_state"] });
  expect(valueOf(made["new_state"])).toEqual({
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
  const { new_state } = await call("ReadResource", { type_name: "null_resource", current_state: state });
  expect(valueOf(new_state)).toEqual({ id: "1", triggers });
});

test("answers a call that it does not know with the status that gRPC has for it", async () => {
  await connect(nullProvider);
  const unknown = promisify((done: (error: ServiceError | null) => void) =>
    client.makeUnaryRequest(
      "/tfplugin6.Provider/Unheard",
      () => Buffer.alloc(0),
      (bytes) => bytes,
      {},
      done,
    ),
  );
  await expect(unknown()).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

test("lets a client give a call up", async () => {
  await connect(slow);
  const asked = call("CallFunction", { name: "wait" }, Date.now() + 100);
  await expect(asked).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
});
