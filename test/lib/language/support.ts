import { evaluate, parseExpression, type Scope } from "../../../src/lib/language";
import { bare, type Marked, type Value } from "../../../src/lib/values";

/** A scope in which `var.x`, `local.x` and resources have the given values, by their addresses. */
export function scopeOf(values: Readonly<Record<string, Marked>> = {}, more: Partial<Scope> = {}): Scope {
  return {
    folder: __dirname,
    resolve(reference) {
      const root = "type" in reference ? `${reference.type}.${reference.name}` : reference.kind;
      const address = root === reference.kind && "name" in reference ? `${root}.${reference.name}` : root;
      return values[address] ?? null;
    },
    ...more,
  };
}

/** The marked value of an expression. */
export function evaluated(text: string, values: Readonly<Record<string, Marked>> = {}): Marked {
  return evaluate(parseExpression(text), scopeOf(values));
}

/** The value of an expression, without marks, and with plain objects that tests can compare. */
export function valueOf(text: string, values: Readonly<Record<string, Marked>> = {}): Value {
  return plain(bare(evaluated(text, values)));
}

export function plain(value: Value): Value {
  if (Array.isArray(value)) return (value as readonly Value[]).map(plain);
  if (typeof value !== "object" || value === null || value.constructor !== undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member as Value)]));
}
