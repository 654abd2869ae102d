/** Resources, data sources and ephemeral resources: what has a type, a name and meta-arguments. */
import { UndeclaredReference, Unsupported } from "../errors";
import { isList, type ObjectValue, type Value } from "../values";
import type { Findings } from "./findings";
import { lifecycleOf } from "./lifecycle";
import type { Block } from "./model";
import { expressionsOf } from "./named-blocks";
import type { Types } from "./read-stack";
import { dependenciesOf, type Known } from "./references";
import { compiled, constructPathOf, optional, textOf } from "./source";

/** What reading one block needs to know of the others. */
export interface Reading {
  readonly json: ObjectValue;
  readonly findings: Findings;
  readonly types: Types;
  readonly known: Known;
  /** Names of our provider's configurations. */
  readonly providers: ReadonlySet<string>;
}

type Mode = "resource" | "data" | "ephemeral";

const META = new Set([
  "//",
  "count",
  "for_each",
  "depends_on",
  "lifecycle",
  "provider",
  "provisioner",
  "connection",
]);
const VALUES = new Set(["null_resource", "terraform_data"]);
const REMOTE_STATE = "terraform_remote_state";
const CROSS_STACK = /^cross-stack-reference-input-/;

/** @returns undefined for what is refused; the findings say why */
export function placedBlock(
  reading: Reading,
  mode: Mode,
  type: string,
  name: string,
  json: ObjectValue,
): Block | undefined {
  const { findings, known } = reading;
  const address = mode === "resource" ? `${type}.${name}` : `${mode}.${type}.${name}`;
  const constructPath = constructPathOf(json);
  const where = { address, ...(constructPath !== undefined && { constructPath }) };
  const kind = kindOf(reading.types, mode, type, name);
  if (kind === undefined) {
    findings.add(new Unsupported(nameOfForeign(mode, type)), where);
    return undefined;
  }
  for (const refused of ["provisioner", "connection"]) {
    if ((json[refused] ?? null) !== null)
      findings.add(new Unsupported(`a ${refused}`), { ...where, attribute: [refused] });
  }
  const source = { json, findings, where };
  const count = optional(source, "count");
  const forEach = optional(source, "for_each");
  if (count !== undefined && forEach !== undefined)
    findings.add(new Unsupported("count and for_each in one block"), where);
  const lifecycle = lifecycleOf(source);
  const body = compiled(source, withoutMeta(json), []);
  const inside = { each: forEach !== undefined, count: count !== undefined };
  const provider = textOf(json, "provider") ?? "tenancy";
  const usesProvider = kind === "resource" || kind === "data" || kind === "ephemeral";
  if (usesProvider && !reading.providers.has(provider))
    findings.add(new UndeclaredReference(`the provider "${provider}"`, "isn't declared"), where);
  const dependencies = [
    ...dependenciesOf([count, forEach], known, {}, findings, where),
    ...dependenciesOf([body, ...expressionsOf(lifecycle.preconditions)], known, inside, findings, where),
    // A postcondition may refer to its own object by its address.
    ...dependenciesOf(
      expressionsOf(lifecycle.postconditions),
      known,
      { ...inside, self: true },
      findings,
      where,
    ).filter((other) => other !== address),
    ...dependsOn(json["depends_on"] ?? null, reading, where),
    ...(usesProvider ? [`provider.${provider}`] : []),
  ];
  const common = { address, type, name, constructPath, count, forEach, body, lifecycle, dependencies };
  switch (kind) {
    case "value":
      return { ...common, kind };
    case "remote-state":
      return { ...common, kind, stack: name.replace(CROSS_STACK, "") };
    default:
      return { ...common, kind, provider };
  }
}

function kindOf(types: Types, mode: Mode, type: string, name: string) {
  if (mode === "resource" && types.resources.has(type)) return "resource";
  if (mode === "resource" && VALUES.has(type)) return "value";
  if (mode === "data" && types.dataSources.has(type)) return "data";
  if (mode === "data" && type === REMOTE_STATE && CROSS_STACK.test(name)) return "remote-state";
  if (mode === "ephemeral" && types.ephemerals.has(type)) return "ephemeral";
  return undefined;
}

function nameOfForeign(mode: Mode, type: string): string {
  const noun = mode === "resource" ? "resources" : mode === "data" ? "data sources" : "ephemeral resources";
  if (type === REMOTE_STATE)
    return "terraform_remote_state, but for references between stacks of the same app";
  return type.startsWith("tenancy_")
    ? `"${type}": this provider has no such ${noun}`
    : `${noun} of other providers ("${type}")`;
}

function withoutMeta(json: ObjectValue): ObjectValue {
  const body: Record<string, Value> = {};
  for (const name in json) if (!META.has(name)) body[name] = json[name] ?? null;
  return body;
}

function dependsOn(
  value: Value,
  { known, findings }: Reading,
  where: { address: string },
): readonly string[] {
  return (isList(value) ? value : []).flatMap((entry) => {
    if (typeof entry !== "string") return [];
    const address = entry.replace(/^\$\{(.*)\}$/s, "$1").replace(/\[.*$/s, "");
    if (known.addresses.has(address)) return [address];
    findings.add(new UndeclaredReference(entry, "is in depends_on, and isn't declared"), where);
    return [];
  });
}
