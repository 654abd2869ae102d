/** Defines the schemas of a provider's objects. */
import {
  emptyObject,
  equal,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  type Unknown,
  UNKNOWN,
  type Value,
} from "../../values";
import { hasDynamic, type Type } from "./values";

// Blocks and attributes.

/** What is true of every attribute. Descriptions are Markdown. */
interface Traits {
  readonly description?: string;
  /** The user must set it. */
  readonly required?: boolean;
  /** The user may set it. */
  readonly optional?: boolean;
  /** The provider sets it, where the user doesn't. */
  readonly computed?: boolean;
  /** Terraform hides it in its output; it is in the state all the same. */
  readonly sensitive?: boolean;
  /** In configuration only, never in plan or state. Needs `required` or `optional`; for managed resources only. */
  readonly writeOnly?: boolean;
  /** What to use instead, or true. */
  readonly deprecated?: boolean | string;
}

/** An attribute with a value of one type. */
export interface PlainAttribute extends Traits {
  readonly type: Type;
  readonly nested?: never;
}

/** An attribute that has attributes. */
export interface NestedAttribute extends Traits {
  readonly nested: Nested;
  readonly type?: never;
}

export type Attribute = PlainAttribute | NestedAttribute;

export interface Attributes {
  readonly [name: string]: Attribute;
}

/** One object, or a collection of objects, each with these attributes. */
export interface Nested {
  readonly nesting: "single" | "list" | "set" | "map";
  readonly attributes: Attributes;
}

