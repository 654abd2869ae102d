/**
 * Refuses members that a construct does not have, and numbers below their bounds. JavaScript, and TypeScript that was not type-checked, would
 * ignore a misspelt quota, and a negative one would be found by the plan alone.
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
 * @throws TENANCY_UNKNOWN_MEMBER
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
export function refuseBelowLeast(kind: keyof typeof LEAST, members: object, construct: IConstruct): void {
  const least: Readonly<Record<string, number>> = LEAST[kind];
  for (const [path, value] of Object.entries(members)) {
    const property = path.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());
    const bound = Object.hasOwn(least, property) ? least[property] : undefined;
    if (bound === undefined || typeof value !== "number" || Token.isUnresolved(value) || value >= bound)
      continue;
    throw invalidValue.error(`"${path}" must be ${bound} or more, not ${value}`, {
      attribute: path.split("."),
      constructPath: construct.node.path,
    });
  }
}
