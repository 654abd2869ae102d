/** Defines the functions of lists, maps and objects. */
import { expressionFailed } from "../../../problems";
import {
  allMarksOf,
  bare,
  collectionOf,
  compareText,
  elementTypeOf,
  emptyObject,
  isMarkedList,
  isMarkedObject,
  isNumber,
  isSameType,
  isUnknown,
  isWhollyKnown,
  likewise,
  mark,
  type Marked,
  type MarkedObject,
  type Marks,
  marksOf,
  NO_MARKS,
  unwrap,
  sortedNames,
  typeOf,
  unify,
  UNKNOWN,
  type Value,
  ValueSet,
} from "../../values";
import { convertOrFail } from "../convert";
import { MAX_RANGE } from "../limits";
import { applyBinary, areEqual } from "../operators";
import type { ExpressionFunction } from "../scope";
import { requireShort, define, defineStructural } from "./define";
import { writeJson } from "./encoding";
import {
  anyList,
  anything,
  integer,
  list,
  mapping,
  nullable,
  number,
  optional,
  type Parameter,
  rest,
  sequence,
  text,
  textList,
  value,
} from "./parameters";
import { Holdings } from "./sets";
import { graphemes } from "./strings";

/** True for no elements; null counts as false. */
const alltrue = defineStructural("alltrue", [sequence("list")], ([elements]) => combine(elements, false));

/** False for no elements; null counts as false. */
const anytrue = defineStructural("anytrue", [sequence("list")], ([elements]) => combine(elements, true));

const chunklist = defineStructural("chunklist", [anyList("list"), integer("size")], ([elements, size]) => {
  if (size < 0) throw expressionFailed.error("the size is negative");
  const step = size === 0 ? Math.max(elements.length, 1) : size;
  const chunks = Array.from({ length: Math.ceil(elements.length / step) }, (_unused, index) =>
    likewise(elements, elements.slice(index * step, (index + 1) * step)),
  );
  return collectionOf(typeOf(elements), chunks);
});

/** The first argument that is neither null nor an empty text, as the type that all of them have in common. */
const coalesce = defineStructural("coalesce", [rest(anything("vals"))], ([vals]) => {
  const type = unify(vals.map(typeOf));
  if (type === undefined) throw expressionFailed.error("all arguments must have the same type");
  for (const candidate of vals) {
    if (isUnknown(candidate)) return candidate;
    const converted = convertOrFail(candidate, type);
    if (converted !== null && converted !== "") return converted;
  }
  throw expressionFailed.error("all arguments are null or empty");
});

/** The first list that is not empty. */
const coalescelist = defineStructural("coalescelist", [rest(nullable(sequence("vals")))], ([vals]) => {
  const first = vals.find((candidate) => candidate !== null && candidate.length > 0);
  if (!first) throw expressionFailed.error("all lists are null or empty");
  return first;
});

/** Without elements that are null or empty. */
const compact = define("compact", [textList("list")], ([elements]) =>
  collectionOf(
    "string",
    elements.filter((element) => element !== null && element !== ""),
  ),
);

/** A list where all of them are lists, and have a type in common; else a tuple. */
const concat = defineStructural("concat", [rest(list("seqs"))], ([seqs]) => {
  if (seqs.length === 0) throw expressionFailed.error("at least one list is required");
  const all = requireShort(seqs.flat());
  const type = seqs.every((seq) => elementTypeOf(seq) !== undefined) ? unify(seqs.map(typeOf)) : undefined;
  return type === undefined ? all : convertOrFail(all, type);
});

const contains = defineStructural(
  "contains",
  [sequence("list"), anything("value")],
  ([elements, searched]) => {
    const answers = elements.map((element) => areEqual(element, searched));
    const marks = allMarksOf(elements) | allMarksOf(searched);
    if (answers.includes(true)) return mark(true, marks);
    return mark(answers.includes(undefined) ? UNKNOWN : false, marks);
  },
);

const distinct = define("distinct", [anyList("list")], ([elements]) => {
  const seenTexts = new Set<string>();
  const first = elements.filter((element) => {
    const text = writeJson(element as Value);
    return !seenTexts.has(text) && seenTexts.add(text);
  });
  return likewise(elements, first);
});

