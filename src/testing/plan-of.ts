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
import {
  isList,
  isObject,
  type ObjectValue,
  parseJson,
  stringifyJson,
  textOf,
  type Value,
} from "../lib/values";
import { Bench } from "./simulator";

/** Options of a plan in a test: those of every plan, and the service. */
export interface PlanOfOptions extends PlanOptions {
  /**
   * The simulated service to plan against; the test decides about its records. The plan can then be applied, and the next plan against the
   * same service finds the contents of the state after the apply.
   * @default a service with only the objects that the stacks import; it ends after the plan
   */
  readonly service?: Simulator;
}

/**
 * Synthesizes the app of a construct, and plans its stack. All its providers talk to the simulated service, with any configuration.
 * @param scope a stack, a construct in it, or an app with one stack
 * @throws InvalidConfiguration, PlanRefused and the other errors of planning
 */
export async function planOf(scope: IConstruct, options: PlanOfOptions = {}): Promise<Plan> {
  const { service, ...planOptions } = options;
  if (service !== undefined) {
    const bench = Bench.of(service);
    const outdir = bench.newFolder();
    await redirect(synthFolder(scope), outdir, (stack) => withService(stack, service));
    return planAgainst(service, bench, { scope, outdir }, planOptions);
  }
  const passing = await startSimulator();
  const bench = new Bench();
  try {
    const outdir = bench.newFolder();
    await redirect(synthFolder(scope), outdir, (stack) => withImported(withService(stack, passing), passing));
    const plan = await planAgainst(passing, bench, { scope, outdir }, planOptions);
    await close(plan);
    return plan;
  } finally {
    await passing.close();
    bench.remove();
  }
}

/**
 * The test's environment has no effect: requests go only to the simulated service, as a user of that service. Credentials in the
 * configuration would look as if the test's author had written them there.
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
  { scope, outdir }: { readonly scope: IConstruct; readonly outdir: string },
  options: PlanOptions,
): Promise<Plan> {
  const testPlan = await plan(
    { name: await stackOf(scope, outdir), outdir },
    {
      state: { path: bench.state },
      initState: true,
      reader: "library",
      ...options,
      // The test's author wrote the files that a test reads.
      allowFiles: [outdir, process.cwd(), ...(options.allowFiles ?? [])],
      environment: { ...options.environment, ...connectionTo(service) },
    },
  ).catch((error: unknown) => {
    throw error instanceof InvalidConfiguration
      ? new InvalidConfiguration(worded(error.toFindings(), LIBRARY).map(withWayOfTests))
      : error;
  });
  // A plan leaves out an object that cannot be planned. A test must not pass without it.
  const { refused: refusals = [] } = testPlan;
  if (refusals.length > 0) throw new InvalidConfiguration(worded(refusals, LIBRARY).map(withWayOfTests));
  return testPlan;
}

/** Adds the way in which a test gives a variable its value. The summary has it: Jest prints no more of a failing test. */
function withWayOfTests(finding: Diagnostic): Diagnostic {
  const [, name] = /^var\.(.+)$/.exec(finding.address ?? "") ?? [];
  if (finding.code !== invalidVariables.code || name === undefined) return finding;
  const way = `planOf(…, { environment: { TF_VAR_${name}: "…" } })`;
  return { ...finding, summary: `${finding.summary}; in a test it has its value from ${way}` };
}

function synthFolder(scope: IConstruct): string {
  const app = scope.node.root as unknown as Partial<{ readonly outdir: string; synth(): void }>;
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

// A synthesized app with all providers at the simulated service.

/** The settings that say where the service is, and who logs in. */
const REPLACED = ["base_url", "username", "password", "token", "otp", "totp_secret", "ca_file"];

/** Copies the output folder of an app, with each stack changed. */
async function redirect(outdir: string, folder: string, change: (stack: Value) => Value): Promise<void> {
  await cp(outdir, folder, { recursive: true });
  for (const { file } of await listStacks(folder)) {
    const stack = parseJson(await readFile(file, "utf8"));
    await writeFile(file, stringifyJson(change(stack)));
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

// Declared imports: the objects exist, or the import would be refused.

const ACCOUNT = "tenancy_account";

/**
 * Creates the accounts and users that a stack imports, and has its import blocks name them. Their names have to be written out; any other import is
 * left as it is.
 */
function withImported(stack: Value, { records }: Simulator): Value {
  const imports = isObject(stack) ? (stack["import"] ?? null) : null;
  if (!isObject(stack) || !isList(imports)) return stack;
  const isImported = (to: string) => imports.some((one) => isObject(one) && one["to"] === to);

  const textAt = (...path: readonly string[]): string | undefined =>
    textOf(path.reduce<Value>((part, name) => (isObject(part) ? (part[name] ?? null) : null), stack));
  function literalAt(...path: readonly string[]): string | undefined {
    const text = textAt(...path);
    return text?.includes("${") === true ? undefined : text;
  }
  function accountNamed(name: string): { readonly id: string; readonly name: string } {
    return records.accounts.find((one) => one.name === name) ?? records.createAccount({ name });
  }
  /** The id of the imported object; undefined if its names are not written out. */
  function idOf(type: string, name: string): string | undefined {
    if (type === ACCOUNT) {
      const account = literalAt("resource", ACCOUNT, name, "name");
      return account === undefined ? undefined : accountNamed(account).id;
    }
    const username = literalAt("resource", type, name, "username");
    const reference = textAt("resource", type, name, "account_id") ?? "";
    const [, data, local = ""] = /^\$\{(data\.)?tenancy_account\.([\w-]+)\.id\}$/.exec(reference) ?? [];
    // A user in an account that this stack creates cannot exist yet.
    if (username === undefined || (data === undefined && !isImported(`${ACCOUNT}.${local}`)))
      return undefined;
    const account = literalAt(data === undefined ? "resource" : "data", ACCOUNT, local, "name");
    if (account === undefined) return undefined;
    const { id } = accountNamed(account);
    const live = records.profiles.find(({ login }) => login === `${username}@${account}`);
    return (live ?? records.createProfile(id, { username })).id;
  }

  return {
    ...stack,
    import: imports.map((one) => {
      const [type = "", name = ""] =
        isObject(one) && typeof one["to"] === "string" ? one["to"].split(".") : [];
      const id = idOf(type, name);
      return isObject(one) && id !== undefined ? { ...one, id } : one;
    }),
  };
}
