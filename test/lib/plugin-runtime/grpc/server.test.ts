import { once } from "node:events";
import { connect, type ClientHttp2Session } from "node:http2";
import { connect as connectSocket, type Server } from "node:net";
import * as fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import {
  health,
  createGrpcServer,
  type GrpcServer,
  type Method,
} from "../../../../src/lib/plugin-runtime/grpc";
import { providerService } from "../../../../src/lib/plugin-runtime/calls";
import { Host } from "../../../../src/lib/plugin-runtime/calls/rpc";
import { createLog } from "../../../../src/lib/plugin-runtime/log";
import { createSocketPlace, listen } from "../../../../src/lib/plugin-runtime/socket";
import { call } from "../../../support/grpc-client";
import { fixtureProvider } from "../../../support/fixture-provider/provider";
import { rounds } from "../../../support/rounds";

const echo: Method = (request) => request;
const fail: Method = () => Promise.reject(new Error("nicht da: \u00e4\n%"));
const wait: Method = async (_request, { signal }) => {
  started();
  await once(signal, "abort");
  stopped();
  return Buffer.alloc(0);
};
let started: () => void = () => undefined;
let stopped: () => void = () => undefined;

const place = createSocketPlace();
let stop = new AbortController();
let server: GrpcServer;
let socket: Server;
let session: ClientHttp2Session;

beforeAll(async () => {
  const host = new Host(fixtureProvider, createLog("test", "off"));
  const own: readonly [string, Method][] = [
    ["/t/Echo", echo],
    ["/t/Fail", fail],
    ["/t/Wait", wait],
  ];
  server = createGrpcServer({
    methods: new Map([...own, ...health, ...providerService(host)]),
    signal: () => stop.signal,
  });
  ({ server: socket } = await listen(place, (connection) => server.serve(connection)));
});
afterAll(async () => {
  socket.close();
  await server.close();
  place.remove();
});
beforeEach(() => {
  stop = new AbortController();
  session = connect("http://localhost", { createConnection: () => connectSocket(place.path ?? "") });
});
afterEach(() => session.destroy());

test.each([0, 1, 100_000, 5_000_000])("a message of %d bytes comes back", async (size) => {
  const message = Buffer.alloc(size, 7);
  const { status, response } = await call(session, "/t/Echo", message);
  expect(status).toBe(0);
  expect(response.equals(message)).toBe(true);
});

test("many great messages at once come back", async () => {
  const message = Buffer.alloc(200_000, 7);
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => call(session, "/t/Echo", message)));
  expect(outcomes.every(({ status, response }) => status === 0 && response.length === message.length)).toBe(
    true,
  );
});

test("a call that fails, or that the server lacks, is a status", async () => {
  expect(await call(session, "/t/Fail", Buffer.alloc(0))).toMatchObject({
    status: 2,
    message: "nicht da: \u00e4\n%",
  });
  expect(await call(session, "/t/Nothing", Buffer.alloc(0))).toMatchObject({ status: 12 });
});

test("health serves go-plugin's service and the server as a whole, and no other", async () => {
  const check = "/grpc.health.v1.Health/Check";
  expect(await call(session, check, Buffer.alloc(0))).toMatchObject({
    status: 0,
    response: Buffer.from([8, 1]),
  });
  expect(await call(session, check, Buffer.from("\x0a\x06plugin"))).toMatchObject({ status: 0 });
  expect(await call(session, check, Buffer.from("\x0a\x05other"))).toMatchObject({ status: 5 });
});

test("a call is aborted when the client gives it up", async () => {
  const running = new Promise<void>((resolve) => (started = resolve));
  const done = new Promise<void>((resolve) => (stopped = resolve));
  const stream = session.request({
    ...{ ":method": "POST", ":path": "/t/Wait" },
    ...{ "content-type": "application/grpc", te: "trailers" },
  });
  stream.on("error", () => undefined);
  stream.end(Buffer.alloc(5));
  await running;
  stream.close(8);
  await done;
});

test("all calls are aborted when the provider is to stop, and are answered still", async () => {
  const running = new Promise<void>((resolve) => (started = resolve));
  const outcome = call(session, "/t/Wait", Buffer.alloc(0));
  await running;
  stop.abort();
  expect(await outcome).toMatchObject({ status: 0 });
});

test("arbitrary bytes for a message never cost more than an error", async () => {
  const methods = [
    "PlanResourceChange",
    "ApplyResourceChange",
    "ReadResource",
    "CallFunction",
    "UpgradeResourceState",
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), fc.uint8Array({ maxLength: 200 }), async (name, bytes) => {
      const { status } = await call(session, `/tfplugin6.Provider/${name}`, bytes);
      expect([0, 2, 13]).toContain(status);
    }),
    { numRuns: rounds(100) },
  );
});

test("arbitrary bytes for a connection cost only that connection", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 500 }),
      fc.boolean(),
      async (bytes, greeted) => {
        const socket = connectSocket(place.path ?? "");
        socket.on("error", () => undefined);
        socket.write(greeted ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" : "");
        socket.end(bytes);
        socket.resume();
        // What looks like the begin of something is waited for, until the client goes.
        await Promise.race([once(socket, "close"), sleep(1_000)]);
        socket.destroy();
      },
    ),
    { numRuns: rounds(50) },
  );
  expect(await call(session, "/t/Echo", Buffer.from("still here"))).toMatchObject({ status: 0 });
});
