/** Defines `Deletion`, which deletes a tenant or user by name, and finds objects at synthesis that are both declared and removed. */
import { TerraformElement, type TerraformProvider, TerraformStack, Token } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { invalidValue, removedAndDeclared as deletionAndDeclared } from "../problems";
import { sentenceOf } from "./address";
import { refuseUnknownMembers } from "./members";
import { Account } from "./generated/l1";
import { TenantUser } from "./tenant";

/** The account or user to be deleted, by its name. */
export type DeletionProps = (
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
  /** Id, in addition to the name: needed if this configuration has not created the record. */
  readonly id?: string;
  /** Serial number, in place of the id. */
  readonly serial?: string;
  /**
   * The provider of its service, if the stack talks to several services.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
};

/**
 * Declares that the embedded engine deletes an account or a user. This line allows the deletion, and is reviewed as any other line. If the
 * object is still declared, the synthesis of the stack fails. After the deletion, the plan suggests to remove the line. Terraform ignores
 * it; there, removing the declaration deletes.
 *
 * @example new Deletion(this, "acme-left", { account: "acme" });
 */
export class Deletion extends TerraformElement {
  /** @throws TENANCY_INVALID_VALUE if a name is known only after apply */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: DeletionProps,
  ) {
    super(scope, id);
    refuseUnknownMembers(props, ["account", "login", "id", "serial", "provider"], "Deletion", {
      construct: this,
    });
    checkNamedObject(this, "Deletion", props, deletionAndDeclared);
  }

  /** An entry in the stack's `//` metadata, which Terraform skips. Arrays of several elements are joined. */
  override toTerraform(): object {
    return { "//": { tenancy: { removed: [deletionEntry(this, this.props)] } } };
  }
}

/** The checks of `Deletion` and `Release`: one name is given, all names are known, and the object is not declared as well. */
export function checkNamedObject(
  construct: TerraformElement,
  type: "Deletion" | "Release",
  props: DeletionProps,
  alsoDeclared: typeof deletionAndDeclared,
): void {
  const { account, login, id, serial } = props;
  const constructPath = construct.node.path;
  if ((account === undefined) === (login === undefined))
    throw invalidValue.error(`${type} needs an account or a login`, {
      constructPath,
      advice: "Give exactly one of them.",
    });
  if ([account, login, id, serial].some((text) => Token.isUnresolved(text)))
    throw invalidValue.error(`the object of a ${type} must be known before the plan`, {
      constructPath,
      advice: "Write out the name.",
    });
  construct.node.addValidation({
    validate: () =>
      pathsOfDeclarations(construct, props).map((path) =>
        sentenceOf(
          alsoDeclared.error((account ?? login ?? "").normalize("NFC"), {
            advice: `Remove the declaration (${path}), or the ${type} (${constructPath}).`,
          }),
        ),
      ),
  });
}

/** The object's entry in the stack's `//` metadata. */
export function deletionEntry(construct: TerraformElement, { provider, ...names }: DeletionProps): object {
  return { ...names, path: construct.node.path, ...(provider !== undefined && { provider: provider.fqn }) };
}

/** The paths of the constructs that declare a named account or user, in the stack of a construct. */
function pathsOfDeclarations(
  scope: IConstruct,
  { account, login, provider }: Pick<DeletionProps, "account" | "login" | "provider">,
): readonly string[] {
  const name = (account ?? login)?.normalize("NFC") ?? "";
  return TerraformStack.of(scope)
    .node.findAll()
    .filter((construct) => {
      const declaration = account === undefined ? userIn(construct) : accountOfConstruct(construct);
      return (
        declaration?.name?.normalize("NFC") === name && aliasOf(declaration.provider) === aliasOf(provider)
      );
    })
    .map(({ node }) => node.path);
}

interface DeclaredName {
  readonly name: string | undefined;
  readonly provider: TerraformProvider | undefined;
}

function accountOfConstruct(construct: IConstruct): DeclaredName | undefined {
  return construct instanceof Account
    ? { name: construct.nameInput, provider: construct.provider }
    : undefined;
}

/** The login of a user that is declared without its tenant is not known here; the plan checks it. */
function userIn(construct: IConstruct): DeclaredName | undefined {
  return construct instanceof TenantUser
    ? { name: construct.login, provider: construct.userProfile.provider }
    : undefined;
}

function aliasOf(provider: TerraformProvider | undefined): string {
  return provider?.alias ?? "";
}