/** The index wraps around: the element after the last one is the first. */
const element = defineStructural("element", [list("list"), integer("index")], ([elements, index]) => {
  if (elements.length === 0) throw expressionFailed.error("the list is empty");
  return elements.at(index % elements.length) ?? null;
});

/** Lists in lists, at any depth, become one list. */
const flatten = defineStructural("flatten", [sequence("list")], ([elements]) => {
  const flat: Marked[] = [];
  let marks: Marks = NO_MARKS;
  let unknown = false;
  const gather = (parts: readonly Marked[]): void => {
    for (const part of parts) {
      const bare = unwrap(part);
      if (isMarkedList(bare)) {
        marks |= marksOf(part);
        gather(bare);
      } else flat.push(part);
      // An unknown argument may turn out to be a list, of any length.
      unknown ||= isUnknown(bare);
    }
  };
  gather(elements);
  return mark(unknown ? UNKNOWN : requireShort(flat), marks);
});

/** The position of the first element that equals the value. */
const index = define("index", [list("list"), value("value")], ([elements, searched]) => {
  const position = elements.findIndex((candidate) => areEqual(candidate, searched) === true);
  if (position < 0) throw expressionFailed.error("there is no such element in the list");
  return position;
});

/** A list of a map's keys, a tuple of an object's. */
const keys = defineStructural("keys", [mapping("inputMap")], ([map]) => {
  const names = sortedNames(map);
  return elementTypeOf(map) === undefined ? names : collectionOf("string", names);
});

/** The number of elements, members or characters. */
const length = defineStructural("length", [lengthOf("value")], ([count]) => count);

function lengthOf(name: string): Parameter<Marked> {
  return {
    name,
    read(argument) {
      if (argument instanceof ValueSet && !argument.isWhole) return UNKNOWN;
      if (isMarkedList(argument)) return argument.length;
      if (isMarkedObject(argument)) return Object.keys(argument).length;
      if (typeof argument === "string") return graphemes(argument).length;
      throw expressionFailed.error("a string, list or map is required");
    },
  };
}

/** The default for a map is converted to the type of its elements. */
const lookup = defineStructural(
  "lookup",
  [mapping("inputMap"), text("key"), optional(anything("default"))],
  ([map, key, fallback]) => {
    if (Object.hasOwn(map, key)) return map[key] ?? null;
    if (fallback !== undefined) return convertOrFail(fallback, elementTypeOf(map) ?? "any");
    throw expressionFailed.error(`there is no element with the key "${key}", and no default is given`);
  },
);

/** The values whose keys, at the same positions, are in the searched set. */
const matchkeys = define(
  "matchkeys",
  [anyList("values"), anyList("keys"), anyList("searchset")],
  ([candidates, names, searchset]) => {
    if (candidates.length !== names.length)
      throw expressionFailed.error("there must be as many keys as values");
    const [keys = [], searched = []] = alike([names, searchset]);
    const holdings = new Holdings(searched);
    return likewise(
      candidates,
      candidates.filter((_candidate, position) => holdings.has(keys[position] ?? null)),
    );
  },
);

/** Keys are compared by the type that all of them have in common. */
function alike(lists: readonly (readonly Marked[])[]): readonly (readonly Value[])[] {
  const element = unify(lists.flat().map(typeOf));
  if (element === undefined) throw expressionFailed.error("all keys must have the same type");
  return lists.map((keys) => convertOrFail(keys, { kind: "list", element }) as readonly Value[]);
}

/** Later maps win; null counts as an empty one. An object, unless all are maps of one type. */
const merge = defineStructural("merge", [rest(nullable(mapping("maps")))], ([maps]) => {
  const merged: Record<string, Marked> = emptyObject();
  for (const map of maps) for (const name of Object.keys(map ?? {})) merged[name] = map?.[name] ?? null;
  const [first] = maps;
  return first && maps.every((map) => areMapsOfOneType(first, map)) ? likewise(first, merged) : merged;
});

function areMapsOfOneType(a: MarkedObject, b: MarkedObject | null): boolean {
  const [left, right] = [elementTypeOf(a), b && elementTypeOf(b)];
  return Boolean(left && right && isSameType(left, right));
}

/** The only element; null if there is none. */
const one = defineStructural("one", [sequence("list")], ([elements]) => {
  if (elements.length > 1) throw expressionFailed.error("there is more than one element");
  return elements[0] ?? null;
});

