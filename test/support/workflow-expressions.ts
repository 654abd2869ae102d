/** Expressions of GitHub's workflows, as far as ours use them. */

export type Context = Readonly<Record<string, unknown>>;

export function filledIn(
  texts: Readonly<Record<string, unknown>> | undefined,
  context: Context,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts ?? {}).map(([name, text]) => [
      name,
      String(text).replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
        String(valueOf(expression, context)),
      ),
    ]),
  );
}

export function isTrue(condition: string, context: Context): boolean {
  const [, bare = condition] = /^\$\{\{ (.*) \}\}$/.exec(condition) ?? [];
  return bare === "" || Boolean(valueOf(bare, context));
}

/** Operators bind as in JavaScript. */
function valueOf(expression: string, context: Context): unknown {
  const text = expression.trim();
  for (const operator of ["||", "&&"] as const) {
    const parts = parted(text, operator);
    if (parts.length === 1) continue;
    const values = parts.map((part) => valueOf(part, context));
    return operator === "||"
      ? (values.find(Boolean) ?? values.at(-1))
      : (values.find((one) => !one) ?? values.at(-1));
  }
  if (text.startsWith("!")) return !valueOf(text.slice(1), context);
  if (text.startsWith("(") && text.endsWith(")")) return valueOf(text.slice(1, -1), context);
  const comparison = /^(\S+) ([!=]=) '(.*)'$/.exec(text);
  if (comparison !== null) {
    const [, name = "", sign, right] = comparison;
    return (valueOf(name, context) === right) === (sign === "==");
  }
  if (text === "always()") return true;
  if (text === "cancelled()") return false;
  const names = text.split(".");
  if (!/^[\w.-]+$/.test(text) || !(names[0] !== undefined && names[0] in context))
    throw new Error(`this expression is not imitated: ${text}`);
  // What is not set is empty.
  return names.reduce<unknown>((from, name) => (from as Context | undefined)?.[name], context) ?? "";
}

/** The parts of an expression between operators that stand outside of parentheses. */
function parted(text: string, operator: string): readonly string[] {
  let depth = 0;
  let from = 0;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    if (depth > 0 || !text.startsWith(operator, at)) continue;
    parts.push(text.slice(from, at));
    from = at + operator.length;
  }
  return [...parts, text.slice(from)];
}
