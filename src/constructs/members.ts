/**
 * Refuses members that a construct does not have, and values that cannot fit. JavaScript, and TypeScript that was not type-checked, would
 * ignore a misspelt quota, and the plan alone would find a negative one.
 */
import { Token } from "cdktf";
import type { IConstruct } from "constructs";
import { invalidValue, unknownMember } from "../problems";
import { LEAST } from "./generated/l2/declared";

/**
 * @param options the object as the app wrote it; not an object is no concern of this check
 * @param known names of its members
 * @param owner the object, in words: `tenant "acme"`
 * @param objectOf the object that has a member of that name, if there is one: `limits`
 * @throws TENANCY_UNKNOWN_ATTRIBUTE
 */
export function refuseUnknownMembers(
  options: unknown,
  known: readonly string[],
  owner: string,
  { construct, objectOf }: { construct?: IConstruct; objectOf?: (name: string) => string | undefined } = {},
): void {
  if (typeof options !== "object" || options === null) return;
  // A token is an object that is known later.
  if (typeof (options as { readonly resolve?: unknown }).resolve === "function") return;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    throw unknownMember.error(
      { name, owner, known, object: objectOf?.(name) },
      construct === undefined ? {} : { constructPath: construct.node.path },
    );
  }
}

/**
 * @param members values by their paths: `limits.vssNum` of L2, `limitsVssNum` of L1
 * @throws TENANCY_INVALID_VALUE
 */
export function refuseUnfitValues(kind: keyof typeof LEAST, members: object, construct: IConstruct): void {
  const least: Readonly<Record<string, number>> = LEAST[kind];
  for (const [path, value] of Object.entries(members)) {
    if (Token.isUnresolved(value)) continue;
    const property = path.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());
    const problem = problemOf(property, value, Object.hasOwn(least, property) ? least[property] : undefined);
    if (problem !== undefined)
      throw invalidValue.error(`"${path}" ${problem}`, {
        attribute: path.split("."),
        constructPath: construct.node.path,
      });
  }
}

function problemOf(property: string, value: unknown, least: number | undefined): string | undefined {
  if (least !== undefined && typeof value === "number") {
    if (value < least) return `must be ${least} or more, not ${value}`;
    return Number.isInteger(value) ? undefined : `must be a whole number, not ${value}`;
  }
  // A text of L1 may be an expression.
  if (/^(accessU|u)ntil$/.test(property) && typeof value === "string" && !value.includes("${"))
    return DAY.test(value) ? undefined : `must be a day such as "2026-12-04", not ${JSON.stringify(value)}`;
  if (property === "permissions" && typeof (value as { toAttributes?: unknown })?.toAttributes === "function")
    return "must be rights by name in this construct: write `...permissions.toAttributes()` instead";
  return undefined;
}

/** A day as texts give it, without regard to the calendar. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/;
