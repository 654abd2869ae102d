/** Defines `Release`, which ends the management of an imported tenant or user, and leaves the record alone. */
import { TerraformElement, type TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { releasedAndDeclared } from "../problems";
import { checkNamedObject, deletionEntry } from "./deletion";
import { refuseUnknownMembers } from "./members";

/** The imported account or user to be let go, by its name. */
export type ReleaseProps = (
  | {
      /** Name of the account. */
      readonly account: string;
      readonly login?: never;
    }
  | {
      /** Login of the user, `username@account`. */
      readonly login: string;
      readonly account?: never;
    }
) & {
  /**
   * The provider of its service, if the stack talks to several services.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
};

/**
 * Lets go of an account or a user that was imported: the record stays as it is, and the next apply of the embedded engine no longer manages it.
 * Remove its declaration in the same change. An object that this configuration created cannot be let go. Terraform ignores the line; there, a
 * `removed` block with `destroy = false` does the same.
 *
 * @example
 * new Release(this, "jane-leaves", { login: "jane@acme" });
 */
export class Release extends TerraformElement {
  /** @throws TENANCY_INVALID_VALUE if a name is known only after apply */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ReleaseProps,
  ) {
    super(scope, id);
    refuseUnknownMembers(props, ["account", "login", "provider"], "Release", { construct: this });
    checkNamedObject(this, "Release", props, releasedAndDeclared);
  }

  /** An entry in the stack's `//` metadata, which Terraform skips. Arrays of several elements are joined. */
  override toTerraform(): object {
    return { "//": { tenancy: { released: [deletionEntry(this, this.props)] } } };
  }
}
