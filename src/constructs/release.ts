/** Defines `Release`, which ends the management of an imported tenant or user, and leaves the record alone. */
import { TerraformElement, type TerraformProvider, Token } from "cdktf";
import type { Construct } from "constructs";
import { invalidValue, releasedAndDeclared } from "../problems";
import { sentenceOf } from "./address";
import { pathsOfDeclarations } from "./deletion";
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
  /** @throws TENANCY_INVALID_VALUE where a name is known only after apply */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ReleaseProps,
  ) {
    super(scope, id);
    refuseUnknownMembers(props, ["account", "login", "provider"], "Release", { construct: this });
    const { account, login } = props;
    if ((account === undefined) === (login === undefined)) {
      throw invalidValue.error("Release needs an account or a login", {
        constructPath: this.node.path,
        advice: "Give exactly one of them.",
      });
    }
    if (Token.isUnresolved(account ?? login)) {
      throw invalidValue.error("what is to be released must be known before the plan", {
        constructPath: this.node.path,
        advice: "Write out the name.",
      });
    }
    this.node.addValidation({
      validate: () =>
        pathsOfDeclarations(this, props).map((path) =>
          sentenceOf(
            releasedAndDeclared.error((account ?? login ?? "").normalize("NFC"), {
              advice: `Remove the declaration (${path}), or the Release (${this.node.path}).`,
            }),
          ),
        ),
    });
  }

  /** An entry in the stack's `//` metadata, which Terraform skips. Arrays of several elements are joined. */
  override toTerraform(): object {
    const { provider, ...names } = this.props;
    const entry = {
      ...names,
      path: this.node.path,
      ...(provider !== undefined && { provider: provider.fqn }),
    };
    return { "//": { tenancy: { released: [entry] } } };
  }
}
