import { placeOf } from "../../../errors";
import type { ProviderBlock } from "../../../stack";
import { providerConfiguration, requireKnown } from "../../planning/provider-configuration";
import type { Walking } from "../walking";

/** The reading of the service's lists begins here. */
export function visitProvider(block: ProviderBlock, { options, findings, targets }: Walking): void {
  const { open, workspace } = options;
  targets.skip(block.name);
  const { config, diagnostics } = providerConfiguration(block, workspace.scope());
  if (!findings.accept(diagnostics, placeOf(block)) || open === undefined) return;
  requireKnown(block, config);
  targets.begin(block.name, config, open);
}
