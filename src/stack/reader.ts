/** Holds the findings, declarations and references of one reading of a stack. */
import {
  addressOf,
  compile,
  type Compiled,
  FUNCTIONS,
  parseExpression,
  type Reference,
  references,
  Templates,
} from "../lib/language";
import {
  brokenStack,
  type Finding,
  type ExpressionError,
  invalidExpression,
  misplacedReference,
  type TenancyError,
  undeclaredReference,
  unsupported,
  unsupportedFunction,
  type Location,
} from "../problems";
import {
  asPrimitive,
  emptyObject,
  isList,
  isObject,
  type ObjectValue,
  type Path,
  type Value,
} from "../lib/values";
import type { Condition, ProviderBlock, ReadOptions } from "./model";

/** The names that have a meaning only in some places. */
export interface InstanceNames {
  readonly each?: boolean;
  readonly count?: boolean;
  readonly self?: boolean;
}

/** Kinds of references that mean a block of the stack. */
const OF_BLOCKS: ReadonlySet<Reference["kind"]> = new Set([
  "variable",
  "local",
  "resource",
  "data",
  "ephemeral",
]);

export class Reading {
  readonly findings: Finding[] = [];
  /** Addresses of all blocks in the stack, also of refused ones. */
  readonly #declared = new Set<string>();
  readonly #uses: {
    readonly reference: Reference;
    readonly names: InstanceNames;
    readonly where: Location;
  }[] = [];
  readonly #needed = new Map<string, Location>();
  /** Templates that other blocks hold too. */
  readonly templates = new Templates();

  constructor(readonly options: ReadOptions) {}

  report(error: TenancyError, where: Location = {}): void {
    this.findings.push(...error.toFindings(where));
  }

  /** A reader for one block, whose address counts as declared from now on. */
  block(address: string, constructPath?: string): BlockReader {
    this.#declared.add(address);
    return this.anonymous({ address, ...(constructPath !== undefined && { constructPath }) });
  }

  /** A reader for a part without references to it. */
  anonymous(where: Location): BlockReader {
    return new BlockReader(this, where);
  }

  isDeclared(address: string): boolean {
    return this.#declared.has(address);
  }

  /** Notes a reference. A reference to an undeclared block is checked after the whole stack is read. */
  use(reference: Reference, names: InstanceNames, where: Location): void {
    if (OF_BLOCKS.has(reference.kind) && this.isDeclared(addressOf(reference))) return;
    this.#uses.push({ reference, names, where });
  }

  /** Notes that a provider configuration is needed. */
  needProvider(address: string, where: Location): void {
    if (!this.#needed.has(address)) this.#needed.set(address, where);
  }

  /** The configuration of our provider that is meant where none is declared, as the environment has it. */
  impliedProviders(): readonly ProviderBlock[] {
    const address = "provider.tenancy";
    if (!this.#needed.has(address) || this.isDeclared(address)) return [];
    this.#declared.add(address);
    return [{ kind: "provider", address, name: "tenancy", dependencies: [], body: compile({}) }];
  }

  checkReferences(): void {
    for (const [address, where] of this.#needed) {
      if (!this.isDeclared(address))
        this.report(undeclaredReference.error({ address, known: [...this.#declared] }), where);
    }
    const reportedUses = new Set<string>();
    for (const { reference, names, where } of this.#uses) {
      const error = this.#mistake(reference, names);
      if (error === undefined) continue;
      const identity = `${where.address} ${addressOf(reference)}`;
      if (reportedUses.has(identity)) continue;
      reportedUses.add(identity);
      this.report(error, where);
    }
  }

  /** The top level of the stack; empty if the JSON is something else. */
  rootOf(json: Value): ObjectValue {
    if (isObject(json)) return json;
    const { file } = this.options;
    this.report(
      brokenStack.error("the synthesized stack is not an object", file === undefined ? {} : { file }),
    );
    return emptyObject();
  }

  #mistake(reference: Reference, names: InstanceNames): TenancyError | undefined {
    switch (reference.kind) {
      case "path":
      case "terraform":
        return undefined;
      case "each":
        return misplacedError(names.each, reference, "in a block with for_each");
      case "count":
        return misplacedError(names.count, reference, "in a block with count");
      case "self":
        return misplacedError(names.self, reference, "in a postcondition");
      case "module":
        return unsupported.error("modules");
      case "variable":
      case "local":
      case "resource":
      case "data":
      case "ephemeral": {
        const address = addressOf(reference);
        return this.isDeclared(address)
          ? undefined
          : undeclaredReference.error({ address, known: [...this.#declared] });
      }
    }
  }
}

function misplacedError(
  isAvailable: boolean | undefined,
  reference: Reference,
  needs: string,
): TenancyError | undefined {
  return isAvailable === true
    ? undefined
    : misplacedReference.error({ reference: reference.sourceText, needs });
}

/** Reads the parts of one block, and gathers its dependencies. */
export class BlockReader {
  readonly #dependencies = new Set<string>();

  constructor(
    readonly reading: Reading,
    readonly where: Location,
  ) {}

  /** Addresses that the block needs, as far as it has been read. */
  get dependencies(): readonly string[] {
    return [...this.#dependencies];
  }

  report(error: TenancyError, attribute?: Path): void {
    this.reading.report(error, { ...this.where, ...(attribute && { attribute }) });
  }

  /** Reads the templates in a part of the block. An unreadable template is a finding, and null. */
  compile(json: Value | undefined, path: Path, names: InstanceNames = {}): Compiled {
    const report = (error: ExpressionError, attribute: Path) => this.report(error, attribute);
    const compiled = this.#compile(json ?? null, path, report);
    for (const reference of compiled.references) this.#refer(reference, names);
    for (const name of compiled.calls) this.#call(name);
    return compiled;
  }

  /** A part that may be absent; null is as good as absent. */
  compileOptional(json: Value | undefined, path: Path, names: InstanceNames = {}): Compiled | undefined {
    return json === undefined || json === null ? undefined : this.compile(json, path, names);
  }

  /** `precondition`, `postcondition`, `validation`. */
  conditions(json: Value | undefined, name: string, names: InstanceNames = {}): readonly Condition[] {
    return this.objects(json, [name]).map((condition) => ({
      condition: this.compile(condition["condition"] ?? true, [name, "condition"], names),
      errorMessage: this.compile(condition["error_message"], [name, "error_message"], names),
    }));
  }

  /** Addresses in `depends_on`, with or without an instance key. */
  dependsOn(json: Value | undefined): void {
    for (const element of this.list(json, ["depends_on"])) {
      const [reference] = this.bareReferences(element, ["depends_on"]);
      if (reference !== undefined) this.#refer(reference, {});
    }
  }

  /** The references in an address without `${}`. */
  bareReferences(json: Value, path: Path): readonly Reference[] {
    if (typeof json !== "string") {
      this.report(brokenStack.error("an address must be a string"), path);
      return [];
    }
    try {
      return references(parseExpression(withoutBraces(json)));
    } catch (error) {
      if (!invalidExpression.is(error)) throw error;
      this.report(error, path);
      return [];
    }
  }

  need(address: string): void {
    this.#dependencies.add(address);
  }

  /** A list. A single element counts as a list of one. */
  list(json: Value | undefined, path: Path): readonly Value[] {
    if (json === undefined || json === null) return [];
    if (isList(json)) return json;
    this.report(brokenStack.error("a list is expected here"), path);
    return [];
  }

  /** One object or a list of them: JSON syntax allows either for blocks. */
  objects(json: Value | undefined, path: Path): readonly ObjectValue[] {
    if (json === undefined || json === null) return [];
    return (isList(json) ? json : [json]).flatMap((element) => {
      if (isObject(element)) return [element];
      this.report(brokenStack.error("an object is expected here"), path);
      return [];
    });
  }

  /** A truth value that must be written down; absent is false. */
  flag(json: Value | undefined, path: Path, absent = false): boolean {
    if (json === undefined || json === null) return absent;
    const truth = asPrimitive(json, "bool");
    if (truth === undefined) this.report(brokenStack.error("true or false is expected here"), path);
    return truth ?? false;
  }

  text(json: Value | undefined, path: Path): string | undefined {
    if (json === undefined || json === null) return undefined;
    if (typeof json === "string") return json;
    this.report(brokenStack.error("a string is expected here"), path);
    return undefined;
  }

  #compile(json: Value, path: Path, report: (error: ExpressionError, path: Path) => void): Compiled {
    try {
      return compile(json, { path, report, templates: this.reading.templates });
    } catch (error) {
      if (!invalidExpression.is(error)) throw error;
      report(error, path);
      return compile(null);
    }
  }

  #refer(reference: Reference, names: InstanceNames): void {
    this.reading.use(reference, names, this.where);
    if ("name" in reference && !BUILT_IN.has(reference.kind)) this.#dependencies.add(addressOf(reference));
  }

  #call(name: string): void {
    const { functions } = this.reading.options;
    if (FUNCTIONS.has(name) || functions.has(name)) return;
    this.report(unsupportedFunction.error({ name, known: [...FUNCTIONS.keys(), ...functions.keys()] }));
  }
}

/** The references of a block that needs no other one. */
const BUILT_IN: ReadonlySet<Reference["kind"]> = new Set(["each", "count", "path", "terraform"]);

/** `${tenancy_account.acme}` → `tenancy_account.acme`: some versions of CDKTF write addresses so. */
export function withoutBraces(text: string): string {
  return /^\$\{(.*)\}$/s.exec(text)?.[1] ?? text;
}

/** The blocks of a section by their names: `{ "name": { … } }`, each level possibly in a list. */
export function* namedBlocks(
  reading: Reading,
  section: string,
  json: Value | undefined,
): Generator<readonly [name: string, body: ObjectValue]> {
  for (const [name, body] of namedValues(reading, section, json)) {
    for (const one of isList(body) ? body : [body]) {
      if (isObject(one)) yield [name, one];
      else reading.report(brokenStack.error(`"${section}.${name}" must be an object`));
    }
  }
}

/** The members of a section by their names, of any type. */
export function* namedValues(
  reading: Reading,
  section: string,
  json: Value | undefined,
): Generator<readonly [name: string, value: Value]> {
  if (json === undefined || json === null) return;
  for (const part of isList(json) ? json : [json]) {
    if (!isObject(part)) reading.report(brokenStack.error(`"${section}" must be an object`));
    else for (const name of Object.keys(part)) if (name !== "//") yield [name, part[name] ?? null];
  }
}

/** The path of a block's construct in the app: CDKTF writes it next to the attributes. */
export function constructPathOf(json: ObjectValue): string | undefined {
  const comment = json["//"];
  const metadata = isObject(comment) ? comment["metadata"] : undefined;
  const path = isObject(metadata) ? metadata["path"] : undefined;
  return typeof path === "string" ? path : undefined;
}
