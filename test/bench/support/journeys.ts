/**
 * Prints, as JSON, the sources in which something ran on three ways that a newcomer follows first: a plan that changes one e-mail address,
 * the apply that sends it, and one `PlanResourceChange` under Terraform. Started by the measure `journeys`, unbundled.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { apply, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { encodeObject, Host, providerService } from "../../../src/lib/plugin-runtime/calls";
import { createLog } from "../../../src/lib/plugin-runtime/log";
import { PlanResourceChangeRequest } from "../../../src/lib/plugin-runtime/messages";
import { startSimulator } from "../../../src/lib/simulator";
import type { ObjectValue } from "../../../src/lib/values";

const SOURCES = resolve(__dirname, "../../../src");

/** Takes note of the sources in which a function ran since it was last asked. */
class Coverage {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Debugger.enable");
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  async take(): Promise<readonly string[]> {
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    const files = new Set<string>();
    for (const { url, scriptId, functions } of result) {
      const file = url.startsWith("file:") ? relative(SOURCES, fileURLToPath(url)) : "..";
      if (file.startsWith("..") || file.startsWith("simulator/")) continue;
      const { scriptSource } = await this.#session.post("Debugger.getScriptSource", { scriptId });
      const isRun = functions.some(({ functionName, ranges: [range] }) => {
        if (range === undefined || range.count === 0 || functionName.startsWith("__")) return false;
        // The file itself, which runs when it is loaded, and the getters of its exports are no step of the way.
        return range.startOffset > 0 && !isGetter(scriptSource.slice(range.startOffset, range.endOffset));
      });
      if (isRun) files.add(file);
    }
    return [...files].sort();
  }
}

function isGetter(text: string): boolean {
  return /^\(\)\s*=>\s*[\w.[\]]+$/.test(text);
}

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
  const coverage = new Coverage();
  try {
    const outdir = join(folder, "cdktf.out");
    await declare(outdir, "jane@acme.example");
    await apply(await plan({ name: "journeys", outdir }, options));
    await declare(outdir, "j.doe@acme.example");

    await coverage.start();
    const planned = await plan({ name: "journeys", outdir }, options);
    const ofPlan = await coverage.take();
    await apply(planned);
    const ofApply = await coverage.take();

    const change = await planResourceChange(environment);
    await coverage.take();
    await change();
    const ofCall = await coverage.take();
    process.stdout.write(JSON.stringify({ plan: ofPlan, patch: ofApply, planResourceChange: ofCall }));
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
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
  const request = PlanResourceChangeRequest.encode({
    typeName,
    priorState: encoded(prior),
    proposedNewState: encoded({ ...prior, email }),
    config: encoded({ ...nothing, account_id, username, permissions, email }),
  });
  return async () => method(request, call);
}

void main();
