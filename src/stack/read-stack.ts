/** Reads the JSON of a synthesized stack into blocks, and refuses by name what the embedded engine does not run. */
import { BrokenStack, InvalidConfiguration, UndeclaredReference, Unsupported } from "../errors";
import { compile, type Compiled } from "../expressions";
import { isObject, parseJson, type ObjectValue, type Value } from "../values";
import { Findings } from "./findings";
import type { Block, ImportBlock, Stack } from "./model";
import { localBlock, outputBlock, variableBlock } from "./named-blocks";
import { inOrder } from "./order";
import { placedBlock, type Reading } from "./placed-blocks";
import { providerBlocks } from "./provider-blocks";
import { removedOf } from "./removed";
import { blocksOf, compiled, named, optional } from "./source";

export interface ReadOptions {
  /** Folder of the stack's file. */
  readonly folder: string;
  /** Types of our resources, data sources and ephemeral resources. */
  readonly types: Types;
  /** Full names of our provider's functions. */
  readonly functions: ReadonlySet<string>;
}

export interface Types {
  readonly resources: ReadonlySet<string>;
  readonly dataSources: ReadonlySet<string>;
  readonly ephemerals: ReadonlySet<string>;
}

/** Members of a stack that only concern Terraform itself, or that we read elsewhere. */
const IGNORED = new Set(["//", "terraform", "moved", "import", "removed"]);
const READ = new Set(["provider", "variable", "locals", "resource", "data", "ephemeral", "output"]);

/**
 * @param text JSON of the stack, as synthesized
 * @throws BrokenStack, InvalidConfiguration with every finding
 */
export function readStack(text: string, options: ReadOptions): Stack {
  const json = parseStack(text, options.folder);
  const findings = new Findings();
  for (const member of Object.keys(json)) {
    if (IGNORED.has(member) || READ.has(member)) continue;
    findings.add(new Unsupported(member === "module" ? "modules" : `"${member}" blocks`));
  }
  const blocks = inOrder(readBlocks(json, options, findings), findings);
  const imports = readImports(json, findings, blocks);
  if (findings.list.length > 0) throw new InvalidConfiguration(findings.list);
  return { folder: options.folder, blocks, imports, removed: removedOf(json["//"]) };
}

function parseStack(text: string, folder: string): ObjectValue {
  let json: Value;
  try {
    json = parseJson(text);
  } catch (cause) {
    throw new BrokenStack("the synthesized stack is not JSON", { file: folder, cause });
  }
  if (!isObject(json)) throw new BrokenStack("the synthesized stack is not a JSON object", { file: folder });
  return json;
}

function readBlocks(
  json: ObjectValue,
  { types, functions }: ReadOptions,
  findings: Findings,
): readonly Block[] {
  const providers = providerBlocks(json, findings);
  const reading: Reading = {
    json,
    findings,
    types,
    providers: new Set(providers.map(({ name }) => name)),
    known: { addresses: addressesIn(json), functions },
  };
  return [
    ...named(json["variable"], "variable", findings).map(([name, body]) =>
      variableBlock(reading, name, body),
    ),
    ...localsOf(json).map(([name, value]) => localBlock(reading, name, value)),
    ...providers.map((provider) => provider.finish(reading)),
    ...placed(json, "resource", reading),
    ...placed(json, "data", reading),
    ...placed(json, "ephemeral", reading),
    ...named(json["output"], "output", findings).map(([name, body]) => outputBlock(reading, name, body)),
  ];
}

function placed(
  json: ObjectValue,
  mode: "resource" | "data" | "ephemeral",
  reading: Reading,
): readonly Block[] {
  const types = json[mode] ?? null;
  if (!isObject(types)) return [];
  return Object.entries(types).flatMap(([type, blocks]) =>
    named(blocks, `${mode}.${type}`, reading.findings).flatMap(
      ([name, body]) => placedBlock(reading, mode, type, name, body) ?? [],
    ),
  );
}

/** Everything that a reference may mean. */
function addressesIn(json: ObjectValue): ReadonlySet<string> {
  const addresses = new Set<string>();
  const names = (value: Value | undefined): readonly string[] => (isObject(value) ? Object.keys(value) : []);
  for (const name of names(json["variable"])) addresses.add(`var.${name}`);
  for (const [name] of localsOf(json)) addresses.add(`local.${name}`);
  for (const mode of ["resource", "data", "ephemeral"] as const) {
    const types = json[mode];
    for (const type of names(types)) {
      const prefix = mode === "resource" ? type : `${mode}.${type}`;
      for (const name of names((types as ObjectValue)[type])) addresses.add(`${prefix}.${name}`);
    }
  }
  return addresses;
}

function localsOf(json: ObjectValue): readonly [string, Value][] {
  return blocksOf(json["locals"]).flatMap((locals) =>
    Object.entries(locals).filter(([name]) => name !== "//"),
  );
}

function readImports(
  json: ObjectValue,
  findings: Findings,
  blocks: readonly Block[],
): readonly ImportBlock[] {
  const known = new Set(blocks.map(({ address }) => address));
  const seen = new Set<string>();
  return blocksOf(json["import"]).flatMap((body): ImportBlock[] => {
    const source = { json: body, findings, where: { address: "import" } };
    const to = body["to"] ?? null;
    const id = body["id"] ?? null;
    if (typeof to !== "string" || id === null) {
      findings.add(new BrokenStack("an import block needs `to` and `id`"));
      return [];
    }
    const target = to.replace(/^\$\{(.*)\}$/s, "$1");
    const address = target.replace(/\[.*$/s, "");
    if (!known.has(address))
      findings.add(new UndeclaredReference(target, "is to be imported, and isn't declared"));
    if (seen.has(target)) findings.add(new BrokenStack(`two import blocks are for ${target}`));
    seen.add(target);
    return [
      {
        to: instanceTemplate(target),
        id: compiled(source, id, ["id"]),
        forEach: optional(source, "for_each"),
      },
    ];
  });
}

/** `tenancy_account.a[each.key]` stands bare; its key is an expression. */
function instanceTemplate(target: string): Compiled {
  const [, address = target, key] = /^([^[]+)\[(.*)\]$/s.exec(target) ?? [];
  if (key === undefined || /^("[^"]*"|\d+)$/.test(key)) return compile(target);
  return compile(`${address}["\${${key}}"]`);
}
