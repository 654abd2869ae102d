/** The `permissions` attribute (spec 2.4), of a user profile and of an account's primary one. */
import { type Attribute, flag, group, oneOf, textSet, type Attributes } from "../schema";
import { DEPRECATED_RIGHTS, RIGHTS, type Right, type RightGroup } from "./rights";

/**
 * Once declared, exact: a right that is not named is denied. Scopes that are not declared are kept.
 * `undeclared_rights = "keep"` manages only the rights that are named.
 */
export function permissions(): Attribute {
  return group(
    "What the user may do. Once declared it is exact: a right that is not named is denied, because the service would grant most " +
      'of them by default. With `undeclared_rights = "keep"` only the rights that are named are managed. Scopes that are ' +
      "not declared are kept.",
    {
      realm: group("Rights over the whole service.", { rights: rights("realm") }),
      node: group("Rights on storage nodes.", {
        all_realm_scope: flag("Whether the node rights hold for all nodes.").defaultsTo("true on create"),
        nodes: textSet("Nodes that the node rights are limited to; needs `all_realm_scope = false`."),
        rights: rights("node"),
      }),
      vss: group("Rights on virtual storage services.", {
        all_account_scope: flag(
          "Whether the rights hold for all virtual storage services of the account.",
        ).defaultsTo("true on create"),
        vsses: textSet(
          "Virtual storage services that the rights are limited to; needs `all_account_scope = false`.",
        ),
        rights: rights("vss"),
      }),
      user: group("Rights on the account's users.", { rights: rights("user") }),
      account: group("Rights on the account itself.", { rights: rights("account") }),
    },
  );
}

function rights(name: RightGroup): Attribute {
  const attributes: Record<string, Attribute> = {};
  for (const right of RIGHTS[name]) attributes[right] = rightFlag(`${name}.${right}` as Right, right);
  return group(`The rights of the group \`${name}\`; one that is not named is denied.`, attributes);
}

function rightFlag(right: Right, name: string): Attribute {
  const words = name.replaceAll("_", " ");
  const note = DEPRECATED_RIGHTS.has(right) ? " Deprecated by the API." : "";
  return flag(`May ${words.replace(/^can /, "")}.${note}`).absentMeans(false);
}

/** Which of a group's rights that the configuration does not name are kept as they are. */
export function undeclaredRights(): Attributes {
  return {
    undeclared_rights: oneOf(
      "What becomes of rights that `permissions` does not name: `deny` (exact, the default) or `keep`.",
      ["deny", "keep"],
    ).clientOnly("deny"),
  };
}
