/** Notes in which order an app creates its stacks: a file of its own since the generated provider calls it. */
import type { TerraformProvider, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

/** The stacks of an app that have a provider, in the order of their creation. */
const stacksOfApps = new WeakMap<IConstruct, TerraformStack[]>();

/**
 * Writes into the stack's metadata, which Terraform skips, how many stacks with a provider came before it. CDKTF's manifest lists the stacks by
 * name. A stack may have several providers: the first one counts.
 */
export function noteStackOrder({ cdktfStack: stack }: TerraformProvider): void {
  const app = stack.node.root;
  const stacks = stacksOfApps.get(app) ?? [];
  if (stacks.includes(stack)) return;
  stack.addOverride("//.tenancy.order", stacks.length);
  stacksOfApps.set(app, [...stacks, stack]);
}
