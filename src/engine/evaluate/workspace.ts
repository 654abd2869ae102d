/** Holds the values of everything that expressions can refer to, as far as the run has come, and shapes them as expressions see them. */
import { addressOf, type Scope } from "../../lib/language";
import { conditionFailed, expressionFailed, type Finding, type Location } from "../../problems";
import { isSealed } from "../../resources";
import { type Description, locatedIn, typedValue } from "../../schema";
import type { Condition, Stack } from "../../stack";
import {
  allMarksOf,
  asPrimitive,
  bare,
  isUnknown,
  mark,
  type Marked,
  NO_MARKS,
  type ObjectValue,
  type Path,
  SECRET,
  SENSITIVE,
  UNKNOWN,
} from "../../lib/values";
import type { PlanOptions } from "../options";
import type { Surroundings } from "../planned-object";
import { ALONE, emptyMarked } from "./instances";

interface WorkspaceOptions extends ReturnType<typeof filesOf> {
  readonly functions: NonNullable<Scope["functions"]>;
  /** RFC 3339. */
  readonly plannedAt: string;
}

/** The files that the functions of a stack may read. */
export function filesOf(
  { folder, contents }: Stack,
  { projectFolder = folder, allowFiles = [] }: PlanOptions,
) {
  return { folder, contents, readable: [projectFolder, ...allowFiles] };
}

/** Values are made on demand: most resources are never referred to. */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #values = new Map<string, () => Marked>();
  #now: string | undefined;
  /** The scope of most objects. */
  #common: Scope | undefined;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  /** Sets the value at an address (`tenancy_account.acme`, `var.region`). */
  define(address: string, make: () => Marked): void {
    let value: Marked | undefined;
    this.#values.set(address, () => (value ??= make()));
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

  /** The scope of one object's expressions. A block without a value yet is unknown. */
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

/**
 * A state as expressions see it: sets are sets. Values that are hidden by the description or by their source are marked, for outputs and other objects.
 * @param secrecy `sensitive` has paths of hidden values, in addition to the description's sensitive attributes
 */
export function stateValue(
  state: ObjectValue,
  { description, sensitive }: { readonly description: Description; readonly sensitive: readonly Path[] },
): Marked {
  const flowed = new Set(sensitive.map(([first]) => String(first)));
  const markedState: Record<string, Marked> = { ...state };
  for (const { name, attribute } of locatedIn(description.attributes)) {
    const { sensitive: isSecret, shape } = attribute;
    const holdsSecrets =
      shape.kind === "groups" && Object.values(shape.attributes).some((member) => member.sensitive);
    const value = state[name] ?? null;
    const typedMember = typedValue(value, shape);
    if (isSecret || holdsSecrets) markedState[name] = mark(typedMember, SENSITIVE | SECRET);
    else if (flowed.has(name)) markedState[name] = mark(typedMember, SENSITIVE);
    else if (typedMember !== value) markedState[name] = typedMember;
  }
  if (isSealed(state)) refuseSecretOf(markedState);
  return markedState;
}

/**
 * Null would read as a token without a secret, and be delivered as such. A reference to the secret fails, while the whole object can be copied without it.
 */
function refuseSecretOf(sealedToken: Record<string, Marked>): void {
  Object.defineProperty(sealedToken, "access_token", {
    enumerable: false,
    get: () => {
      throw expressionFailed.error("the token is sealed, so only its readers can open its secret", {
        advice: (say) =>
          `Refer to ${say.name("access_token_sealed")}, or have a reader open that for one run, as an ephemeral resource.`,
      });
    },
  });
}

// Preconditions, postconditions and validations of variables, checked as soon as their values are known.

const OPEN_MESSAGE =
  "Leave sensitive values out of the message; nonsensitive(…) says that a value may be shown.";

/** @returns an error for each condition that is known to fail; the apply checks unknown ones again */
export function failedConditions(
  conditions: readonly Condition[],
  scope: Scope,
  where: Location,
): readonly Finding[] {
  return conditions.flatMap(({ condition, errorMessage }) => {
    const holds = bare(condition.evaluate(scope));
    if (isUnknown(holds) || asPrimitive(holds, "bool") === true) return [];
    const worded = errorMessage.evaluate(scope);
    // As Terraform: a message that holds something sensitive is not shown.
    if (allMarksOf(worded) !== NO_MARKS) {
      const message =
        "a condition does not hold, and its message refers to sensitive values, so it is not shown";
      return [conditionFailed.at(message, { ...where, advice: OPEN_MESSAGE })];
    }
    const message = bare(worded);
    return [conditionFailed.at(typeof message === "string" ? message : "a condition does not hold", where)];
  });
}