/** A block in a block. `group` is a single one that is never null. */
export interface NestedBlock {
  readonly nesting: "single" | "group" | "list" | "set" | "map";
  readonly block: Block;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Block {
  readonly attributes?: Attributes;
  readonly blocks?: { readonly [name: string]: NestedBlock };
  readonly description?: string;
  /** What to use instead, or true. */
  readonly deprecated?: boolean | string;
}

export interface Schema extends Block {
  /** Counts up when stored state needs an upgrade. @default 0 */
  readonly version?: number;
}

const typesOfBlocks = new WeakMap<Block, Type>();

/** The type of the objects that a schema describes. */
export function typeOfBlock(block: Block): Type {
  const known = typesOfBlocks.get(block);
  if (known !== undefined) return known;
  const members = typesOfAttributes(block.attributes ?? {});
  for (const [name, nested] of Object.entries(block.blocks ?? {})) members[name] = typeOfNestedBlock(nested);
  const type: Type = ["object", members];
  typesOfBlocks.set(block, type);
  return type;
}

function typeOfAttribute(attribute: Attribute): Type {
  if (attribute.nested === undefined) return attribute.type;
  const object: Type = ["object", typesOfAttributes(attribute.nested.attributes)];
  return attribute.nested.nesting === "single" ? object : [attribute.nested.nesting, object];
}

function typesOfAttributes(attributes: Attributes): Record<string, Type> {
  const types = Object.create(null) as Record<string, Type>;
  for (const [name, attribute] of Object.entries(attributes)) types[name] = typeOfAttribute(attribute);
  return types;
}

function typeOfNestedBlock({ nesting, block }: NestedBlock): Type {
  const object = typeOfBlock(block);
  if (nesting === "single" || nesting === "group") return object;
  // Blocks whose types differ are no list and no map: core sends a tuple or an object, with its type.
  if (nesting !== "set" && hasDynamic(object)) return "dynamic";
  return [nesting, object];
}

// TypeScript types of the described values, by which the compiler checks what a resource returns.

/** A value that may not be known yet: `U` is `Unknown` for those, `never` where all is known. */
type Part<T extends Type, U> = OfType<T, U> | null | U;

type OfType<T extends Type, U> = T extends "string"
  ? string
  : T extends "number"
    ? number | bigint
    : T extends "bool"
      ? boolean
      : T extends "dynamic"
        ? Exclude<Value, null | Unknown> | U
        : T extends readonly ["list" | "set", infer E extends Type]
          ? readonly Part<E, U>[]
          : T extends readonly ["map", infer E extends Type]
            ? { readonly [key: string]: Part<E, U> }
            : T extends readonly ["object", infer M extends { readonly [name: string]: Type }]
              ? { readonly [N in keyof M]: Part<M[N], U> }
              : readonly Value[];

/** `W`: whether write-only attributes have their value, as in configuration, or are null, as in plans and states. */
type OfAttribute<A extends Attribute, U, W> = A extends { readonly writeOnly: true }
  ? W extends true
    ? Bare<A, U, W> | null
    : null
  : A extends { readonly required: true }
    ? Bare<A, U, W>
    : Bare<A, U, W> | null;

type Bare<A extends Attribute, U, W> = A extends { readonly type: infer T extends Type }
  ? OfType<T, U> | U
  : A extends {
        readonly nested: { readonly nesting: infer N; readonly attributes: infer M extends Attributes };
      }
    ? | (N extends "single"
          ? Members<M, U, W>
          : N extends "map"
            ? { readonly [key: string]: Members<M, U, W> }
            : readonly Members<M, U, W>[])
      | U
    : Value;

type Members<M extends Attributes, U, W> = { readonly [N in keyof M]: OfAttribute<M[N], U, W> };

type OfBlock<S extends Schema, U, W> = string extends keyof S["attributes"]
  ? ObjectValue
  : Members<NonNullable<S["attributes"]>, U, W> &
      (S["blocks"] extends { readonly [name: string]: NestedBlock }
        ? { readonly [N in keyof S["blocks"]]: Value }
        : unknown);

/** A wide `Schema`, not known to the compiler in its parts, has objects of any shape; they are checked when they are sent. */
type Of<S extends Schema, U, W> = Schema extends S ? ObjectValue : OfBlock<S, U, W>;

/** What the user wrote; parts may be unknown while planning. */
export type ConfigOf<S extends Schema> = Of<S, Unknown, true>;
/** What the user wrote, once all of it is known. */
export type KnownConfigOf<S extends Schema> = Of<S, never, true>;
/** What an object will be; parts may be unknown. */
export type PlanOf<S extends Schema> = Of<S, Unknown, false>;
/** What an object is. */
export type StateOf<S extends Schema> = Of<S, never, false>;

/** What is proposed for a new object, with everything unknown that the provider has yet to compute. */
export function withComputedUnknown(block: Block, config: ObjectValue, proposed: ObjectValue): ObjectValue {
  return mapAttributes(block, proposed, config, (attribute, value, configured) =>
    attribute.computed && !attribute.writeOnly && value === null && (configured ?? null) === null
      ? UNKNOWN
      : value,
  );
}

/** The value with `[]` or `{}` where blocks are null or left out: no blocks are an empty collection, never null. */
export function withEmptyBlocks<V extends Value>(block: Block, value: V): V | ObjectValue {
  const blocks = Object.entries(block.blocks ?? {});
  if (blocks.length === 0 || !isObject(value)) return value;
  const result = Object.assign(emptyObject(), value);
  for (const [name, nested] of blocks) {
    result[name] = filled(nested, Object.hasOwn(value, name) ? (value[name] as Value) : null);
  }
  return result;
}

function filled({ nesting, block }: NestedBlock, value: Value): Value {
  if (nesting === "single" || nesting === "group") return withEmptyBlocks(block, value);
  if (value === null) return nesting === "map" ? emptyObject() : [];
  if (isList(value)) return value.map((element) => withEmptyBlocks(block, element));
  if (!isObject(value)) return value;
  const result = emptyObject();
  for (const [key, element] of Object.entries(value)) result[key] = withEmptyBlocks(block, element);
  return result;
}

/** Above this size, comparing each with each takes longer than core takes for its own check. */
const MOST_PAIRED = 1_000;

/**
 * Whether core may find two values the same: every unknown is like every other, accents may be composed or not, and
 * elements may stand in another order, since both lists and sets are arrays here. It errs on the side of yes.
 */
export function same(a: Value, b: Value): boolean {
  if (isUnknown(a) || isUnknown(b)) return isUnknown(a) && isUnknown(b);
  if (isList(a) && isList(b)) return sameElements(a, b);
  if (isObject(a) && isObject(b)) return sameMembers(a, b);
  if (typeof a === "string" && typeof b === "string") return a.normalize("NFC") === b.normalize("NFC");
  return equal(a, b);
}

function sameElements(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length === b.length && a.every((element, index) => same(element, b[index] as Value))) return true;
  if (Math.max(a.length, b.length) > MOST_PAIRED) return true;
  const among = (list: readonly Value[]) => (element: Value) => list.some((other) => same(element, other));
  return a.every(among(b)) && b.every(among(a));
}

