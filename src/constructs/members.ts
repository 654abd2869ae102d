/**
 * Refuses members that a construct does not have. JavaScript, and TypeScript that was not type-checked, would ignore them: a misspelt quota
 * would be no quota.
 */
import type { IConstruct } from "constructs";
import { unknownMember } from "../problems";

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
