/** Evaluates a stack block by block, and plans each declared object as soon as what it refers to has been. */
import { setImmediate } from "node:timers/promises";
import {
  DeclaredTwice,
  IncompleteProvider,
  InvalidConfiguration,
  SensitiveOutput,
  TenancyError,
  UnknownProvider,
  type Diagnostic,
  type Whereabouts,
} from "../../errors";
import { allMarksOf, bare, EPHEMERAL, mark, SENSITIVE, type Marked } from "../../expressions";
import type { EvaluatedObject, OutputChange } from "../../plan";
import { provider as providerDescription } from "../../resources/provider";
import type {
  Block,
  DataBlock,
  EphemeralBlock,
  OutputBlock,
  ProviderBlock,
  RemoteStateBlock,
  ResourceBlock,
  Stack,
  ValueBlock,
  VariableBlock,
} from "../../stack";
import { isUnknown, isWhollyKnown, Unknown, UNKNOWN, type ObjectValue, type Value } from "../../values";
import type { GivenValue } from "../inputs/variable-values";
import { instancesOf, valueOfBlock, type Instance } from "../instances";
import { Workspace } from "../workspace";
import { failedConditions } from "./conditions";
import { dataSourceOf, ephemeralOf, resourceOf } from "./families";
import { configurationOf, type Configuration } from "./configuration";
import { valueOfVariable } from "./variables";
import { evaluateValueBlock } from "./value-block";
import { planRecord } from "./plan-record";
import { planToken } from "./plan-token";
import type { Declared, PlannedObject } from "./planned-object";
import { stateValue } from "./state-value";
import type { Target } from "./target";

/** What the walk is given by the run. */
export interface WalkOptions {
  readonly workspace: Workspace;
  readonly variables: ReadonlyMap<string, GivenValue>;
  /** Opens the service of a provider configuration, once; the reading of its lists begins at once. */
  readonly open: (provider: string, config: ObjectValue) => Promise<Target>;
  /** Outputs of another stack of the app, evaluated from that stack. */
  readonly outputsOf: (stack: string) => Promise<ObjectValue>;
  /** Whether a block, or an instance of it, is part of this run (`--only`, `--exclude`). */
  readonly isSelected: (address: string) => boolean;
  readonly plannedAt: Date;
  readonly resetPasswords: boolean;
  /** Serials of tokens that the service was found to refuse. */
  readonly refusedTokens: (target: Target) => Promise<ReadonlySet<string>>;
}

export interface Walked {
  readonly objects: readonly PlannedObject[];
  readonly evaluated: readonly EvaluatedObject[];
  readonly outputs: readonly OutputChange[];
  readonly targets: readonly Target[];
  readonly diagnostics: readonly Diagnostic[];
  /** Addresses of data sources that are read during apply. */
  readonly deferred: ReadonlySet<string>;
}

/** How many blocks are prepared before the network has its turn. */
const TURN = 250;

export class Walk {
  readonly #objects: PlannedObject[] = [];
  readonly #evaluated: EvaluatedObject[] = [];
  readonly #outputs: OutputChange[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #targets = new Map<string, Promise<Target>>();
  readonly #ready = new Map<string, Target>();
  readonly #imports = new Map<string, string>();
  readonly #prepared = new Map<string, Configuration>();
  readonly #declared = new Map<string, string>();
  /** Addresses of what this plan changes, and of what depends on that. */
  readonly #changing = new Set<string>();
  readonly #deferred = new Set<string>();
  /** Ids that are known after apply, and the objects that they will be the ids of. */
  readonly #promised = new Map<Unknown, PlannedObject>();

  constructor(
    readonly stack: Stack,
    readonly options: WalkOptions,
  ) {}

  /** @throws InvalidConfiguration with every finding, once all blocks have been looked at */
  async run(): Promise<Walked> {
    await this.#visitAll((block) => isEarly(block));
    this.#readImports();
    await this.#prepare();
    await this.#visitAll((block) => !isEarly(block));
    const errors = this.#diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new InvalidConfiguration(this.#diagnostics);
    return {
      objects: this.#objects,
      evaluated: this.#evaluated,
      outputs: this.#outputs,
      targets: [...this.#ready.values()],
      diagnostics: this.#diagnostics,
      deferred: this.#deferred,
    };

    function isEarly({ kind }: Block): boolean {
      return kind === "variable" || kind === "provider";
    }
  }

  async #visitAll(which: (block: Block) => boolean): Promise<void> {
    for (const block of this.stack.blocks) {
      if (!which(block)) continue;
      try {
        const done = this.#visit(block);
        if (done !== undefined) await done;
      } catch (error) {
        this.#report(error, placeOf(block));
      }
    }
  }