function sameMembers(a: { readonly [name: string]: Value }, b: { readonly [name: string]: Value }): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name] as Value, b[name] as Value))
  );
}

/** The new value of one attribute. Attributes inside a nested one are visited after it. */
type Visit = (attribute: Attribute, value: Value, twin: Value | undefined, path: Path) => Value;

/**
 * Rebuilds an object with each attribute's value replaced by what `visit` makes of it, down through nested attributes and
 * blocks.
 * @param twin an object of the same shape that is walked along, such as the configuration beside the proposed state;
 * elements are paired by index or key.
 */
export function mapAttributes(
  block: Block,
  object: ObjectValue,
  twin: Value | undefined,
  visit: Visit,
): ObjectValue {
  return mapBlock(block, object, twin, [], visit);
}

function mapBlock(
  block: Block,
  object: ObjectValue,
  twin: Value | undefined,
  path: Path,
  visit: Visit,
): ObjectValue {
  const result = mapMembers(block.attributes ?? {}, object, twin, path, visit);
  for (const [name, nested] of Object.entries(block.blocks ?? {})) {
    if (!Object.hasOwn(object, name)) continue;
    result[name] = mapElements(
      object[name] as Value,
      member(twin, name),
      [...path, name],
      (element, other, place) => mapBlock(nested.block, element, other, place, visit),
      nested.nesting === "single" || nested.nesting === "group",
    );
  }
  return result;
}

function mapMembers(
  attributes: Attributes,
  object: ObjectValue,
  twin: Value | undefined,
  path: Path,
  visit: Visit,
): Record<string, Value> {
  const result = Object.assign(emptyObject(), object);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!Object.hasOwn(object, name)) continue;
    const place = [...path, name];
    const other = member(twin, name);
    const value = visit(attribute, object[name] as Value, other, place);
    result[name] =
      attribute.nested === undefined
        ? value
        : mapElements(
            value,
            other,
            place,
            (element, otherElement, elementPlace) =>
              mapMembers(attribute.nested.attributes, element, otherElement, elementPlace, visit),
            attribute.nested.nesting === "single",
          );
  }
  return result;
}

function mapElements(
  value: Value,
  twin: Value | undefined,
  path: Path,
  map: (element: ObjectValue, twin: Value | undefined, path: Path) => ObjectValue,
  single: boolean,
): Value {
  const mapElement = (element: Value, other: Value | undefined, place: Path): Value =>
    isObject(element) ? map(element, other, place) : element;
  if (single) return mapElement(value, twin, path);
  if (isList(value)) {
    return value.map((element, index) =>
      mapElement(element, isList(twin) ? twin[index] : undefined, [...path, index]),
    );
  }
  if (!isObject(value)) return value;
  const result = emptyObject();
  for (const [key, element] of Object.entries(value)) {
    result[key] = mapElement(element, member(twin, key), [...path, key]);
  }
  return result;
}

function member(object: Value | undefined, name: string): Value | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
