import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "./engines";
import { installProvider } from "./install-provider";
import { TerraformWorkspace, type Outcome } from "./workspace";

const SOURCE = "fixture/fixture";

/** A workspace whose configurations use the fixture provider, with a store of its own. */
export class FixtureWorkspace {
  readonly store: string;

  private constructor(
    readonly terraform: TerraformWorkspace,
    /** Of the provider, as the engine writes it out. */
    readonly address: string,
  ) {
    this.store = join(terraform.home, "store");
  }

  /** @param install whether the bundled provider is put into the mirror, and `terraform init` run. */
  static async create({ program, registry }: Engine, { install = true } = {}): Promise<FixtureWorkspace> {
    const terraform = await TerraformWorkspace.create(program);
    const workspace = new FixtureWorkspace(terraform, `${registry}/${SOURCE}`);
    if (!install) return workspace;
    const main = join(__dirname, "../fixture-provider/main.ts");
    await installProvider(terraform.home, { source: SOURCE, version: "1.2.3", main, registry });
    await workspace.configure("");
    await workspace.terraform.succeed(["init"]);
    return workspace;
  }

  async configure(resources: string): Promise<void> {
    await this.terraform.configure(`
      terraform {
        required_providers {
          fixture = {
            source = "${SOURCE}"
          }
        }
      }
      provider "fixture" {
        store = "${this.store}"
      }
      ${resources}`);
  }

  /** What the provider noted that it was called for. */
  calls(): readonly string[] {
    const log = join(this.store, "calls.log");
    return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  }

  /** The attributes of the only resource in the state, as JSON text in parts that tests can look for. */
  async resource(address: string): Promise<Readonly<Record<string, unknown>>> {
    const state = JSON.parse(await this.terraform.succeed(["show", "-json"])) as ShownState;
    const found = state.values?.root_module.resources.find((resource) => resource.address === address);
    if (found === undefined) throw new Error(`${address} is not in the state`);
    return found.values;
  }

  remove(): Promise<void> {
    return this.terraform.remove();
  }
}

interface ShownState {
  readonly values?: {
    readonly root_module: {
      readonly resources: readonly { readonly address: string; readonly values: Record<string, unknown> }[];
    };
  };
}

/** What Terraform said, without the frames and line breaks that it puts around messages. */
export function said({ stdout, stderr }: Outcome): string {
  return `${stdout}${stderr}`.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ");
}
