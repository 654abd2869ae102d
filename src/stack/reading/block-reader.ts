/** Reads the parts of one block, and gathers what it depends on. */
import {
  InvalidExpression,
  BrokenStack,
  UnsupportedFunction,
  type TenancyError,
  type Whereabouts,
} from "../../errors";
import {
  addressOf,
  compile,
  FUNCTIONS,
  parseExpression,
  references,
  type Compiled,
  type Reference,
} from "../../expressions";
import { isList, isObject, type ObjectValue, type Path, type Value } from "../../values";
import type { Condition } from "../model";
import type { Reading, Surroundings } from "./reading";

export class BlockReader {
  readonly #dependencies = new Set<string>();

  constructor(
    readonly reading: Reading,
    readonly where: Whereabouts,
  ) {}

  /** Addresses that the block needs, as far as it has been read. */
  get dependencies(): readonly string[] {
    return [...this.#dependencies];
  }

  report(error: TenancyError, attribute?: Path): void {
    this.reading.report(error, { ...this.where, ...(attribute && { attribute }) });
  }

  /** Reads the templates in a part of the block. What cannot be read is a finding, and null. */
  compile(json: Value | undefined, path: Path, surroundings: Surroundings = {}): Compiled {
    const report = (error: InvalidExpression, attribute: Path) => this.report(error, attribute);
    const compiled = this.#compile(json ?? null, path, report);
    for (const reference of compiled.references) this.#refer(reference, surroundings);
    for (const name of compiled.calls) this.#call(name);
    return compiled;
  }

  /** A part that may be absent; null is as good as absent. */
  compileOptional(
    json: Value | undefined,
    path: Path,
    surroundings: Surroundings = {},
  ): Compiled | undefined {
    return json === undefined || json === null ? undefined : this.compile(json, path, surroundings);
  }

  /** `precondition`, `postcondition`, `validation`. */
  conditions(json: Value | undefined, name: string, surroundings: Surroundings = {}): readonly Condition[] {
    return this.objects(json, [name]).map((condition) => ({
      condition: this.compile(condition["condition"] ?? true, [name, "condition"], surroundings),
      errorMessage: this.compile(condition["error_message"], [name, "error_message"], surroundings),
    }));
  }

  /** Addresses in `depends_on`, with or without an instance key. */
  dependsOn(json: Value | undefined): void {
    for (const element of this.list(json, ["depends_on"])) {
      const [reference] = this.bareReferences(element, ["depends_on"]);
      if (reference !== undefined) this.#refer(reference, {});
    }
  }

  /** The references in an address that stands without `${}`. */
  bareReferences(json: Value, path: Path): readonly Reference[] {
    if (typeof json !== "string") {
      this.report(new BrokenStack("an address must be a string"), path);
      return [];
    }
    try {
      return references(parseExpression(withoutBraces(json)));
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      this.report(error, path);
      return [];
    }
  }

  need(address: string): void {
    this.#dependencies.add(address);
  }

  /** A list, where a single element may stand for itself. */
  list(json: Value | undefined, path: Path): readonly Value[] {
    if (json === undefined || json === null) return [];
    if (isList(json)) return json;
    this.report(new BrokenStack("a list is expected here"), path);
    return [];
  }

  /** One object or a list of them: JSON syntax allows either for blocks. */
  objects(json: Value | undefined, path: Path): readonly ObjectValue[] {
    if (json === undefined || json === null) return [];
    return (isList(json) ? json : [json]).flatMap((element) => {
      if (isObject(element)) return [element];
      this.report(new BrokenStack("an object is expected here"), path);
      return [];
    });
  }

  /** A truth value that must be written down; absent is false. */
  flag(json: Value | undefined, path: Path, absent = false): boolean {
    if (json === undefined || json === null) return absent;
    if (json === true || json === "true") return true;
    if (json !== false && json !== "false")
      this.report(new BrokenStack("true or false is expected here"), path);
    return false;
  }

  text(json: Value | undefined, path: Path): string | undefined {
    if (json === undefined || json === null) return undefined;
    if (typeof json === "string") return json;
    this.report(new BrokenStack("a string is expected here"), path);
    return undefined;
  }

  #compile(json: Value, path: Path, report: (error: InvalidExpression, path: Path) => void): Compiled {
    try {
      return compile(json, { path, report, templates: this.reading.templates });
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      report(error, path);
      return compile(null);
    }
  }

  #refer(reference: Reference, surroundings: Surroundings): void {
    this.reading.use(reference, surroundings, this.where);
    if ("name" in reference && !BUILT_IN.has(reference.kind)) this.#dependencies.add(addressOf(reference));
  }

  #call(name: string): void {
    const { functions } = this.reading.options;
    if (FUNCTIONS.has(name) || functions.has(name)) return;
    this.report(new UnsupportedFunction(name, [...FUNCTIONS.keys(), ...functions.keys()]));
  }
}

/** What needs no other block. */
const BUILT_IN: ReadonlySet<Reference["kind"]> = new Set(["each", "count", "path", "terraform"]);

/** `${tenancy_account.acme}` → `tenancy_account.acme`: some versions of CDKTF write addresses so. */
export function withoutBraces(text: string): string {
  return /^\$\{(.*)\}$/s.exec(text)?.[1] ?? text;
}
