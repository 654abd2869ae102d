/**
 * Notes in a stack's metadata, which Terraform skips, how many stacks with a provider the app had created before it. CDKTF's manifest lists
 * the stacks by their names, so that commands could not know the order in which the app created them: dev, staging, production.
 */
import type { TerraformProvider, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

/** The stacks of an app that have a provider, in the order of their creation. */
const stacksOfApps = new WeakMap<IConstruct, TerraformStack[]>();

/** Called by the provider's constructor. A stack may have several providers: the first one counts. */
export function noteStackOrder({ cdktfStack: stack }: TerraformProvider): void {
  const app = stack.node.root;
  const stacks = stacksOfApps.get(app) ?? [];
  if (stacks.includes(stack)) return;
  stack.addOverride("//.tenancy.order", stacks.length);
  stacksOfApps.set(app, [...stacks, stack]);
}
