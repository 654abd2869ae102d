/** One service, one stack, and two engines that take turns: each is told what the other one knows. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { partName, openState } from "../../../src/state";
import * as embedded from "../../../src/engine";
import { noteSent } from "../../../src/engine/entries/object-write";
import { tokenOfState } from "../../../src/engine/tokens/entry";
import { identityOf } from "../../../src/ownership";
import type { Change, Plan } from "../../../src/plan";
import { attachProvider, type AttachedProvider } from "../attached-provider";
import { createProvider } from "../../../src/provider";
import { jsonPlan } from "../../../src/render/json";
import { resources } from "../../../src/resources";
import type { Records } from "../../../src/schema";
import { shownRights } from "../../../src/resources/permissions";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { emptyObject, parseJson, stringifyJson, type ObjectValue } from "../../../src/lib/values";
import { basic, serviceClient } from "../service-client";
import { stackFile, writeStack } from "../synthesized-app";
import type { Engine } from "../terraform/engines";
import { TerraformWorkspace } from "../terraform/workspace";
import { remember } from "../memories";
import { changesOf, type Changes, type JsonPlan, type RightsAtStake } from "./comparison";
import type { DeclaredTenant } from "./declarations";
import { NewerService } from "./newer-service";
import { stackOf } from "./stack";

const SECRET = "correct horse";

export class TwoEngines {
  /** Addresses whose `permissions` are declared. */
  #declared: ReadonlySet<string> = new Set();

  private constructor(
    readonly service: Simulator,
    readonly newer: NewerService,
    private readonly terraform: TerraformWorkspace,
    private readonly provider: AttachedProvider,
    private readonly engine: Engine,
    private readonly outdir: string,
  ) {}

  static async start(engine: Engine): Promise<TwoEngines> {
    const outdir = await mkdtemp(join(tmpdir(), "agreement-"));
    const service = await startSimulator({ contacts: "full", clock: () => Date.now() });
    const environment = environmentOf(service);
    writeStack(outdir, stackOf({}));
    const [terraform, provider] = await Promise.all([
      TerraformWorkspace.create(engine.program, dirname(stackFile(outdir))),
      attachProvider(() => createProvider(environment)),
    ]);
    return new TwoEngines(service, new NewerService(service), terraform, provider, engine, outdir);
  }

  declare(tenants: Readonly<Record<string, DeclaredTenant>>): void {
    const text = stackOf(tenants);
    writeStack(this.outdir, text);
    const { resource } = JSON.parse(text) as { resource: Record<string, Record<string, object>> };
    this.#declared = new Set(
      Object.entries(resource).flatMap(([type, named]) =>
        Object.keys(named).flatMap((name) => ("permissions" in named[name]! ? `${type}.${name}` : [])),
      ),
    );
  }

  /** What the embedded engine plans. */
  async planEmbedded(): Promise<Changes> {
    const plan = await this.#plan();
    await embedded.close(plan);
    const changes = plan.changes.filter((change) => !this.#isForgotten(change));
    return changesOf(jsonPlan({ ...plan, changes }), await this.#rightsAtStake());
  }

  /** What Terraform plans. */
  async planTerraform(): Promise<Changes> {
    await this.#terraform(["plan", "-out=planned"]);
    const shown = parseJson(await this.#terraform(["show", "-json", "planned"])) as unknown as JsonPlan;
    return changesOf(shown, await this.#rightsAtStake());
  }

  /** Terraform applies, and the embedded engine's state is told of it. */
  async applyTerraform(): Promise<void> {
    await this.#terraform(["apply", "-auto-approve"]);
    await this.#tellState();
  }

  /** The embedded engine applies, and Terraform's state is told of it. */
  async applyEmbedded(): Promise<void> {
    const { failed } = await embedded.apply(await this.#plan());
    if (failed.length > 0)
      throw new Error(
        stringifyJson(
          failed.flatMap(({ diagnostics }) => diagnostics),
          2,
        ),
      );
    const after = await this.#plan();
    await embedded.close(after);
    const instances = after.changes.flatMap((change) => instanceOf(change, this.engine));
    const state = {
      version: 4,
      terraform_version: "1.11.0",
      serial: 1,
      lineage: "agreement",
      outputs: {},
      resources: instances,
    };
    await writeFile(join(this.terraform.folder, "terraform.tfstate"), stringifyJson(state));
  }

  async stop(): Promise<void> {
    await this.provider.close();
    await this.service.close();
    await this.terraform.remove();
    await rm(this.outdir, { recursive: true });
  }

  /**
   * A token that is neither live nor declared: Terraform forgets it while refreshing, the embedded engine with the next apply. Neither can ask about a
   * sealed token, so both delete it.
   */
  #isForgotten({ action, description, before }: Change): boolean {
    const { authorizations } = this.service.records;
    const isToken = description.name === "authorization" && action === "delete";
    const isSealed = (before?.["access_token_sealed"] ?? null) !== null;
    return isToken && !isSealed && !authorizations.some(({ serial }) => serial === before?.["serial"]);
  }

  get #state(): string {
    return join(this.outdir, "state.json");
  }

  #plan(): Promise<Plan> {
    const environment = { ...environmentOf(this.service), TF_VAR_secret: SECRET };
    return embedded.plan(
      { name: "prod", outdir: this.outdir },
      { environment, state: { path: this.#state }, maxDeletes: 10_000, verifyTokens: true, initState: true },
    );
  }

  #terraform(args: readonly string[]): Promise<string> {
    const reattach = this.provider.reattach(`${this.engine.registry}/tenancy/tenancy`);
    const environment = { TF_REATTACH_PROVIDERS: reattach, TF_VAR_secret: SECRET };
    return this.terraform.succeed(args, { environment });
  }

  /** All that Terraform's state holds, as the embedded engine would have noted it. */
  async #tellState(): Promise<void> {
    const terraformState = parseJson(await this.terraform.readState()) as unknown as TerraformState;
    const state = openState({ path: this.#state });
    await state.lock();
    await state.erase(partName(this.service.baseUrl, "prod", "tenancy"));
    const part = await state.part(partName(this.service.baseUrl, "prod", "tenancy"));
    for (const { type, instances } of terraformState.resources) {
      const resource = resources.get(type);
      for (const { attributes } of instances) {
        if (resource === undefined) continue;
        if (resource.inventory === undefined) part.tokens.put(tokenOfState(attributes, []));
        else {
          const key =
            type === "tenancy_account"
              ? `account:${textIn(attributes, "name")}`
              : `user_profile:${textIn(attributes, "login")}`;
          const config = { ...attributes, password_wo: SECRET };
          const records = await this.#records(type, attributes);
          const { attributes: described } = resource.description;
          const object = { key, uuid: textIn(attributes, "uuid") };
          const written = { attributes: described, config, state: attributes, records, changed: [] };
          const { account_id: accountId } = attributes;
          const record = {
            ...identityOf(attributes),
            ...(typeof accountId === "string" && { account_id: accountId }),
          };
          await remember(part, object, async (draft) => {
            draft.noteRecord(record);
            await noteSent(draft, written);
          });
        }
      }
    }
    await state.save();
    await state.unlock();
  }

  async #rightsAtStake(): Promise<RightsAtStake> {
    const { baseUrl, username, password } = this.service;
    const { list } = await serviceClient(baseUrl, basic(username, password))("GET", "/user-profile");
    const live = list.map(
      (record) => [record.id, shownRights(record as unknown as ObjectValue) ?? {}] as const,
    );
    const access = this.service.records.profiles.map((profile) => [profile.id, profile.access] as const);
    return { live: new Map(live), access: new Map(access), declared: this.#declared };
  }

  /** The live records, as the service shows them. */
  async #records(type: string, attributes: ObjectValue): Promise<Records> {
    const { baseUrl, username, password } = this.service;
    const ask = serviceClient(baseUrl, basic(username, password));
    const read = async (path: string) => parseJson((await ask("GET", path)).text) as ObjectValue;
    const id = textIn(attributes, "id");
    if (type !== "tenancy_account") return { self: await read(`/user-profile/${id}`) };
    return {
      self: await read(`/account/${id}`),
      primary: await read(`/user-profile/${textIn(attributes, "admin_profile_id")}`),
    };
  }
}

interface TerraformState {
  readonly resources: readonly {
    readonly type: string;
    readonly instances: readonly { readonly attributes: ObjectValue }[];
  }[];
}

/** An object as Terraform's state file holds it. */
function instanceOf({ address, description, before }: Change, { registry }: Engine): readonly object[] {
  if (before === null) return [];
  const names = Object.keys(description.attributes);
  const attributes = Object.assign(
    emptyObject(),
    Object.fromEntries(names.map((name) => [name, before[name] ?? null])),
  );
  return [
    {
      mode: "managed",
      type: description.type,
      name: address.slice(description.type.length + 1),
      provider: `provider["${registry}/tenancy/tenancy"]`,
      instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
    },
  ];
}

function environmentOf({ baseUrl, username, password }: Simulator): Record<string, string> {
  return { TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
}

function textIn(attributes: ObjectValue, name: string): string {
  const value = attributes[name];
  if (typeof value !== "string") throw new TypeError(`${name} is no text`);
  return value;
}
