import { UnknownProvider } from "../../../errors";
import { provider as description } from "../../../resources/provider";
import type { ProviderBlock } from "../../../stack";
import { isWhollyKnown, type ObjectValue } from "../../../values";
import { configurationOf } from "../../planning/configuration";
import { placeOf } from "../place";
import type { Walking } from "../walking";

/** The reading of the service's lists begins here. */
export function visitProvider(block: ProviderBlock, { options, findings, targets }: Walking): void {
  const { open, workspace } = options;
  targets.skip(block.name);
  const { config, diagnostics } = configurationOf(description, block.body.evaluate(workspace.scope()), {
    isKept: false,
  });
  if (!findings.accept(diagnostics, placeOf(block)) || open === undefined) return;
  if (!isWhollyKnown(config)) throw new UnknownProvider(block.name, unknownNames(config));
  targets.begin(block.name, config, open);
}

function unknownNames(config: ObjectValue): readonly string[] {
  return Object.keys(config).filter((name) => !isWhollyKnown(config[name] ?? null));
}
