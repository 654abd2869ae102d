/** Reads resources, data sources and ephemeral resources. */
import { BrokenStack, UnknownType, Unsupported, UnsupportedProvider } from "../../errors";
import { setMember, type ObjectValue, type Value } from "../../values";
import type { Block, DataBlock, EphemeralBlock, RemoteStateBlock, ResourceBlock, ValueBlock } from "../model";
import type { Names } from "../types";
import { withoutBraces, type BlockReader } from "./block-reader";
import { constructPathOf } from "./construct-path";
import { readLifecycle } from "./lifecycle";
import { namedBlocks, namedValues } from "./named";
import type { Reading, Surroundings } from "./reading";
import { stackOfRemoteState } from "./remote-state";

const SECTIONS = ["resource", "data", "ephemeral"] as const;
type Section = (typeof SECTIONS)[number];

type PlacedBlock = ResourceBlock | ValueBlock | DataBlock | RemoteStateBlock | EphemeralBlock;

export function* readPlacedBlocks(reading: Reading, root: ObjectValue): Generator<Block> {
  for (const section of SECTIONS) {
    for (const [type, blocks] of namedValues(reading, section, root[section])) {
      for (const [name, json] of namedBlocks(reading, `${section}.${type}`, blocks)) {
        const block = readBlock(reading, { section, type, name }, json);
        if (block !== undefined) yield block;
      }
    }
  }
}

interface Identity {
  readonly section: Section;
  readonly type: string;
  readonly name: string;
}

function readBlock(reading: Reading, identity: Identity, json: ObjectValue): PlacedBlock | undefined {
  const { section, type, name } = identity;
  const address = section === "resource" ? `${type}.${name}` : `${section}.${type}.${name}`;
  const twice = reading.isDeclared(address);
  const reader = reading.block(address, constructPathOf(json));
  if (twice) reader.report(new BrokenStack(`"${address}" is declared twice`));
  const sort = sortOf(identity);
  if (sort === undefined) return refuseType(reader, identity);
  refuseMeta(reader, json);
  const placed = { address, type, name, ...readParts(reader, json, sort === "resource") };
  switch (sort) {
    case "resource":
    case "data":
    case "ephemeral": {
      const known = typesOf(reading, sort);
      if (!known.has(type)) reader.report(new UnknownType(WORDS[sort], type, known.keys()));
      const provider = readProvider(reader, json["provider"]);
      return { kind: sort, ...placed, provider, dependencies: reader.dependencies };
    }
    case "value":
      return { kind: "value", ...placed, dependencies: reader.dependencies };
    case "remote-state": {
      const stack = stackOfRemoteState(reader, name);
      return { kind: "remote-state", ...placed, stack, dependencies: reader.dependencies };
    }
  }
}

/** What the embedded engine does with the type; undefined where it belongs to another provider. */
function sortOf({ section, type }: Identity): PlacedBlock["kind"] | undefined {
  if (type.startsWith("tenancy_")) return section;
  if (section === "resource" && (type === "null_resource" || type === "terraform_data")) return "value";
  return section === "data" && type === "terraform_remote_state" ? "remote-state" : undefined;
}

const WORDS = {
  resource: "resource",
  data: "data source",
  ephemeral: "ephemeral resource",
} as const;

function typesOf(reading: Reading, sort: Section): Names {
  const { resources, dataSources, ephemerals } = reading.options.types;
  return { resource: resources, data: dataSources, ephemeral: ephemerals }[sort];
}

function refuseType(reader: BlockReader, { section, type }: Identity): undefined {
  reader.report(new UnsupportedProvider(`the ${WORDS[section]} "${type}" of another provider`));
}

function refuseMeta(reader: BlockReader, json: ObjectValue): void {
  if (present(json["provisioner"])) reader.report(new Unsupported("provisioners"), ["provisioner"]);
  if (present(json["connection"])) reader.report(new Unsupported("connections"), ["connection"]);
  if (present(json["dynamic"])) {
    reader.report(new Unsupported("dynamic blocks", { advice: "Use a list with a for expression." }), [
      "dynamic",
    ]);
  }
}

function readParts(
  reader: BlockReader,
  json: ObjectValue,
  ours: boolean,
): Pick<PlacedBlock, "constructPath" | "count" | "forEach" | "body" | "lifecycle"> {
  const count = reader.compileOptional(json["count"], ["count"]);
  const forEach = reader.compileOptional(json["for_each"], ["for_each"]);
  if (count && forEach) reader.report(new BrokenStack("count and for_each exclude each other"), ["for_each"]);
  const surroundings: Surroundings = { count: count !== undefined, each: forEach !== undefined };
  reader.dependsOn(json["depends_on"]);
  return {
    constructPath: reader.where.constructPath,
    count,
    forEach,
    lifecycle: readLifecycle(reader, json["lifecycle"], { surroundings, ours }),
    body: reader.compile(attributesOf(json), [], surroundings),
  };
}

/** What stands in a block besides its attributes. */
const META: ReadonlySet<string> = new Set([
  "//",
  "count",
  "for_each",
  "depends_on",
  "provider",
  "lifecycle",
  "provisioner",
  "connection",
  "dynamic",
]);

function attributesOf(json: ObjectValue): ObjectValue {
  const attributes: Record<string, Value> = {};
  for (const name in json) if (!META.has(name)) setMember(attributes, name, json[name] ?? null);
  return attributes;
}

/** `tenancy` or `tenancy.alias`. */
function readProvider(reader: BlockReader, json: Value | undefined): string {
  const name = withoutBraces(reader.text(json, ["provider"]) ?? "tenancy");
  const address = `provider.${name}`;
  reader.reading.needProvider(address, { ...reader.where, attribute: ["provider"] });
  reader.need(address);
  return name;
}

function present(json: Value | undefined): boolean {
  if (json === undefined || json === null) return false;
  return !Array.isArray(json) || json.length > 0;
}
