/** From an evaluated block to the configuration that a resource plans with. */
import { EphemeralValue, LiteralSecret, asWarning, type Diagnostic } from "../../errors";
import { unmark, type Marked } from "../../expressions";
import { attributeAt, conform, validate, type Attributes, type Description } from "../../schema";
import { formatPath, isObject, startsWith, type ObjectValue, type Path, type Value } from "../../values";

export interface Configuration {
  readonly config: ObjectValue;
  /** Paths of what must not be shown. */
  readonly sensitive: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ConfigurationOptions {
  /** Whether the configuration is kept, in a plan or state, so that it can hold no ephemeral value. @default true */
  readonly isKept?: boolean;
}

/** Converts to the description's types and checks its limits. Findings name attributes; whoever calls adds the address. */
export function configurationOf(
  description: Description,
  evaluated: Marked,
  { isKept = true }: ConfigurationOptions = {},
): Configuration {
  const { value, sensitive, ephemeral } = unmark(evaluated);
  const { attributes } = description;
  const { config, diagnostics } = conform(attributes, isObject(value) ? value : {});
  return {
    config,
    sensitive,
    diagnostics: [
      ...diagnostics,
      ...validate(attributes, config),
      ...(isKept ? ephemeral.flatMap((path) => misplaced(attributes, path)) : []),
      ...literalSecrets(attributes, config, [...sensitive, ...ephemeral]),
    ],
  };
}

/** An ephemeral value may be nowhere but in an attribute that is not kept. */
function misplaced(attributes: Attributes, path: Path): readonly Diagnostic[] {
  return attributeAt(attributes, path)?.writeOnly === true
    ? []
    : new EphemeralValue(formatPath(path), { attribute: path }).toDiagnostics();
}

function literalSecrets(
  attributes: Attributes,
  config: ObjectValue,
  guarded: readonly Path[],
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  visit(attributes, config, []);
  return found;

  function visit(level: Attributes, values: ObjectValue, parent: Path): void {
    for (const name in values) {
      const attribute = level[name];
      const value: Value = values[name] ?? null;
      const path = [...parent, name];
      if (attribute?.shape.kind === "group" && isObject(value)) {
        if (parent.length === 0 && name === "permissions") continue;
        visit(attribute.shape.attributes, value, path);
      } else if (attribute?.sensitive === true && typeof value === "string") {
        if (guarded.some((place) => startsWith(path, place))) continue;
        found.push(...asWarning(new LiteralSecret(formatPath(path), { attribute: path })));
      }
    }
  }
}
