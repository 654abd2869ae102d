/** One reading of a stack: what was found, what is declared, what is referred to. */
import {
  BrokenStack,
  MisplacedReference,
  UndeclaredReference,
  Unsupported,
  type Diagnostic,
  type TenancyError,
  type Whereabouts,
} from "../../errors";
import { addressOf, compile, Templates, type Reference } from "../../expressions";
import { emptyObject, isObject, type ObjectValue, type Value } from "../../values";
import type { ProviderBlock } from "../model";
import type { ReadOptions } from "../read-stack";
import { BlockReader } from "./block-reader";

/** The names that have a meaning only in some places. */
export interface Surroundings {
  readonly each?: boolean;
  readonly count?: boolean;
  readonly self?: boolean;
}

interface Use {
  readonly reference: Reference;
  readonly surroundings: Surroundings;
  readonly where: Whereabouts;
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
  readonly findings: Diagnostic[] = [];
  /** Addresses of all that the stack declares, refused or not. */
  readonly #declared = new Set<string>();
  readonly #uses: Use[] = [];
  readonly #needed = new Map<string, Whereabouts>();
  /** Templates that other blocks hold too. */
  readonly templates = new Templates();

  constructor(readonly options: ReadOptions) {}

  report(error: TenancyError, where: Whereabouts = {}): void {
    this.findings.push(...error.toDiagnostics(where));
  }

  /** A reader for one block, whose address counts as declared from now on. */
  block(address: string, constructPath?: string): BlockReader {
    this.#declared.add(address);
    return this.anonymous({ address, ...(constructPath !== undefined && { constructPath }) });
  }

  /** A reader for something that nobody refers to. */
  anonymous(where: Whereabouts): BlockReader {
    return new BlockReader(this, where);
  }

  isDeclared(address: string): boolean {
    return this.#declared.has(address);
  }

  /** Notes a reference; to what is not declared yet, it is checked when all is read. */
  use(reference: Reference, surroundings: Surroundings, where: Whereabouts): void {
    if (OF_BLOCKS.has(reference.kind) && this.isDeclared(addressOf(reference))) return;
    this.#uses.push({ reference, surroundings, where });
  }

  /** Notes that a provider configuration is needed. */
  needProvider(address: string, where: Whereabouts): void {
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
      if (!this.isDeclared(address)) this.report(new UndeclaredReference(address, this.#declared), where);
    }
    const reported = new Set<string>();
    for (const { reference, surroundings, where } of this.#uses) {
      const error = this.#mistake(reference, surroundings);
      if (error === undefined) continue;
      const identity = `${where.address} ${addressOf(reference)}`;
      if (reported.has(identity)) continue;
      reported.add(identity);
      this.report(error, where);
    }
  }

  /** The top level of the stack; empty where the JSON is something else. */
  rootOf(json: Value): ObjectValue {
    if (isObject(json)) return json;
    const { file } = this.options;
    this.report(
      new BrokenStack("the synthesized stack is not an object", file === undefined ? {} : { file }),
    );
    return emptyObject();
  }

  #mistake(reference: Reference, surroundings: Surroundings): TenancyError | undefined {
    switch (reference.kind) {
      case "path":
      case "terraform":
        return undefined;
      case "each":
        return misplaced(surroundings.each, reference, "in a block with for_each");
      case "count":
        return misplaced(surroundings.count, reference, "in a block with count");
      case "self":
        return misplaced(surroundings.self, reference, "in a postcondition");
      case "module":
        return new Unsupported("modules");
      case "variable":
      case "local":
      case "resource":
      case "data":
      case "ephemeral": {
        const address = addressOf(reference);
        return this.isDeclared(address) ? undefined : new UndeclaredReference(address, this.#declared);
      }
    }
  }
}

function misplaced(
  allowed: boolean | undefined,
  reference: Reference,
  needs: string,
): MisplacedReference | undefined {
  return allowed === true ? undefined : new MisplacedReference(reference.sourceText, needs);
}