/** `range(limit)`, `range(start, limit)`, `range(start, limit, step)`; the limit itself is left out. */
const range = define("range", [rest(number("numbers"))], ([numbers]) => {
  if (numbers.length < 1 || numbers.length > 3)
    throw expressionFailed.error("it takes one, two or three numbers");
  const [start, limit] = numbers.length === 1 ? [0, numbers[0] ?? 0] : [numbers[0] ?? 0, numbers[1] ?? 0];
  const step = numbers[2] ?? (start <= limit ? 1 : -1);
  if (step === 0) throw expressionFailed.error("the step is zero");
  if (limit > start !== step > 0 && limit !== start)
    throw expressionFailed.error("the step leads away from the limit");
  const elements: Marked[] = [];
  let next: Marked = start;
  while (isNumber(next) && (step > 0 ? next < limit : next > limit)) {
    if (elements.length === MAX_RANGE)
      throw expressionFailed.error(`there are more than ${MAX_RANGE} numbers in the range`);
    elements.push(next);
    next = applyBinary("+", next, step);
  }
  return collectionOf("number", elements);
});

const reverse = defineStructural("reverse", [sequence("list")], ([elements]) =>
  likewise(elements, [...elements].reverse()),
);

const slice = defineStructural(
  "slice",
  [list("list"), integer("start_index"), integer("end_index")],
  ([elements, start, end]) => {
    if (start < 0 || end < start || end > elements.length) {
      throw expressionFailed.error(
        `there is no slice from ${start} to ${end} in a list of ${elements.length}`,
      );
    }
    return likewise(elements, elements.slice(start, end));
  },
);

const sort = define("sort", [textList("list")], ([elements]) => {
  if (elements.includes(null)) throw expressionFailed.error("an element of the list is null");
  return collectionOf("string", elements.map(String).sort(compareText));
});

/** A map of lists of texts, turned round: each text with the sorted keys that had it. */
const transpose = define("transpose", [mapping("values")], ([map]) => {
  const turned = Object.create(null) as Record<string, string[]>;
  for (const name of sortedNames(map)) {
    const texts = convertOrFail(map[name] ?? null, { kind: "list", element: "string" });
    if (!isMarkedList(texts) || texts.includes(null))
      throw expressionFailed.error("each member must be a list of strings");
    for (const text of texts as readonly string[])
      (turned[text] ??= collectionOf<string[]>("string", [])).push(name);
  }
  return collectionOf({ kind: "list", element: "string" }, turned);
});

/** A list of a map's members, a tuple of an object's. */
const values = defineStructural("values", [mapping("mapping")], ([map]) =>
  likewise(
    map,
    sortedNames(map).map((name) => map[name] ?? null),
  ),
);

/** A map where the values are a list, an object where they are a tuple. */
const zipmap = defineStructural("zipmap", [list("keys"), list("values")], ([keys, members]) => {
  if (keys.length !== members.length) throw expressionFailed.error("there must be as many values as keys");
  if (!isWhollyKnown(bare(keys))) return mark(UNKNOWN, allMarksOf(keys));
  const map: Record<string, Marked> = emptyObject();
  keys.forEach((key, position) => {
    const name = convertOrFail(unwrap(key), "string");
    if (typeof name !== "string") throw expressionFailed.error("a key is null");
    map[name] = members[position] ?? null;
  });
  return mark(likewise(members, map), allMarksOf(keys));
});

/** One element that is `deciding` makes the result so; null counts as false. */
function combine(elements: readonly Marked[], deciding: boolean): Marked {
  const values = elements.map((element) => convertOrFail(bare(element), "bool") ?? false);
  const undecided = values.some(isUnknown) ? UNKNOWN : !deciding;
  return mark(values.includes(deciding) ? deciding : undecided, allMarksOf(elements));
}

export const collectionFunctions: readonly ExpressionFunction[] = [
  alltrue,
  anytrue,
  chunklist,
  coalesce,
  coalescelist,
  compact,
  concat,
  contains,
  distinct,
  element,
  flatten,
  index,
  keys,
  length,
  lookup,
  matchkeys,
  merge,
  one,
  range,
  reverse,
  slice,
  sort,
  transpose,
  values,
  zipmap,
];
