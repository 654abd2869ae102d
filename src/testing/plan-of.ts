/** Plans a stack as a test declares it, without an app command and without a service of one's own. */
import type { IConstruct } from "constructs";
import { close, listStacks, plan, type Plan, type PlanOptions } from "../engine";
import { UnknownStack } from "../errors";
import { startSimulator, type Simulator } from "../simulator";
import { Bench } from "./bench";
import { redirected } from "./redirected";

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
    const made = await planAgainst(passing, bench, scope, planOptions);
    await close(made);
    return made;
  } finally {
    await passing.close();
    bench.remove();
  }
}

/** Whatever is allowed elsewhere: nothing is sent to anybody but the simulated service. */
const ANY_SERVICE = { TENANCY_ALLOWED_ORIGINS: undefined };

async function planAgainst(
  service: Simulator,
  bench: Bench,
  scope: IConstruct,
  options: PlanOptions,
): Promise<Plan> {
  const outdir = bench.newFolder();
  await redirected(synthesized(scope), outdir, service);
  return plan(
    { name: await stackOf(scope, outdir), outdir },
    {
      store: { path: bench.store },
      initStore: true,
      ...options,
      // What a test reads, its author wrote.
      allowFiles: [outdir, process.cwd(), ...(options.allowFiles ?? [])],
      environment: { TENANCY_OWNER: "test", ...options.environment, ...ANY_SERVICE },
    },
  );
}

/** An app of either library. */
interface AppLike {
  readonly outdir: string;
  synth(): void;
}

function synthesized(scope: IConstruct): string {
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
  const found =
    path === "" && stacks.length === 1
      ? stacks[0]
      : stacks.find(({ constructPath }) => path === constructPath || path.startsWith(`${constructPath}/`));
  if (found !== undefined) return found.name;
  throw new UnknownStack(
    path,
    stacks.map(({ name }) => name),
  );
}
