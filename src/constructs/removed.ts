import { TerraformElement, Token, type TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { InvalidValue } from "../errors";
import { declaredThough } from "./removed-declared";
import { sentenceOf } from "./uniqueness";

/** What is to be deleted: an account or a user, by its name. */
export type RemovedProps = (
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
  /** Id, besides the name: needed where the record was not made by this configuration. */
  readonly id?: string;
  /** Serial number, in place of the id. */
  readonly serial?: string;
  /**
   * Where it lives, when the stack talks to several services.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
};

/**
 * Declares that an account or a user is to be deleted by the embedded engine: the line that allows it, reviewed as any other. What
 * is still declared is an error when the stack is synthesized. Once it is gone, the plan suggests to remove the line. Terraform
 * ignores it; there, removing the declaration deletes.
 *
 * @example
 * new Removed(this, "acme-left", { account: "acme" });
 */
export class Removed extends TerraformElement {
  /** @throws InvalidValue where a name is known only after apply */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: RemovedProps,
  ) {
    super(scope, id);
    const { account, login, serial } = props;
    if ((account === undefined) === (login === undefined)) {
      throw new InvalidValue("Removed needs an account or a login", {
        constructPath: this.node.path,
        advice: "Give exactly one of them.",
      });
    }
    if ([account, login, props.id, serial].some((text) => Token.isUnresolved(text))) {
      throw new InvalidValue("what is to be removed must be known before the plan", {
        constructPath: this.node.path,
        advice: "Write out the name.",
      });
    }
    this.node.addValidation({ validate: () => declaredThough(this, props).map(sentenceOf) });
  }

  /** An entry in the stack's `//` metadata, which Terraform skips. Arrays of several elements are joined. */
  override toTerraform(): object {
    const { provider, ...names } = this.props;
    const entry = {
      ...names,
      path: this.node.path,
      ...(provider !== undefined && { provider: provider.fqn }),
    };
    return { "//": { tenancy: { removed: [entry] } } };
  }
}
