/** The provider's process as Terraform starts it: covers src/lib/plugin-runtime/grpc.ts, greeting.ts, socket.ts and serve-calls.ts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { connect, constants } from "node:http2";
import { connect as connectSocket } from "node:net";
import { dirname, join } from "node:path";
import { createCertificate } from "../../../src/lib/plugin-runtime/certificate";
import { call } from "../../support/grpc-client";
import { MAGIC_COOKIE, PluginProcess } from "../../support/plugin-process";
import { temporaryFolder } from "../../support/temp-folder";
import { bundleProvider } from "../../support/terraform/install-provider";

const folder = temporaryFolder();
const client = createCertificate();
let running: PluginProcess | undefined;

beforeEach(() =>
  bundleProvider(join(__dirname, "../../support/null-provider/main.ts"), join(folder(), "provider.cjs")),
);
afterEach(() => running?.kill());

async function start(
  environment: Readonly<Record<string, string>> = {},
  options: { readonly withParent?: boolean } = {},
): Promise<PluginProcess> {
  const whole = {
    TF_PLUGIN_MAGIC_COOKIE: MAGIC_COOKIE,
    PLUGIN_PROTOCOL_VERSIONS: "5,6",
    PLUGIN_CLIENT_CERT: client.pem,
    TMPDIR: folder(),
    ...environment,
  };
  running = await PluginProcess.start(join(folder(), "provider.cjs"), whole, options);
  return running;
}

/** Half the time after which a plugin gives up by itself when nobody comes. */
const SOON = 30_000;

const HEALTH = "/grpc.health.v1.Health/Check";
/** `{ service: "plugin" }` and `{ status: SERVING }`. */
const CHECK = Buffer.from("\x0a\x06plugin");
const SERVING = Buffer.from("\x08\x01");

test("the first line is go-plugin's handshake: protocol 6, and the certificate without padding", async () => {
  const { line } = await start();
  expect(line).toMatch(/^1\|6\|unix\|\/[^|]+\|grpc\|[A-Za-z0-9+/]+$/);
});

test("who holds the client's certificate is served", async () => {
  const session = (await start()).connect(client);
  expect(await call(session, HEALTH, CHECK)).toMatchObject({ status: 0, response: SERVING });
  session.destroy();
});

test.each([
  ["another certificate", createCertificate()],
  ["no certificate", undefined],
])("who comes with %s is refused, and the right one is still served", async (_what, wrong) => {
  const plugin = await start();
  const session = plugin.connect(wrong);
  await expect(call(session, HEALTH, CHECK)).rejects.toThrow();
  const right = plugin.connect(client);
  expect(await call(right, HEALTH, CHECK)).toMatchObject({ status: 0 });
  right.destroy();
});

test("with TLS switched off, calls are served plainly on a socket that only the user can reach", async () => {
  const plugin = await start({ PLUGIN_CLIENT_CERT: "", TF_DISABLE_PLUGIN_TLS: "1" });
  expect(plugin.line).toMatch(/^1\|6\|unix\|\/[^|]+\|grpc\|$/);
  expect(statSync(dirname(plugin.socket)).mode & 0o077).toBe(0);
  const session = connect("http://localhost", { createConnection: () => connectSocket(plugin.socket) });
  expect(await call(session, HEALTH, CHECK)).toMatchObject({ status: 0, response: SERVING });
  session.destroy();
  expect(await plugin.exited()).toBe(0);
});

test("without a client's certificate, or with one that is none, the first line says what is wrong", async () => {
  expect((await start({ PLUGIN_CLIENT_CERT: "" })).line).toContain("Terraform has sent no certificate");
  expect(await running?.exited()).toBe(1);
  expect((await start({ PLUGIN_CLIENT_CERT: "-----BEGIN" })).line).toContain("cannot be read");
  expect(await running?.exited()).toBe(1);
});

test("run by hand it explains itself, and nothing goes to stdout", async () => {
  expect((await start({ TF_PLUGIN_MAGIC_COOKIE: "" })).line).toBe("exited with 1");
});

test.each([
  ["hangs up", true],
  ["stays connected", false],
])("the process ends when Terraform says so and %s, and its socket with it", async (_what, hangsUp) => {
  const plugin = await start();
  const session = plugin.connect(client);
  expect(await call(session, "/plugin.GRPCController/Shutdown", Buffer.alloc(0))).toMatchObject({
    status: 0,
  });
  if (hangsUp) session.destroy();
  expect(await plugin.exited()).toBe(0);
  expect(existsSync(plugin.socket)).toBe(false);
  session.destroy();
});

test(
  "the process ends when the connection closes",
  async () => {
    const plugin = await start();
    const session = plugin.connect(client);
    await call(session, HEALTH, CHECK);
    session.destroy();
    expect(await plugin.exited()).toBe(0);
  },
  SOON,
);

test(
  "the process ends with its parent, also after its client has reset a thousand streams",
  async () => {
    const plugin = await start({}, { withParent: true });
    const session = plugin.connect(client);
    await call(session, HEALTH, CHECK);
    for (let batch = 0; batch < 30 && !session.destroyed; batch++) {
      for (let reset = 0; reset < 100; reset++) {
        const stream = session.request({ ":method": "POST", ":path": HEALTH });
        stream.on("error", () => undefined);
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    session.destroy();
    // The pipes close when the last process that holds them is gone.
    const gone = once(plugin.child, "close");
    plugin.kill();
    await gone;
  },
  SOON,
);

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s is left to Terraform while it is connected",
  async (signal) => {
    const plugin = await start();
    const session = plugin.connect(client);
    await call(session, HEALTH, CHECK);
    plugin.child.kill(signal);
    // More than one: it might answer once and then go.
    for (let calls = 0; calls < 50; calls++)
      expect(await call(session, HEALTH, CHECK)).toMatchObject({ status: 0 });
    session.destroy();
    expect(await plugin.exited()).toBe(0);
  },
);

test(
  "the process ends by itself when its parent is gone before it connects",
  async () => {
    const program = join(folder(), "provider.cjs");
    const handshake = join(folder(), "handshake");
    const script = `"${process.execPath}" "${program}" > "${handshake}" & while [ ! -s "${handshake}" ]; do sleep 0.05; done`;
    const parent = spawn("sh", ["-c", script], {
      env: { TF_PLUGIN_MAGIC_COOKIE: MAGIC_COOKIE, PLUGIN_CLIENT_CERT: client.pem, TMPDIR: folder() },
      stdio: ["ignore", "ignore", "pipe"],
    });
    // The pipe closes when the last process that holds it is gone.
    parent.stderr.resume();
    await once(parent, "close");
  },
  SOON,
);

test.each([
  "plugin.GRPCStdio/StreamStdio",
  "plugin.GRPCBroker/StartStream",
  ...[
    "GetMetadata",
    "MoveResourceState",
    "UpgradeResourceIdentity",
    "RenewEphemeralResource",
    "GenerateResourceConfig",
    "ValidateActionConfig",
    "PlanAction",
    "InvokeAction",
    "ValidateStateStoreConfig",
    "ConfigureStateStore",
    "ReadStateBytes",
    "WriteStateBytes",
    "LockState",
    "UnlockState",
    "GetStates",
    "DeleteState",
  ].map((name) => `tfplugin6.Provider/${name}`),
])("%s, which the provider lacks, is answered as unimplemented", async (method) => {
  const session = (await start()).connect(client);
  expect(await call(session, `/${method}`, Buffer.alloc(0))).toMatchObject({ status: 12 });
  // The connection serves on.
  expect(await call(session, HEALTH, CHECK)).toMatchObject({ status: 0 });
  session.destroy();
});
