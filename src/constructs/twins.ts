/** What must be there once in a stack, and is there twice. */
import { TerraformResource, TerraformStack, type TerraformProvider } from "cdktf";
import type { IConstruct } from "constructs";
import { DuplicateAddress, DuplicateTenant, formatDiagnostic, type TenancyError } from "../errors";

interface Named extends IConstruct {
  readonly name: string;
  readonly provider: TerraformProvider | undefined;
}

/**
 * Other tenants of the same name and service, and other resources with the address of one of the tenant's own. Each pair is found
 * once, by the construct that comes later.
 */
export function twinsOf<T extends Named>(tenant: T, isTenant: (other: IConstruct) => other is T): string[] {
  const own = new Map(
    tenant.node
      .findAll()
      .filter((construct) => TerraformResource.isTerraformResource(construct))
      .map((resource) => [addressOf(resource), resource]),
  );
  const errors: TenancyError[] = [];
  for (const other of earlierThan(tenant)) {
    if (isTenant(other) && other.name === tenant.name && serviceOf(other) === serviceOf(tenant)) {
      errors.push(new DuplicateTenant(tenant.name, other.node.path, tenant.node.path));
    } else if (TerraformResource.isTerraformResource(other)) {
      const twin = own.get(addressOf(other));
      if (twin === undefined) continue;
      errors.push(new DuplicateAddress(addressOf(other), other.node.path, twin.node.path));
    }
  }
  return errors.map((error) => {
    const [diagnostic] = error.toDiagnostics();
    const sentence = diagnostic === undefined ? error.message : formatDiagnostic(diagnostic);
    return `${error.code}: ${sentence}. ${error.advice ?? ""}`;
  });
}

/** The constructs of the stack that were made before. */
function* earlierThan(construct: IConstruct): Iterable<IConstruct> {
  const stack = TerraformStack.of(construct);
  for (const other of stack.node.findAll()) {
    if (other === construct) return;
    if (TerraformStack.of(other) === stack) yield other;
  }
}

function addressOf(resource: TerraformResource): string {
  return `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
}

function serviceOf({ provider }: Named): string {
  return provider?.alias ?? "";
}