  /** Answers a promise only where there is something to wait for: most blocks of a large stack need none. */
  #visit(block: Block): Promise<void> | undefined {
    switch (block.kind) {
      case "variable":
        return this.#variable(block);
      case "local":
        this.#define(block, block.value.evaluate(this.options.workspace.scope()));
        return undefined;
      case "provider":
        return this.#provider(block);
      case "resource":
        return this.#resource(block);
      case "value":
        return this.#value(block);
      case "data":
        return this.#data(block);
      case "remote-state":
        return this.#remoteState(block);
      case "ephemeral":
        return this.#ephemeral(block);
      case "output":
        return this.#output(block);
    }
  }

  #variable(block: VariableBlock): undefined {
    const { workspace, variables } = this.options;
    const value = valueOfVariable(block, variables.get(block.name));
    workspace.define(block.address, () => value);
    this.#diagnostics.push(
      ...failedConditions(block.validations, workspace.scope(), { address: block.address }),
    );
    return undefined;
  }

  async #provider(block: ProviderBlock): Promise<void> {
    const evaluated = block.body.evaluate(this.options.workspace.scope());
    const { config, diagnostics } = configurationOf(providerDescription, evaluated);
    if (!this.#accept(diagnostics, { address: `provider.${block.name}` })) return;
    if (!isWhollyKnown(config)) throw new UnknownProvider(block.name, unknownNames(config));
    const target = this.options.open(block.name, config);
    // A failure is reported by the first block that needs the service, or at the end.
    target.catch(() => undefined);
    this.#targets.set(block.name, target);
  }

  /** Checks what needs no evaluation while the lists of the service are on their way. */
  async #prepare(): Promise<void> {
    let turn = 0;
    for (const block of this.stack.blocks) {
      if (block.kind !== "resource" || block.body.constant === undefined) continue;
      const { description } = resourceOf(block.type);
      this.#prepared.set(block.address, configurationOf(description, block.body.constant));
      if (++turn % TURN === 0) await setImmediate();
    }
  }

  #resource(block: ResourceBlock): Promise<void> | undefined {
    const target = this.#ready.get(block.provider);
    if (target !== undefined) return this.#planBlock(block, target);
    return this.#targetOf(block.provider).then((opened) => this.#planBlock(block, opened));
  }

  #planBlock(block: ResourceBlock, target: Target): undefined {
    const { workspace } = this.options;
    if (!this.options.isSelected(block.address)) {
      workspace.define(block.address, () => UNKNOWN);
      return undefined;
    }
    const instances = instancesOf(block.address, block, workspace.scope());
    const planned: { key: Instance["key"]; value: () => Marked }[] = [];
    for (const instance of instances) {
      const object = this.#planInstance(block, instance, target);
      if (object === undefined) continue;
      this.#objects.push(object);
      planned.push({ key: instance.key, value: this.#valueOf(object) });
      if (object.change.action !== "none") this.#changing.add(block.address);
    }
    this.#taint(block);
    workspace.define(block.address, () =>
      valueOfBlock(
        block,
        planned.map(({ key, value }) => ({ key, value: value() })),
      ),
    );
    return undefined;
  }

  #planInstance(block: ResourceBlock, instance: Instance, target: Target): PlannedObject | undefined {
    const { workspace } = this.options;
    const resource = resourceOf(block.type);
    const place: Whereabouts = { address: instance.address, ...constructOf(block) };
    try {
      const scope = workspace.scope(instance.surroundings);
      if (!this.#accept(failedConditions(block.lifecycle.preconditions, scope, place), place))
        return undefined;
      const configuration =
        this.#prepared.get(block.address) ??
        configurationOf(resource.description, block.body.evaluate(scope));
      const { config, sensitive, diagnostics } = configuration;
      if (!this.#accept([...diagnostics, ...resource.check(config)], place)) return undefined;
      const importId = this.#imports.get(instance.address);
      const declared: Declared = { block, instance, resource, target, config, sensitive, importId };
      const object = this.#planDeclared(declared);
      if (object instanceof TenancyError) throw object;
      this.#accept(object.diagnostics, place);
      this.#refuseTwice(object);
      return object;
    } catch (error) {
      this.#report(error, place);
      return undefined;
    }
  }

  #planDeclared(declared: Declared): PlannedObject | TenancyError {
    const { resource, config } = declared;
    const { plannedAt, resetPasswords } = this.options;
    if (resource.inventory === undefined) {
      return planToken(declared, {
        plannedAt,
        refused: this.#refused.get(declared.target) ?? new Set(),
        foreseenLogin: this.#foreseen(config["login"]) ?? "(known after apply)",
      });
    }
    const account = this.#foreseen(config["account_id"]) ?? "(known after apply)";
    const foreseenKey = typeof config["username"] === "string" ? `${config["username"]}@${account}` : account;
    return planRecord(declared, resource.inventory, { plannedAt, resetPasswords, foreseenKey });
  }

  /** The key of the object that an unknown id or login will belong to, where the reference is a plain one. */
  #foreseen(value: Value | undefined): string | undefined {
    return value instanceof Unknown ? this.#promised.get(value)?.change.key : undefined;
  }

  /** What a reference to the object means: its planned state. */
  #valueOf(object: PlannedObject): () => Marked {
    const { change } = object;
    if (change.action === "none") return () => stateValue(change.after ?? {}, object);
    const after: Record<string, Value> = { ...change.after };
    for (const name of ["id", "login"]) {
      if (!isUnknown(after[name])) continue;
      const promise = new Unknown({ notNull: true });
      after[name] = promise;
      this.#promised.set(promise, object);
    }
    return () => stateValue(after, object);
  }

  #refuseTwice({ change, instance, target, resource }: PlannedObject): void {
    if (change.key.includes("(known after apply)")) return;
    const identity = JSON.stringify([target.origin, resource.description.type, change.key]);
    const other = this.#declared.get(identity);
    if (other !== undefined) throw new DeclaredTwice(change.key, other, instance.address);
    this.#declared.set(identity, instance.address);
  }

  #value(block: ValueBlock): undefined {
    const { workspace } = this.options;
    const instances = instancesOf(block.address, block, workspace.scope());
    const values = instances.map((instance) => {
      const place: Whereabouts = { address: instance.address, ...constructOf(block) };
      const scope = workspace.scope(instance.surroundings);
      this.#accept(failedConditions(block.lifecycle.preconditions, scope, place), place);
      const value = evaluateValueBlock(block, instance.address, scope);
      this.#evaluated.push({
        address: instance.address,
        mode: "managed",
        type: block.type,
        values: bare(value),
        constructPath: block.constructPath,
      });
      return { key: instance.key, value };
    });
    this.#taint(block);
    workspace.define(block.address, () => valueOfBlock(block, values));
    return undefined;
  }

  async #data(block: DataBlock): Promise<void> {
    const { workspace } = this.options;
    this.#taint(block);
    const instances = instancesOf(block.address, block, workspace.scope());
    const target = await this.#targetOf(block.provider);
    const values: { key: Instance["key"]; value: Marked }[] = [];
    for (const instance of instances) {
      const place: Whereabouts = { address: instance.address, ...constructOf(block) };
      values.push({ key: instance.key, value: await this.#readData(block, instance, target, place) });
    }
    workspace.define(block.address, () => valueOfBlock(block, values));
  }

  async #readData(block: DataBlock, instance: Instance, target: Target, place: Whereabouts): Promise<Marked> {
    const source = dataSourceOf(block.type);
    const scope = this.options.workspace.scope(instance.surroundings);
    this.#accept(failedConditions(block.lifecycle.preconditions, scope, place), place);
    const { config, diagnostics } = configurationOf(source.description, block.body.evaluate(scope));
    if (!this.#accept([...diagnostics, ...source.check(config)], place)) return UNKNOWN;
    if (!isWhollyKnown(config) || this.#changing.has(block.address)) {
      this.#deferred.add(block.address);
      return UNKNOWN;
    }
    try {
      const state = await source.read(target.connection, config);
      this.#evaluated.push({
        address: instance.address,
        mode: "data",
        type: block.type,
        values: state,
        constructPath: block.constructPath,
      });
      const value: Marked = state;
      const after = this.options.workspace.scope({ ...instance.surroundings, self: value });
      this.#accept(failedConditions(block.lifecycle.postconditions, after, place), place);
      return value;
    } catch (error) {
      this.#report(error, place);
      return UNKNOWN;
    }
  }

  async #remoteState(block: RemoteStateBlock): Promise<void> {
    const outputs = await this.options.outputsOf(block.stack);
    this.options.workspace.define(block.address, () => ({ outputs }));
  }

  async #ephemeral(block: EphemeralBlock): Promise<void> {
    const { workspace } = this.options;
    const source = ephemeralOf(block.type);
    const { config, diagnostics } = configurationOf(
      source.description,
      block.body.evaluate(workspace.scope()),
    );
    const place = placeOf(block);
    if (!this.#accept(diagnostics, place)) return;
    const target = await this.#targetOf(block.provider);
    const value: Marked = isWhollyKnown(config) ? await source.open(target.connection, config) : UNKNOWN;
    workspace.define(block.address, () => mark(value, EPHEMERAL));
  }

  #output(block: OutputBlock): undefined {
    const scope = this.options.workspace.scope();
    if (!this.#accept(failedConditions(block.preconditions, scope, placeOf(block)), placeOf(block)))
      return undefined;
    const value = block.value.evaluate(scope);
    if (!block.sensitive && (allMarksOf(value) & SENSITIVE) !== 0) throw new SensitiveOutput(block.name);
    const after = bare(value);
    this.#outputs.push({
      name: block.name,
      action: isWhollyKnown(after) ? "none" : "update",
      after,
      sensitive: block.sensitive,
      description: block.description,
    });
    return undefined;
  }

  /** Import blocks: which instance takes which object in. */
  #readImports(): void {
    const { workspace } = this.options;
    for (const block of this.stack.imports) {
      for (const { surroundings } of instancesOf(
        "import",
        { count: undefined, forEach: block.forEach },
        workspace.scope(),
      )) {
        try {
          const scope = workspace.scope(surroundings);
          const to = bare(block.to.evaluate(scope));
          const id = bare(block.id.evaluate(scope));
          if (typeof to === "string" && typeof id === "string") this.#imports.set(to, id);
        } catch (error) {
          this.#report(error, {});
        }
      }
    }
  }

  readonly #refused = new Map<Target, ReadonlySet<string>>();

  async #targetOf(provider: string): Promise<Target> {
    const known = this.#ready.get(provider);
    if (known !== undefined) return known;
    const opening = this.#targets.get(provider);
    if (opening === undefined)
      throw new IncompleteProvider("no configuration", `Add a provider block for ${provider}.`);
    const target = await opening;
    this.#refused.set(target, await this.options.refusedTokens(target));
    this.#ready.set(provider, target);
    return target;
  }

  #define(block: Block, value: Marked): void {
    this.#taint(block);
    this.options.workspace.define(block.address, () => value);
  }

  /** What depends on something that changes may change itself. */
  #taint(block: Block): void {
    if (block.dependencies.some((address) => this.#changing.has(address))) this.#changing.add(block.address);
  }

  /** Notes findings; false where one of them is an error. */
  #accept(diagnostics: readonly Diagnostic[], where: Whereabouts): boolean {
    for (const diagnostic of diagnostics) this.#diagnostics.push({ ...where, ...diagnostic });
    return diagnostics.every(({ severity }) => severity !== "error");
  }

  /** What the user can mend is noted with its place; anything else is a mistake of ours and goes up. */
  #report(error: unknown, where: Whereabouts): void {
    if (!(error instanceof TenancyError)) throw error;
    const findings = error.toDiagnostics(where);
    const seen = (one: Diagnostic) =>
      this.#diagnostics.some((other) => other.code === one.code && other.summary === one.summary);
    this.#diagnostics.push(
      ...findings.filter((finding) => finding.attribute !== undefined || !seen(finding)),
    );
  }
}

function placeOf(block: Block): Whereabouts {
  return { address: block.address, ...constructOf(block) };
}

function constructOf(block: Block): Pick<Whereabouts, "constructPath"> {
  return "constructPath" in block && block.constructPath !== undefined
    ? { constructPath: block.constructPath }
    : {};
}

function unknownNames(config: ObjectValue): readonly string[] {
  return Object.keys(config).filter((name) => !isWhollyKnown(config[name] ?? null));
}
