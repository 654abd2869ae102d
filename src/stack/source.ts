/** Reading the JSON of a stack, with words for what is not as it should be. */
import { BrokenStack, InvalidExpression, type Whereabouts } from "../errors";
import { compile, type Compiled } from "../expressions";
import { isList, isObject, type ObjectValue, type Path, type Value } from "../values";
import type { Findings } from "./findings";

/** A block of the JSON with its place. */
export interface Source {
  readonly json: ObjectValue;
  readonly where: Whereabouts;
  readonly findings: Findings;
}

export function constructPathOf(json: ObjectValue): string | undefined {
  const notes = json["//"];
  const metadata = isObject(notes) ? notes["metadata"] : undefined;
  const path = isObject(metadata) ? metadata["path"] : undefined;
  return typeof path === "string" ? path : undefined;
}

/** Compiles one argument; a string that cannot be read is a finding at its path. */
export function compiled({ findings, where }: Source, value: Value, path: Path): Compiled {
  return compile(value, {
    path,
    report: (error: InvalidExpression, at: Path) => findings.add(error, { ...where, attribute: at }),
  });
}

export function optional(source: Source, name: string): Compiled | undefined {
  const value = source.json[name] ?? null;
  return value === null ? undefined : compiled(source, value, [name]);
}

/** One block or a list of them: JSON writes a single block either way. */
export function blocksOf(value: Value | undefined): readonly ObjectValue[] {
  if (isObject(value)) return [value];
  return isList(value) ? value.filter(isObject) : [];
}

/** Named blocks of one kind: `{ name: body }`. */
export function named(
  value: Value | undefined,
  what: string,
  findings: Findings,
): readonly [string, ObjectValue][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) {
    findings.add(new BrokenStack(`"${what}" is not an object`));
    return [];
  }
  return Object.entries(value).flatMap(([name, body]): [string, ObjectValue][] => {
    const [block] = blocksOf(body);
    if (name === "//") return [];
    if (block !== undefined) return [[name, block]];
    findings.add(new BrokenStack(`"${what}.${name}" is not an object`));
    return [];
  });
}

export function flagOf(json: ObjectValue, name: string): boolean | undefined {
  const value = json[name];
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

export function textOf(json: ObjectValue, name: string): string | undefined {
  const value = json[name];
  return typeof value === "string" ? value : undefined;
}
