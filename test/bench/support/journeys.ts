/**
 * Prints, as JSON, the functions that run on three ways which a newcomer follows first: a plan that changes one e-mail address, the apply that
 * sends it (without the functions of the plan), and one `PlanResourceChange` under Terraform. A function is written `FILE:OFFSET`.
 * The measure `journeys` starts this program, unbundled.
 */
// First: V8 counts only functions that run for the first time after the count has begun.
import { functionsThatRan } from "./coverage";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { EXIT, type Io, type Sink } from "../../../src/cli/io";
import { main as runCommand } from "../../../src/cli/main";
import * as verbs from "../../../src/cli/verbs";
import { apply, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { encodeObject, Host, providerService } from "../../../src/lib/plugin-runtime/calls";
import { createLog } from "../../../src/lib/plugin-runtime/log";
import { calls } from "../../../src/lib/plugin-runtime/generated/tfplugin6";
import { startSimulator } from "../../../src/lib/simulator";
import type { ObjectValue } from "../../../src/lib/values";

async function main(): Promise<void> {
  const simulator = await startSimulator();
  const folder = await mkdtemp(join(tmpdir(), "journeys-"));
  const environment = {
    TENANCY_BASE_URL: simulator.baseUrl,
    TENANCY_USERNAME: simulator.username,
    TENANCY_PASSWORD: simulator.password,
    TENANCY_OWNER: "bench",
  };
  const options = { environment, projectFolder: folder };
  try {
    const outdir = join(folder, "cdktf.out");
    await declare(outdir, "jane@acme.example");
    await apply(await plan({ name: "journeys", outdir }, options));
    await declare(outdir, "j.doe@acme.example");

    const command = await commandIn(folder, environment);
    await functionsThatRan();
    await command("plan", "--skip-synth");
    const ofPlan = await functionsThatRan();
    await command("apply", "--skip-synth", "--yes");
    const ofApply = (await functionsThatRan()).filter((name) => !ofPlan.includes(name));

    const change = await planResourceChange(environment);
    await functionsThatRan();
    await change();
    const ofCall = await functionsThatRan();
    process.stdout.write(JSON.stringify({ plan: ofPlan, patch: ofApply, planResourceChange: ofCall }));
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The command, loaded and ready to run in a folder. It runs in this process, so that its functions are counted. */
async function commandIn(folder: string, environment: Readonly<Record<string, string>>) {
  await writeFile(join(folder, "cdktf.json"), JSON.stringify({ language: "typescript", app: "true" }));
  return async (...words: readonly string[]): Promise<void> => {
    const written: string[] = [];
    const sink: Sink = { write: (text) => written.push(text) > 0 };
    const stdin = Readable.from([]) as unknown as Io["stdin"];
    const io: Io = {
      stdout: sink,
      stderr: sink,
      stdin,
      environment,
      folder,
      onStop: () => () => undefined,
      exit: (code) => process.exit(code),
    };
    if ((await runCommand(words, io, () => verbs)) !== EXIT.ok)
      throw new Error(`${words.join(" ")}: ${written.join("")}`);
  };
}

/** An account with one user, synthesized. */
async function declare(outdir: string, email: string): Promise<void> {
  const path = "stacks/journeys/cdk.tf.json";
  const stack = {
    name: "journeys",
    constructPath: "journeys",
    workingDirectory: dirname(path),
    synthesizedStackPath: path,
    annotations: [],
    dependencies: [],
  };
  const account = { name: "acme" };
  const user = {
    account_id: "${tenancy_account.acme.id}",
    username: "jane",
    email,
    permissions: { "vss.manage_snapshots": true },
  };
  await mkdir(join(outdir, dirname(path)), { recursive: true });
  await writeFile(
    join(outdir, "manifest.json"),
    JSON.stringify({ version: "0.21.0", stacks: { journeys: stack } }),
  );
  await writeFile(
    join(outdir, path),
    JSON.stringify({
      provider: { tenancy: [{}] },
      resource: { tenancy_account: { acme: account }, tenancy_user_profile: { jane: user } },
    }),
  );
}

/** @returns makes the call that plans another e-mail address of a live user */
async function planResourceChange(
  environment: Readonly<Record<string, string>>,
): Promise<() => Promise<unknown>> {
  const typeName = "tenancy_user_profile";
  const provider = createProvider(environment);
  const host = new Host(provider, createLog("bench", "off"));
  const call = { signal: new AbortController().signal, isLost: false };
  const method = providerService(host).get("/tfplugin6.Provider/PlanResourceChange");
  const resource = provider.resources?.[typeName];
  if (method === undefined || resource === undefined) throw new Error("the provider lacks what is measured");
  const about = { ...call, log: host.log };
  await provider.configure?.({}, about);
  const imported = await resource.import?.("jane@acme", about);
  const prior = imported?.imported?.[0]?.state;
  if (prior === undefined) throw new Error("the user is not found");
  const nothing = Object.fromEntries(
    Object.keys(resource.schema.block.attributes).map((name) => [name, null]),
  );
  const { account_id = null, username = null, permissions = null } = prior;
  const email = "jane@acme.example";
  const encoded = (value: ObjectValue) => encodeObject(value, resource.schema, { unknowns: true });
  const request = calls.PlanResourceChange.request.encode({
    typeName,
    priorState: encoded(prior),
    proposedNewState: encoded({ ...prior, email }),
    config: encoded({ ...nothing, account_id, username, permissions, email }),
  });
  return async () => method(request.finish(), call);
}

void main();
