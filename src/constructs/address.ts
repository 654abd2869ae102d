/**
 * Terraform addresses of what L2 makes. They follow from the ids of the constructs alone, so they stay when other things come and
 * go: `tenancy_account.acme`, `tenancy_user_profile.acme_jane`.
 */
import { createHash } from "node:crypto";
import { TerraformStack, Token, type TerraformElement } from "cdktf";
import type { Construct } from "constructs";
import { InvalidValue } from "../errors";

/**
 * Names an element after the constructs above it, from the stack down, and a name of its own.
 *
 * @param names what to add to the path of the scope
 */
export function nameAfter(scope: Construct, element: TerraformElement, ...names: readonly string[]): void {
  const scopes = scope.node.scopes;
  const inside = scopes.slice(scopes.indexOf(TerraformStack.of(scope)) + 1);
  const name = [...inside.map(({ node }) => node.id), ...names].map(part).join("_");
  // A name must not begin with a digit or a hyphen.
  element.overrideLogicalId(/^[A-Za-z_]/.test(name) ? name : `_${name}`);
}

/**
 * One part of an address. Different names give different parts: an underscore, which joins the parts, is doubled, and what
 * holds other characters than letters, digits, `-` and `_` gets eight digits of its digest.
 */
export function part(name: string): string {
  if (Token.isUnresolved(name)) {
    throw new InvalidValue(
      "the name of a user or token is known only after apply, so it can have no address",
      {
        advice: "Write it out.",
      },
    );
  }
  const plain = name.replaceAll("_", "__");
  if (/^[A-Za-z0-9-](?:[\w-]*[A-Za-z0-9-])?$/.test(name)) return plain;
  return `${plain.replace(/[^\w-]+/g, "-").replace(/^[-_]+|[-_]+$/g, "")}-${digestOf(name)}`;
}

/** Id of the construct for a user or token: its name, but for a slash, which would part it, and names that every object has. */
export function idOf(name: string): string {
  return name.includes("/") || name in Object.prototype ? `${part(name)}-${digestOf(name)}` : name;
}

function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}
