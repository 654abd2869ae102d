/** Provider configurations: ours, with their aliases; others only where they need nothing. */
import { Unsupported } from "../errors";
import { isObject, type ObjectValue } from "../values";
import type { Findings } from "./findings";
import type { ProviderBlock } from "./model";
import type { Reading } from "./placed-blocks";
import { dependenciesOf } from "./references";
import { blocksOf, compiled, textOf } from "./source";

/** Providers whose resources are mere values, so that their configuration does not matter. */
const HARMLESS = new Set(["null", "terraform"]);

/** A provider's name, and the block once it is known what can be referred to. */
export interface FoundProvider {
  readonly name: string;
  finish(reading: Reading): ProviderBlock;
}

export function providerBlocks(json: ObjectValue, findings: Findings): readonly FoundProvider[] {
  const providers = json["provider"] ?? null;
  const found: FoundProvider[] = [];
  for (const [type, blocks] of Object.entries(isObject(providers) ? providers : {})) {
    if (type === "//" || HARMLESS.has(type)) continue;
    if (type !== "tenancy") {
      findings.add(new Unsupported(`the provider "${type}"`));
      continue;
    }
    for (const block of blocksOf(blocks)) found.push(foundProvider(block));
  }
  checkSource(json, findings);
  // Without a block, the environment configures the provider.
  if (!found.some(({ name }) => name === "tenancy") && usesDefault(json)) found.unshift(foundProvider({}));
  return found;
}

function foundProvider(block: ObjectValue): FoundProvider {
  const alias = textOf(block, "alias");
  const name = alias === undefined ? "tenancy" : `tenancy.${alias}`;
  return {
    name,
    finish({ findings, known }) {
      const where = { address: `provider.${name}` };
      const { alias: _alias, version: _version, "//": _notes, ...json } = block;
      const body = compiled({ json, findings, where }, json, []);
      return {
        kind: "provider",
        address: where.address,
        name,
        body,
        dependencies: dependenciesOf([body], known, {}, findings, where),
      };
    },
  };
}

function usesDefault(json: ObjectValue): boolean {
  return ["resource", "data", "ephemeral"].some((mode) => {
    const types = json[mode];
    return (
      isObject(types) &&
      Object.entries(types).some(
        ([type, blocks]) =>
          type.startsWith("tenancy_") &&
          isObject(blocks) &&
          Object.values(blocks).some((block) => isObject(block) && textOf(block, "provider") === undefined),
      )
    );
  });
}

function checkSource(json: ObjectValue, findings: Findings): void {
  const terraform = json["terraform"] ?? null;
  for (const settings of blocksOf(terraform)) {
    for (const required of blocksOf(settings["required_providers"])) {
      const tenancy = required["tenancy"];
      const source = isObject(tenancy) ? textOf(tenancy, "source") : undefined;
      if (source !== undefined && !/(^|\/)tenancy\/tenancy$/.test(source))
        findings.add(new Unsupported(`the provider source "${source}"`));
    }
  }
}
