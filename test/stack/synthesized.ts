/** Stacks as CDKTF synthesizes them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  App,
  TerraformDataSource,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
  type TerraformResourceConfig,
} from "cdktf";
import type { Construct } from "constructs";
import { InvalidConfiguration, type Diagnostic } from "../../src/problems";
import { readStack, type Block, type Stack } from "../../src/stack";
import { parseJson } from "../../src/lib/values";

type Attributes = Readonly<Record<string, unknown>>;
type Meta = Partial<TerraformResourceConfig>;

export class Declared extends TerraformResource {
  constructor(
    scope: Construct,
    id: string,
    type: string,
    private readonly given: Attributes = {},
    meta: Meta = {},
  ) {
    super(scope, id, { terraformResourceType: type, ...meta });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.given };
  }
}

export class DeclaredData extends TerraformDataSource {
  constructor(
    scope: Construct,
    id: string,
    type: string,
    private readonly given: Attributes = {},
    meta: Meta = {},
  ) {
    super(scope, id, { terraformResourceType: type, ...meta });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.given };
  }
}

export class DeclaredProvider extends TerraformProvider {
  constructor(
    scope: Construct,
    id: string,
    private readonly given: Attributes = {},
    private readonly options: {
      readonly name?: string;
      readonly source?: string;
      readonly alias?: string;
    } = {},
  ) {
    const { name = "tenancy", source = "tenancy/tenancy" } = options;
    super(scope, id, { terraformResourceType: name, terraformProviderSource: source });
  }

  override get alias(): string | undefined {
    return this.options.alias;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.given, ...(this.alias !== undefined && { alias: this.alias }) };
  }
}

export const account = (scope: Construct, id: string, given: Attributes = {}, meta: Meta = {}) =>
  new Declared(scope, id, "tenancy_account", given, meta);

export const OPTIONS = {
  folder: "/app/cdktf.out/stacks/prod",
  types: {
    resources: new Set(["tenancy_account", "tenancy_user_profile", "tenancy_authorization"]),
    dataSources: new Set(["tenancy_account", "tenancy_status"]),
    ephemerals: new Set(["tenancy_session_token"]),
  },
  functions: new Set(["provider::tenancy::permissions_preset"]),
};

/** The JSON of a stack named `prod` that holds our provider and what is built. */
export function synthesized(build: (stack: TerraformStack) => void): string {
  const outdir = mkdtempSync(join(tmpdir(), "tenancy-"));
  try {
    // CDKTF would ask Terraform for its version, where a stack takes in or moves what exists.
    const app = new App({ outdir, stackTraces: false, skipValidation: true });
    const stack = new TerraformStack(app, "prod");
    new DeclaredProvider(stack, "tenancy", { owner: "acme-platform" });
    build(stack);
    app.synth();
    return readFileSync(join(outdir, "stacks/prod/cdk.tf.json"), "utf8");
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

export function read(build: (stack: TerraformStack) => void): Stack {
  return readStack(synthesized(build), OPTIONS);
}

/** Everything that is wrong with the stack. */
export function findingsOf(build: (stack: TerraformStack) => void): readonly Diagnostic[] {
  return findingsIn(synthesized(build));
}

export function findingsIn(text: string): readonly Diagnostic[] {
  try {
    readStack(parseJson(text), OPTIONS);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.diagnostics;
    throw error;
  }
}

export function blockAt<K extends Block["kind"]>(
  stack: Stack,
  kind: K,
  address: string,
): Extract<Block, { kind: K }> {
  const found = stack.blocks.find((block) => block.kind === kind && block.address === address);
  if (found === undefined) throw new Error(`no ${kind} ${address}`);
  return found as Extract<Block, { kind: K }>;
}
