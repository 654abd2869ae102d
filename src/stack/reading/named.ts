import { BrokenStack } from "../../errors";
import { isList, isObject, type ObjectValue, type Value } from "../../values";
import type { Reading } from "./reading";

/** The blocks of a section by their names: `{ "name": { … } }`, each level possibly in a list. */
export function* namedBlocks(
  reading: Reading,
  section: string,
  json: Value | undefined,
): Generator<readonly [name: string, body: ObjectValue]> {
  for (const [name, body] of namedValues(reading, section, json)) {
    for (const one of isList(body) ? body : [body]) {
      if (isObject(one)) yield [name, one];
      else reading.report(new BrokenStack(`"${section}.${name}" must be an object`));
    }
  }
}

/** The members of a section by their names, whatever they are. */
export function* namedValues(
  reading: Reading,
  section: string,
  json: Value | undefined,
): Generator<readonly [name: string, value: Value]> {
  if (json === undefined || json === null) return;
  for (const part of isList(json) ? json : [json]) {
    if (!isObject(part)) reading.report(new BrokenStack(`"${section}" must be an object`));
    else for (const name of Object.keys(part)) if (name !== "//") yield [name, part[name] ?? null];
  }
}
