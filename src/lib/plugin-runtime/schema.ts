/**
 * Derives facts from a schema: the type of its values, the attributes that a plan leaves open, the attributes that no plan may hold, and
 * the agreement of a plan with the configuration. Schemas are in Terraform's JSON.
 */
import {
  emptyObject,
  equal,
  isList,
  isObject,
  isUnknown,
  normalForm,
  type ObjectValue,
  onceForEach,
  type Path,
  type TerraformAttribute,
  type TerraformAttributes,
  type TerraformObjectType,
  type TerraformSchema,
  type TerraformType,
  UNKNOWN,
  type Value,
} from "../values";

/** The type of the objects that a schema describes. */
export const schemaType = onceForEach(({ block }: TerraformSchema) => terraformObjectType(block.attributes));

function terraformObjectType(attributes: TerraformAttributes): TerraformObjectType {
  const members = Object.create(null) as Record<string, TerraformType>;
  for (const [name, { type, nested_type: nested }] of Object.entries(attributes)) {
    if (nested === undefined) members[name] = type;
    else
      members[name] =
        nested.nesting_mode === "list"
          ? ["list", terraformObjectType(nested.attributes)]
          : terraformObjectType(nested.attributes);
  }
  return ["object", members];
}

/** The proposed new object, in which everything that the provider has yet to compute is unknown. */
export function withComputedUnknown(
  { block }: TerraformSchema,
  config: ObjectValue,
  proposed: ObjectValue,
): ObjectValue {
  return mapAttributes(block.attributes, proposed, config, [], (attribute, value, configured) =>
    attribute.computed && !attribute.write_only && value === null && (configured ?? null) === null
      ? UNKNOWN
      : value,
  );
}

/** The value without write-only attributes: core's proposals hold them, plans and states must not. */
export function withoutWriteOnly<V extends Value>(schema: TerraformSchema, value: V): V | ObjectValue {
  const attributes = writeOnlyPart(schema);
  if (!isObject(value) || attributes === undefined) return value;
  return mapAttributes(attributes, value, undefined, [], (attribute, member) =>
    attribute.write_only ? null : member,
  );
}

/** Paths of the write-only attributes that the configuration sets. */
export function writeOnlyPaths(schema: TerraformSchema, config: ObjectValue): readonly Path[] {
  const paths: Path[] = [];
  mapAttributes(writeOnlyPart(schema) ?? {}, config, undefined, [], (attribute, value, _twin, path) => {
    if (attribute.write_only && value !== null) paths.push(path);
    return value;
  });
  return paths;
}

/** The attributes that are write-only or contain write-only attributes, so that other parts need no walk; undefined if there are none. */
const writeOnlyPart = onceForEach(({ block }: TerraformSchema) => writeOnlyAmong(block.attributes));

function writeOnlyAmong(attributes: TerraformAttributes): TerraformAttributes | undefined {
  const leading = Object.entries(attributes).flatMap(([name, attribute]): [string, TerraformAttribute][] => {
    if (attribute.write_only) return [[name, attribute]];
    const nested = attribute.nested_type && writeOnlyAmong(attribute.nested_type.attributes);
    return nested === undefined
      ? []
      : [[name, { nested_type: { nesting_mode: "list", attributes: nested } }]];
  });
  return leading.length === 0 ? undefined : Object.fromEntries(leading);
}

/** The new value of one attribute. Attributes inside a nested one are visited after it. */
type Visit = (attribute: TerraformAttribute, value: Value, twin: Value | undefined, path: Path) => Value;

/**
 * Rebuilds an object with the results of `visit` as the values of its attributes, nested attributes included.
 * @param twin an object of the same shape, such as the configuration of the proposed state; elements of lists are paired by index
 */
function mapAttributes(
  attributes: TerraformAttributes,
  object: ObjectValue,
  twin: Value | undefined,
  path: Path,
  visit: Visit,
): ObjectValue {
  const result = Object.assign(emptyObject(), object);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!Object.hasOwn(object, name)) continue;
    const place = [...path, name];
    const other = isObject(twin) && Object.hasOwn(twin, name) ? twin[name] : undefined;
    const value = visit(attribute, object[name] as Value, other, place);
    const nested = attribute.nested_type?.attributes;
    result[name] = nested === undefined ? value : mapNested(nested, value, other, place, visit);
  }
  return result;
}

function mapNested(
  attributes: TerraformAttributes,
  value: Value,
  twin: Value | undefined,
  path: Path,
  visit: Visit,
): Value {
  if (isObject(value)) return mapAttributes(attributes, value, twin, path, visit);
  if (!isList(value)) return value;
  return value.map((element, index) =>
    mapNested(attributes, element, isList(twin) ? twin[index] : undefined, [...path, index], visit),
  );
}

/**
 * Paths at which a plan disagrees with the configuration. An attribute that the provider doesn't compute must be planned as configured (or
 * stay as it was, if the two mean the same). Without a configured value, only a computed attribute may be planned. Core refuses such plans
 * too, but its error does not help the resource's author.
 */
export function planFaults(
  { block }: TerraformSchema,
  prior: Value,
  config: ObjectValue,
  planned: ObjectValue,
): readonly Path[] {
  return faultsOfMembers(block.attributes, prior, config, planned, []);
}

function faultsOfMembers(
  attributes: TerraformAttributes,
  prior: Value,
  config: Value,
  planned: Value,
  path: Path,
): readonly Path[] {
  const member = (object: Value, name: string): Value =>
    isObject(object) && Object.hasOwn(object, name) ? (object[name] as Value) : null;
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    faultsOf(attribute, member(prior, name), member(config, name), member(planned, name), [...path, name]),
  );
}

function faultsOf(
  attribute: TerraformAttribute,
  prior: Value,
  config: Value,
  planned: Value,
  path: Path,
): readonly Path[] {
  if (isSame(planned, config) || attribute.write_only) return [];
  if (isSame(planned, prior) && prior !== null && config !== null) return [];
  if (attribute.computed && (!attribute.optional || config === null)) return [];
  const nested = attribute.nested_type?.attributes;
  if (nested === undefined) return [path];
  if (isObject(config) && isObject(planned)) return faultsOfMembers(nested, prior, config, planned, path);
  if (!isList(config) || !isList(planned) || config.length !== planned.length) return [path];
  return config.flatMap((element, index) => {
    const before = isList(prior) ? (prior[index] ?? null) : null;
    return faultsOfMembers(nested, before, element, planned[index] ?? null, [...path, index]);
  });
}

/** Above this size, comparing each with each takes longer than core takes for its own check. */
const MOST_PAIRED = 1_000;

/**
 * True if core may find two values the same: unknowns are equal, accents may be composed or not, and elements may have another order, since
 * both lists and sets are arrays here. In doubt, the answer is true.
 */
function isSame(a: Value, b: Value): boolean {
  if (isUnknown(a) || isUnknown(b)) return isUnknown(a) && isUnknown(b);
  if (isList(a) && isList(b)) return haveSameElements(a, b);
  if (isObject(a) && isObject(b)) return haveSameMembers(a, b);
  if (typeof a === "string" && typeof b === "string") return normalForm(a) === normalForm(b);
  return equal(a, b);
}

function haveSameElements(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length === b.length && a.every((element, index) => isSame(element, b[index] as Value))) return true;
  if (Math.max(a.length, b.length) > MOST_PAIRED) return true;
  const among = (list: readonly Value[]) => (element: Value) => list.some((other) => isSame(element, other));
  return a.every(among(b)) && b.every(among(a));
}

function haveSameMembers(a: ObjectValue, b: ObjectValue): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name] as Value, b[name] as Value))
  );
}
