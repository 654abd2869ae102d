/** What must be there once in a stack: tenants of one name in one service, resources of one address. */
import { TerraformResource, TerraformStack, type TerraformProvider } from "cdktf";
import type { IConstruct } from "constructs";
import { DuplicateAddress, DuplicateTenant, type TenancyError } from "../errors";

interface Named extends IConstruct {
  readonly name: string;
  readonly provider: TerraformProvider | undefined;
}

const watched = new WeakSet<TerraformStack>();

/** Has the stack validated when it is synthesized, once for all of its tenants. */
export function keepUnique(tenant: Named, isTenant: (construct: IConstruct) => construct is Named): void {
  const stack = TerraformStack.of(tenant);
  if (watched.has(stack)) return;
  watched.add(stack);
  stack.node.addValidation({ validate: () => duplicatesIn(stack, isTenant).map(sentenceOf) });
}

function duplicatesIn(
  stack: TerraformStack,
  isTenant: (construct: IConstruct) => construct is Named,
): readonly TenancyError[] {
  const tenants = new Map<string, string>();
  const resources = new Map<string, string>();
  const errors: TenancyError[] = [];
  for (const construct of stack.node.findAll()) {
    const { path } = construct.node;
    if (isTenant(construct)) {
      const key = JSON.stringify([construct.provider?.alias ?? "", construct.name.normalize("NFC")]);
      const first = tenants.get(key);
      if (first === undefined) tenants.set(key, path);
      else errors.push(new DuplicateTenant(construct.name, first, path));
    } else if (TerraformResource.isTerraformResource(construct)) {
      const address = `${construct.terraformResourceType}.${construct.friendlyUniqueId}`;
      const first = resources.get(address);
      if (first === undefined) resources.set(address, path);
      else errors.push(new DuplicateAddress(address, first, path));
    }
  }
  return errors;
}

/** A finding as `validate` of a construct answers it. */
export function sentenceOf(error: TenancyError): string {
  return `${error.code}: ${error.message}. ${error.advice ?? ""}`;
}
