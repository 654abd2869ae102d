/** Plans a stack that a test declares, without an app command and without a real service. */
import { cp, readFile, writeFile } from "node:fs/promises";
import type { IConstruct } from "constructs";
import { close, listStacks, plan, type PlanOptions } from "../engine";
import type { Plan } from "../plan";
import {
  type Diagnostic,
  InvalidConfiguration,
  invalidVariables,
  LIBRARY,
  unknownStack,
  worded,
} from "../problems";
import { type Simulator, startSimulator } from "../lib/simulator";
import { isList, isObject, type ObjectValue, parseJson, stringifyJson, type Value } from "../lib/values";
import { Bench } from "./simulator";

/** Options of a plan in a test: those of every plan, and the service. */
export interface PlanOfOptions extends PlanOptions {
  /**
   * The simulated service to plan against; what is in it before is up to the test. The plan can then be applied, and what the apply
   * keeps in the credential store the next plan against the same service finds there.
   * @default an empty one, which is gone when the plan is made
   */
  readonly service?: Simulator;
}

/**
 * Synthesizes the app that a construct belongs to, and plans its stack. Whatever its providers say, they talk to the simulated
 * service. `owner` is "test" where the stack and the options say nothing else.
 * @param scope a stack, a construct in it, or an app with one stack
 * @throws InvalidConfiguration, PlanRefused and the rest of what planning throws
 */
export async function planOf(scope: IConstruct, options: PlanOfOptions = {}): Promise<Plan> {
  const { service, ...planOptions } = options;
  if (service !== undefined) return planAgainst(service, Bench.of(service), scope, planOptions);
  const passing = await startSimulator();
  const bench = new Bench();
  try {
    const plan = await planAgainst(passing, bench, scope, planOptions);
    await close(plan);
    return plan;
  } finally {
    await passing.close();
    bench.remove();
  }
}

/**
 * Whatever the test's environment says: nothing is sent to anybody but the simulated service, and to that service as the user that it knows.
 * Credentials in the configuration would look as if the test's author had written them there.
 */
function connectionTo({ username, password }: Simulator): PlanOptions["environment"] {
  return {
    TENANCY_ALLOWED_ORIGINS: undefined,
    TENANCY_USERNAME: username,
    TENANCY_PASSWORD: password,
    TENANCY_TOKEN: undefined,
    TENANCY_OTP: undefined,
    TENANCY_TOTP_SECRET: undefined,
    TENANCY_CA_FILE: undefined,
  };
}

async function planAgainst(
  service: Simulator,
  bench: Bench,
  scope: IConstruct,
  options: PlanOptions,
): Promise<Plan> {
  const outdir = bench.newFolder();
  await redirect(synthesize(scope), outdir, service);
  return plan(
    { name: await stackOf(scope, outdir), outdir },
    {
      store: { path: bench.store },
      initStore: true,
      reader: "library",
      ...options,
      // What a test reads, its author wrote.
      allowFiles: [outdir, process.cwd(), ...(options.allowFiles ?? [])],
      environment: { TENANCY_OWNER: "test", ...options.environment, ...connectionTo(service) },
    },
  ).catch((error: unknown) => {
    throw error instanceof InvalidConfiguration
      ? new InvalidConfiguration(worded(error.toFindings(), LIBRARY).map(withWayOfTests))
      : error;
  });
}

/** Adds the way in which a test gives a variable its value. The summary has it: Jest prints no more of a failing test. */
function withWayOfTests(finding: Diagnostic): Diagnostic {
  const [, name] = /^var\.(.+)$/.exec(finding.address ?? "") ?? [];
  if (finding.code !== invalidVariables.code || name === undefined) return finding;
  const way = `planOf(…, { environment: { TF_VAR_${name}: "…" } })`;
  return { ...finding, summary: `${finding.summary}; in a test it has its value from ${way}` };
}

/** An app of either library. */
interface AppLike {
  readonly outdir: string;
  synth(): void;
}

function synthesize(scope: IConstruct): string {
  const app = scope.node.root as unknown as Partial<AppLike>;
  if (typeof app.synth !== "function" || typeof app.outdir !== "string") {
    throw new TypeError("planOf() needs a construct that belongs to an App");
  }
  app.synth();
  return app.outdir;
}

/** Name of the stack that a construct is, or is in. */
async function stackOf(scope: IConstruct, outdir: string): Promise<string> {
  const stacks = await listStacks(outdir);
  const { path } = scope.node;
  const stack =
    path === "" && stacks.length === 1
      ? stacks[0]
      : stacks.find(({ constructPath }) => path === constructPath || path.startsWith(`${constructPath}/`));
  if (stack !== undefined) return stack.name;
  throw unknownStack.error({ name: path, known: stacks.map(({ name }) => name) });
}

// A synthesized app whose providers all talk to the simulated service.

/** The settings that say where the service is, and who logs in. */
const REPLACED = ["base_url", "username", "password", "token", "otp", "totp_secret", "ca_file"];

/** Copies the output folder of an app, and points its providers to the service. */
async function redirect(outdir: string, folder: string, service: Simulator): Promise<void> {
  await cp(outdir, folder, { recursive: true });
  for (const { file } of await listStacks(folder)) {
    const stack = parseJson(await readFile(file, "utf8"));
    await writeFile(file, stringifyJson(withService(stack, service)));
  }
}

function withService(stack: Value, service: Simulator): Value {
  const providers = isObject(stack) ? stack["provider"] : undefined;
  if (!isObject(stack) || !isObject(providers)) return stack;
  const configured = providers["tenancy"] ?? null;
  const configurations = isList(configured) ? configured : [configured];
  return {
    ...stack,
    provider: {
      ...providers,
      tenancy: configurations.map((config) => (isObject(config) ? pointToService(config, service) : config)),
    },
  };
}

function pointToService(config: ObjectValue, { baseUrl }: Simulator): ObjectValue {
  const others = Object.entries(config).filter(([name]) => !REPLACED.includes(name));
  return { ...Object.fromEntries(others), base_url: baseUrl };
}
