/** The provider in the test's own process, a simulated service, and a real engine that is attached to both. */
import { attachProvider, type AttachedProvider } from "../attached-provider";
import { createProvider } from "../../../src/provider";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../../src/lib/simulator";
import type { Engine } from "./engines";
import { TerraformWorkspace, type Outcome, type RunOptions } from "./workspace";

export interface TenancyOptions extends SimulatorOptions {
  /** The provider's wall clock. @default the system's */
  readonly now?: () => Date;
  /** Environment of the provider. @default empty */
  readonly environment?: Readonly<Record<string, string>>;
  /** More lines of the provider's configuration. @default `owner = "tests"` */
  readonly provider?: string;
}

type Members = Readonly<Record<string, unknown>>;

export interface PlannedChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Members | null;
    readonly after: Members | null;
    readonly after_unknown: Members;
  };
}

export class TenancyWorkspace {
  private constructor(
    readonly simulator: Simulator,
    readonly engine: TerraformWorkspace,
    private readonly provider: AttachedProvider,
    private readonly registry: string,
    private readonly options: TenancyOptions,
  ) {}

  static async create(engine: Engine, options: TenancyOptions = {}): Promise<TenancyWorkspace> {
    const { provider = 'owner = "tests"', environment = {}, now, ...service } = options;
    const [simulator, workspace, attached] = await Promise.all([
      startSimulator(service),
      TerraformWorkspace.create(engine.program),
      attachProvider(() => createProvider(environment, now)),
    ]);
    return new TenancyWorkspace(simulator, workspace, attached, engine.registry, { provider });
  }

  /** Writes the configuration, and what it takes to reach the service. */
  async configure(resources: string): Promise<void> {
    const { baseUrl, username, password } = this.simulator;
    await this.engine.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        base_url = "${baseUrl}"
        username = "${username}"
        password = "${password}"
        ${this.options.provider}
      }
      ${resources}`);
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return this.engine.run(args, this.withProvider(options));
  }

  succeed(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return this.engine.succeed(args, this.withProvider(options));
  }

  apply(...args: readonly string[]): Promise<string> {
    return this.succeed(["apply", "-auto-approve", ...args]);
  }

  destroy(...args: readonly string[]): Promise<string> {
    return this.succeed(["destroy", "-auto-approve", ...args]);
  }

  /** Fails where there is anything to change, with or without a refresh. */
  async expectNoChange(): Promise<void> {
    await this.succeed(["plan", "-detailed-exitcode"]);
    await this.succeed(["plan", "-detailed-exitcode", "-refresh=false"]);
  }

  /** What a plan would change, objects that stay as they are left out. */
  async plan(...args: readonly string[]): Promise<readonly PlannedChange[]> {
    await this.succeed(["plan", "-out=planned", ...args]);
    const shown = JSON.parse(await this.succeed(["show", "-json", "planned"])) as {
      readonly resource_changes?: readonly PlannedChange[];
    };
    return (shown.resource_changes ?? []).filter(({ change }) => change.actions[0] !== "no-op");
  }

  /** Attributes of an object as the state has them. */
  async state(address: string): Promise<Members> {
    const shown = JSON.parse(await this.succeed(["show", "-json"])) as {
      readonly values?: { readonly root_module: { readonly resources: readonly ShownResource[] } };
    };
    const found = shown.values?.root_module.resources?.find((resource) => resource.address === address);
    if (found === undefined) throw new Error(`${address} is not in the state`);
    return found.values;
  }

  async close(): Promise<void> {
    await this.provider.close();
    await this.simulator.close();
    await this.engine.remove();
  }

  /** Leads an engine to the provider in this process. */
  get attachment(): Readonly<Record<string, string>> {
    return { TF_REATTACH_PROVIDERS: this.provider.reattach(`${this.registry}/tenancy/tenancy`) };
  }

  private withProvider(options: RunOptions): RunOptions {
    return { ...options, environment: { ...this.attachment, ...options.environment } };
  }
}

interface ShownResource {
  readonly address: string;
  readonly values: Members;
}
