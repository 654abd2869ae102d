/** A configuration as Terraform sends it: converted, and held against the limits of its description. */
import type { Diagnostic } from "../../errors";
import { conform, validate, type Description } from "../../schema";
import type { ObjectValue } from "../../values";

/** What resources, data sources and ephemeral resources have in common. */
interface Described {
  readonly description: Description;
  /** Rules between attributes; known values only. */
  check?(config: ObjectValue): readonly Diagnostic[];
}

export interface Checked {
  readonly config: ObjectValue;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parts may be unknown; what is not known is not judged. */
export function checked(described: Described, raw: ObjectValue): Checked {
  const { attributes } = described.description;
  const { config, diagnostics } = conform(attributes, raw);
  const rules = described.check?.(config) ?? [];
  return { config, diagnostics: [...diagnostics, ...validate(attributes, config), ...rules] };
}

/** A configuration that was checked before, and is wholly known now. */
export function conformed({ description }: Described, raw: ObjectValue): ObjectValue {
  return conform(description.attributes, raw).config;
}
