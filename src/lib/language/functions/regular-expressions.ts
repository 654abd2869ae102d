/** Defines the functions of regular expressions. */
import { type Matcher, RE2JS } from "re2js";
import { expressionFailed } from "../../../problems";
import { collectionOf, emptyObject, type Marked, type Type } from "../../values";
import { MAX_TEXT } from "../limits";
import type { ExpressionFunction } from "../scope";
import { define } from "./define";
import { text } from "./parameters";

/** The matches of the pattern's groups: the text of the match without groups, a list of unnamed ones, an object of named ones. */
const regex = define("regex", [text("pattern"), text("string")], ([pattern, str]) => {
  const [first] = matches(pattern, str);
  if (first === undefined) throw expressionFailed.error("the pattern does not match the string");
  return first;
});

const regexall = define("regexall", [text("pattern"), text("string")], ([pattern, str]) =>
  collectionOf<Marked[]>(typeOfMatch(pattern), [...matches(pattern, str)]),
);

// Patterns in RE2 syntax, which match in linear time.

function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw expressionFailed.error(`the pattern is not a regular expression: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The type of a match's captures: see {@link matches}. */
function typeOfMatch(pattern: string): Type {
  const compiled = compilePattern(pattern);
  const names = Object.keys(compiled.namedGroups());
  if (names.length > 0) return { kind: "object", members: new Map(names.map((name) => [name, TEXT])) };
  const groups = compiled.groupCount();
  return groups === 0 ? "string" : { kind: "tuple", elements: Array<Type>(groups).fill("string") };
}

const TEXT = { type: "string" } as const;

/** The captures of each match: the texts of its groups by name or in order, and without groups its own. */
function* matches(pattern: string, text: string): Generator<Marked> {
  const compiled = compilePattern(pattern);
  const names = Object.entries(compiled.namedGroups());
  if (names.length > 0 && names.length < compiled.groupCount()) {
    throw expressionFailed.error("the pattern has named and unnamed groups; it must be one or the other");
  }
  for (const matcher of matchesOf(compiled, text)) {
    if (matcher.groupCount() === 0) yield matcher.group() ?? "";
    else if (names.length === 0) yield groupsOf(matcher).slice(1);
    else {
      const groups = groupsOf(matcher);
      const groupsByName: Record<string, Marked> = emptyObject();
      for (const [name, position] of names) groupsByName[name] = groups[position] ?? null;
      yield groupsByName;
    }
  }
}

/** In the replacement, `$1`, `$name` and `${name}` mean groups, and `$$` means the character itself. */
export function replaceMatches(text: string, pattern: string, replacement: string): string {
  const compiled = compilePattern(pattern);
  const names = compiled.namedGroups();
  let result = "";
  let end = 0;
  for (const matcher of matchesOf(compiled, text)) {
    const groups = groupsOf(matcher);
    result += text.slice(end, matcher.start());
    result += replacement.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, plain?: string, braced?: string) => {
      const name = plain ?? braced;
      if (name === undefined) return whole[0] ?? "";
      return groups[/^\d+$/.test(name) ? Number(name) : (names[name] ?? -1)] ?? "";
    });
    end = matcher.end();
    if (result.length > MAX_TEXT) throw expressionFailed.error("the string becomes too long");
  }
  return result + text.slice(end);
}

/** The matcher, at each match in turn. An empty match right behind another match does not count. */
function* matchesOf(pattern: RE2JS, text: string): Generator<Matcher> {
  const matcher = pattern.matcher(text);
  let end: number | undefined;
  while (matcher.find()) {
    const isBehindAnother = matcher.start() === end && matcher.end() === end;
    if (isBehindAnother) continue;
    end = matcher.end();
    yield matcher;
  }
}

function groupsOf(matcher: Matcher): (string | null)[] {
  return Array.from({ length: matcher.groupCount() + 1 }, (_unused, index) => matcher.group(index) ?? null);
}

export const regularExpressionFunctions: readonly ExpressionFunction[] = [regex, regexall];
