/** Holds the values of everything that expressions can refer to, as far as the run has come. */
import { addressOf, type Marked, type Scope } from "../../language";
import { UNKNOWN } from "../../values";
import type { PlanOptions } from "../options";
import { ALONE, emptyMarked, type Surroundings } from "./instances";

interface WorkspaceOptions {
  readonly folder: string;
  /** Folders whose files may be read. */
  readonly readable: readonly string[];
  readonly functions: NonNullable<Scope["functions"]>;
  /** RFC 3339. */
  readonly plannedAt: string;
}

/** Folders whose files the functions of a stack may read. */
export function readableFolders(
  folder: string,
  { projectFolder = folder, allowFiles = [] }: PlanOptions,
): readonly string[] {
  return [projectFolder, ...allowFiles];
}

/** Values are made on demand: most resources are never referred to. */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #values = new Map<string, () => Marked>();
  #now: string | undefined;
  /** What most objects see. */
  #common: Scope | undefined;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  /** Sets the value at an address (`tenancy_account.acme`, `var.region`). */
  define(address: string, make: () => Marked): void {
    let made: Marked | undefined;
    this.#values.set(address, () => (made ??= make()));
  }

  /** The apply begins: from now on `timestamp()` is known. */
  begin(now: Date): void {
    this.#now = now.toISOString();
    this.#common = undefined;
  }

  /** The value at an address; unknown where it has none yet. */
  valueAt(address: string): Marked {
    const value = this.#values.get(address);
    // A value may well be null.
    return value === undefined ? UNKNOWN : value();
  }

  /** The scope of one object's expressions. What has no value yet is unknown. */
  scope(surroundings: Surroundings = ALONE): Scope {
    return surroundings === ALONE ? (this.#common ??= this.#scopeIn(ALONE)) : this.#scopeIn(surroundings);
  }

  #scopeIn(surroundings: Surroundings): Scope {
    return {
      ...this.#options,
      ...(this.#now !== undefined && { now: this.#now }),
      resolve: (reference) => {
        switch (reference.kind) {
          case "each":
            if (surroundings.each === undefined) return UNKNOWN;
            return reference.name === "key" ? surroundings.each.key : surroundings.each.value;
          case "count":
            return surroundings.count ?? UNKNOWN;
          case "self":
            return surroundings.self ?? emptyMarked();
          case "variable":
          case "local":
          case "resource":
          case "data":
          case "ephemeral":
          case "module":
          case "path":
          case "terraform":
            return this.valueAt(addressOf(reference));
        }
      },
    };
  }
}
