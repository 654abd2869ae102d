/** What is both declared and to be removed: a slip that the plan would refuse, found when the stack is synthesized. */
import { TerraformStack, type TerraformProvider } from "cdktf";
import type { IConstruct } from "constructs";
import { RemovedAndDeclared } from "../errors";
import { Account } from "./generated/l1";
import type { RemovedProps } from "./removed";
import { TenantUser } from "./tenant-user";

/** @returns a finding for each construct that declares what `removed` names */
export function declaredThough(
  removed: IConstruct,
  { account, login, provider }: RemovedProps,
): readonly RemovedAndDeclared[] {
  const name = (account ?? login)?.normalize("NFC") ?? "";
  return TerraformStack.of(removed)
    .node.findAll()
    .filter((construct) => {
      const declared = account === undefined ? userIn(construct) : accountIn(construct);
      return declared?.name?.normalize("NFC") === name && aliasOf(declared.provider) === aliasOf(provider);
    })
    .map(
      ({ node }) =>
        new RemovedAndDeclared(name, {
          advice: `Remove the declaration (${node.path}), or the Removed (${removed.node.path}).`,
        }),
    );
}

interface Declared {
  readonly name: string | undefined;
  readonly provider: TerraformProvider | undefined;
}

function accountIn(construct: IConstruct): Declared | undefined {
  return construct instanceof Account
    ? { name: construct.nameInput, provider: construct.provider }
    : undefined;
}

/** Of users that are declared without their tenant nothing tells the login here; the plan does. */
function userIn(construct: IConstruct): Declared | undefined {
  return construct instanceof TenantUser
    ? { name: construct.login, provider: construct.userProfile.provider }
    : undefined;
}

function aliasOf(provider: TerraformProvider | undefined): string {
  return provider?.alias ?? "";
}
