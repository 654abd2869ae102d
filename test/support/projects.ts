/** Projects of users in the test's own process: an app that is synthesized, a service, a state. All end with the test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, type TenancyProviderConfig, Tenant } from "tenancy";
import { apply, close, plan } from "../../src/engine";
import type { ApplyEvent, ApplyResult } from "../../src/plan/events";
import type { Plan } from "../../src/plan/plan";
import type { ApplyOptions, PlanOptions, StackSource } from "../../src/engine/options";
import { TenancyError, type Diagnostic } from "../../src/problems";
import type { Change } from "../../src/plan";
import {
  startSimulator,
  type RecordedRequest,
  type Simulator,
  type SimulatorOptions,
} from "../../src/lib/simulator";

/** Says what a stack declares. Its provider is there already, with the owner `acme-platform`. */
export type Build = (stack: TerraformStack) => void;

/** A tenant whose users may do nothing; `more` goes to the tenant. */
export function tenant(name: string, users: readonly string[] = [], more: object = {}): Build {
  const none = Permissions.none();
  return (stack) =>
    void new Tenant(stack, name, {
      name,
      permissions: none,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
      ...more,
    });
}

export function together(...builds: readonly Build[]): Build {
  return (stack) => builds.forEach((build) => build(stack));
}

/** Permits whatever a guard could refuse. */
export const RECKLESS = { allowAccountDeletion: true, allowNonempty: true, maxDeletes: 99 } as const;

export interface Applied {
  readonly plan: Plan;
  readonly result: ApplyResult;
  readonly events: readonly ApplyEvent[];
  /** What the apply alone sent. */
  readonly requests: readonly RecordedRequest[];
}

export class Project {
  readonly #open: Plan[] = [];
  #count = 0;

  private constructor(
    readonly service: Simulator,
    /** Working folder: `.tenancy` and variable files stand in it. */
    readonly folder: string,
  ) {}

  static async start(options?: SimulatorOptions): Promise<Project> {
    const folder = await mkdtemp(join(tmpdir(), "tenancy-"));
    return new Project(await startSimulator(options), folder);
  }

  /** Where the default state is. */
  get state(): string {
    return join(this.folder, ".tenancy", "state.json");
  }

  get environment(): Record<string, string> {
    const { baseUrl, username, password } = this.service;
    return { TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
  }

  /** Synthesizes a stack called `prod`. */
  synthesize(
    build: Build,
    provider: TenancyProviderConfig | undefined = { owner: "acme-platform" },
  ): StackSource {
    return this.synthesizeApp((app) => {
      const stack = new TerraformStack(app, "prod");
      new TenancyProvider(stack, "service", provider);
      build(stack);
    });
  }

  /** Synthesizes an app. @returns its stack `prod` */
  synthesizeApp(build: (app: App) => void): StackSource {
    const outdir = join(this.folder, `cdktf.out.${this.#count++}`);
    // CDKTF would ask Terraform for its version, where a stack holds a `terraform_data`.
    const app = new App({ outdir, stackTraces: false, skipValidation: true });
    build(app);
    app.synth();
    return { name: "prod", outdir };
  }

  options(more: PlanOptions = {}): PlanOptions {
    const { environment, ...rest } = more;
    return {
      projectFolder: this.folder,
      ...rest,
      environment: { ...this.environment, ...environment },
    };
  }

  async plan(declared: Build | StackSource, options: PlanOptions = {}): Promise<Plan> {
    const source = typeof declared === "function" ? this.synthesize(declared) : declared;
    const made = await plan(source, this.options(options));
    this.#open.push(made);
    return made;
  }

  /** Plans and applies, whatever comes of it. */
  async run(
    declared: Build | StackSource,
    options: PlanOptions = {},
    applying: ApplyOptions = {},
  ): Promise<Applied> {
    const made = await this.plan(declared, options);
    const before = this.service.requests.length;
    const events: ApplyEvent[] = [];
    const result = await apply(made, { onEvent: (event) => events.push(event), ...applying });
    return { plan: made, result, events, requests: this.service.requests.slice(before) };
  }

  /** Plans and applies; everything must succeed. */
  async apply(declared: Build | StackSource, options: PlanOptions = {}): Promise<Applied> {
    const applied = await this.run(declared, options);
    expect(applied.result.failed.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    expect(applied.result.ok).toBe(true);
    return applied;
  }

  async end(): Promise<void> {
    for (const made of this.#open.splice(0)) await close(made);
    await this.service.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts projects that end with the test. */
export function projects(): (options?: SimulatorOptions) => Promise<Project> {
  const running: Project[] = [];
  afterEach(async () => {
    for (const project of running.splice(0)) await project.end();
  });
  return async (options) => {
    const project = await Project.start(options);
    running.push(project);
    return project;
  };
}

/** What a plan does, on a line for each object that it touches: `create tenancy_account.acme`. */
export function actions({ changes }: Pick<Plan, "changes">): readonly string[] {
  return changes
    .filter(({ action }) => action !== "none")
    .map(({ action, address }) => `${action} ${address}`);
}

/** The attributes that change, by path: `{ "limits_vss_num": [1, 2] }`. */
export function changed(change: Change | undefined): Record<string, readonly [unknown, unknown]> {
  return Object.fromEntries(
    (change?.attributes ?? []).map(({ path, before, after }) => [path.join("."), [before, after]]),
  );
}

export function changeAt({ changes }: Pick<Plan, "changes">, address: string): Change {
  const found = changes.find((change) => change.address === address);
  if (found === undefined)
    throw new Error(`the plan has no ${address}: ${changes.map((one) => one.address).join(", ")}`);
  return found;
}

/** Requests that change something, as `PATCH /api/account/account:1:2`; log-ins left out. */
export function writes(requests: readonly RecordedRequest[]): readonly string[] {
  return requests
    .filter(({ method, path }) => method !== "GET" && path !== "/api/oauth2/token")
    .map(({ method, path }) => `${method} ${path}`);
}

/** What stops a plan, or objects of it: the findings. */
export async function findings(promise: Promise<unknown>): Promise<readonly Diagnostic[]> {
  const error: unknown = await promise.then(
    (result) => (result as Partial<Plan>).refused,
    (reason: unknown) => reason,
  );
  if (Array.isArray(error)) return error as readonly Diagnostic[];
  if (error instanceof TenancyError) return error.toDiagnostics();
  throw error instanceof Error ? error : new Error("nothing stopped it");
}

/** What an apply could not do. */
export function failures({ failed }: Pick<ApplyResult, "failed">): readonly Diagnostic[] {
  return failed.flatMap(({ diagnostics }) => diagnostics);
}

export function codes(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code }) => code);
}
