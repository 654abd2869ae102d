import type { ITerraformDependable, TerraformProvider } from "cdktf";
import type { Permissions } from "./permissions";

interface Given {
  readonly permissions?: Permissions | undefined;
  readonly undeclaredRights?: "deny" | "keep" | undefined;
  readonly dependsOn?: readonly ITerraformDependable[] | undefined;
}

/** The parts of an L1 configuration that L2 has another form for. */
export function resourceConfig(
  { provider }: { readonly provider: TerraformProvider | undefined },
  { permissions, undeclaredRights, dependsOn }: Given,
): Record<string, unknown> {
  return {
    ...(provider !== undefined && { provider }),
    ...permissions?.toAttributes(undeclaredRights),
    ...(dependsOn !== undefined && dependsOn.length > 0 && { dependsOn: [...dependsOn] }),
  };
}
