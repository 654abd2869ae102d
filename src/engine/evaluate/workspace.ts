/** Holds the values of everything that expressions can refer to, as far as the run has come, and shapes them as expressions see them. */
import { addressOf, type Scope } from "../../lib/language";
import { conditionFailed, type Finding, type Location } from "../../problems";
import {
  type Attribute,
  type Attributes,
  type Description,
  locatedIn,
  type Scalar,
  type AttributeShape,
} from "../../schema";
import type { Condition } from "../../stack";
import {
  allMarksOf,
  asPrimitive,
  bare,
  collectionOf,
  isList,
  isObject,
  isUnknown,
  makeSet,
  mark,
  type Marked,
  NO_MARKS,
  type ObjectValue,
  onceForEach,
  type Path,
  SECRET,
  SENSITIVE,
  type Type,
  UNKNOWN,
  Unknown,
  type Value,
} from "../../lib/values";
import type { PlanOptions } from "../options";
import type { Surroundings } from "../stages";
import { ALONE, emptyMarked } from "./instances";

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

// What only a description knows of a value: which lists are sets, and which attributes an unknown object has.

/** The value as expressions take it. A value that needs no addition is returned as it is. */
function shapedValue(value: Value, shape: AttributeShape): Value {
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return value;
    case "list":
      return isList(value) ? collectionOf(scalarType(shape.of), [...value]) : value;
    case "set":
      return isList(value) ? makeSet(scalarType(shape.of), value) : value;
    case "map":
      return isObject(value) ? collectionOf(scalarType(shape.of), { ...value }) : value;
    case "group":
      return shapedGroup(value, shape.attributes);
    case "groups": {
      const { attributes } = shape;
      if (!isList(value)) return value;
      return collectionOf(
        objectType(attributes),
        value.map((element) => shapedGroup(element, attributes)),
      );
    }
  }
}

/** Unknown values keep their shape, so that a reference to a missing attribute is found before anything is written. */
function shapedGroup(value: Value, attributes: Attributes): Value {
  if (isUnknown(value)) return new Unknown({ notNull: value.notNull, members: unknownMembers(attributes) });
  return isObject(value) ? shapedMembers(value, structured(attributes)) : value;
}

function shapedMembers(group: ObjectValue, members: readonly (readonly [string, Attribute])[]): ObjectValue {
  let copy: Record<string, Value> | undefined;
  for (const [name, { shape }] of members) {
    const value = group[name];
    if (value === undefined) continue;
    const shaped = shapedValue(value, shape);
    if (shaped !== value) (copy ??= { ...group })[name] = shaped;
  }
  return copy ?? group;
}

/** The attributes that are not scalars. A group of fifty rights has none. */
const structured = onceForEach((attributes: Attributes) =>
  Object.entries(attributes).filter(([, { shape }]) => "of" in shape || "attributes" in shape),
);

const unknownMembers = onceForEach(
  (attributes: Attributes): ReadonlyMap<string, Unknown> =>
    new Map(
      Object.entries(attributes).map(([name, { shape }]): [string, Unknown] => [
        name,
        shape.kind === "group" ? new Unknown({ members: unknownMembers(shape.attributes) }) : UNKNOWN,
      ]),
    ),
);

/** The types of the expression language that values of a description have. */
function scalarType(scalar: Scalar): Type {
  return scalar === "integer" ? "number" : scalar;
}

function objectType(attributes: Attributes): Type {
  const members = Object.entries(attributes).map(
    ([name, { shape }]) => [name, { type: shapeType(shape) }] as const,
  );
  return { kind: "object", members: new Map(members) };
}

function shapeType(shape: AttributeShape): Type {
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return scalarType(shape.kind);
    case "list":
    case "set":
    case "map":
      return { kind: shape.kind, element: scalarType(shape.of) };
    case "group":
      return objectType(shape.attributes);
    case "groups":
      return { kind: "list", element: objectType(shape.attributes) };
  }
}

interface Secrecy {
  readonly description: Description;
  /** Paths of further values that must not be shown, besides those that the description calls sensitive. */
  readonly sensitive: readonly Path[];
}

/**
 * A state as expressions see it: sets are sets, and what must not be shown, by the description or by what flowed in, is marked, so that
 * outputs and other objects know.
 */
export function stateValue(state: ObjectValue, { description, sensitive }: Secrecy): Marked {
  const flowed = new Set(sensitive.map(([first]) => String(first)));
  const marked: Record<string, Marked> = { ...state };
  for (const { name, attribute } of locatedIn(description.attributes)) {
    const { sensitive: isSecret, shape } = attribute;
    const holdsSecrets =
      shape.kind === "groups" && Object.values(shape.attributes).some((member) => member.sensitive);
    const value = state[name] ?? null;
    const shaped = shapedValue(value, shape);
    if (isSecret || holdsSecrets) marked[name] = mark(shaped, SENSITIVE | SECRET);
    else if (flowed.has(name)) marked[name] = mark(shaped, SENSITIVE);
    else if (shaped !== value) marked[name] = shaped;
  }
  return marked;
}

// Preconditions, postconditions and validations of variables, checked as soon as their values are known.

const OPEN_MESSAGE =
  "Leave sensitive values out of the message; nonsensitive(…) says that a value may be shown.";

/** @returns an error for each condition that is known to fail; what is unknown yet is judged again during apply */
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
