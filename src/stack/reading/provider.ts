import { BrokenStack, UnsupportedProvider } from "../../errors";
import type { Value } from "../../values";
import type { ProviderBlock } from "../model";
import { namedBlocks } from "./named";
import type { Reading } from "./reading";

export function* readProviders(reading: Reading, section: Value | undefined): Generator<ProviderBlock> {
  for (const [type, body] of namedBlocks(reading, "provider", section)) {
    if (type === "null" || type === "terraform") continue;
    const { "//": _comment, alias: given, version: _version, ...attributes } = body;
    const alias = typeof given === "string" ? `.${given}` : "";
    const address = `provider.${type}${alias}`;
    const twice = reading.isDeclared(address);
    const reader = reading.block(address);
    if (type !== "tenancy") {
      reader.report(new UnsupportedProvider(`the provider "${type}"`));
      continue;
    }
    if (twice) {
      reader.report(
        new BrokenStack(`the provider configuration "${type}${alias}" is declared twice`, {
          advice: "Give one of them another alias.",
        }),
      );
    }
    yield {
      kind: "provider",
      address,
      name: `${type}${alias}`,
      body: reader.compile(attributes, []),
      dependencies: reader.dependencies,
    };
  }
}
