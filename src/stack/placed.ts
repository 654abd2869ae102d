/** Reads resources, data sources and ephemeral resources. */
import { parseExpression } from "../lib/language";
import {
  brokenStack,
  invalidExpression,
  undeclaredReference,
  undeclaredName,
  unsupported,
  unsupportedProvider,
} from "../problems";
import { isList, isObject, type ObjectValue, type Path, setMember, type Value } from "../lib/values";
import type {
  Block,
  DataBlock,
  EphemeralBlock,
  Lifecycle,
  NameSet,
  RemoteStateBlock,
  ResourceBlock,
  ValueBlock,
} from "./model";
import {
  type BlockReader,
  constructPathOf,
  namedBlocks,
  namedValues,
  type Reading,
  type InstanceNames,
  withoutBraces,
} from "./reader";

const SECTIONS = ["resource", "data", "ephemeral"] as const;
type PlacedSection = (typeof SECTIONS)[number];

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
  readonly section: PlacedSection;
  readonly type: string;
  readonly name: string;
}

function readBlock(reading: Reading, identity: Identity, json: ObjectValue): PlacedBlock | undefined {
  const { section, type, name } = identity;
  const address = section === "resource" ? `${type}.${name}` : `${section}.${type}.${name}`;
  const twice = reading.isDeclared(address);
  const reader = reading.block(address, constructPathOf(json));
  if (twice) reader.report(brokenStack.error(`"${address}" is declared twice`));
  const sort = sortOf(identity);
  if (sort === undefined) return refuseType(reader, identity);
  refuseMeta(reader, json);
  const placed = { address, type, name, ...readParts(reader, json, sort === "resource") };
  switch (sort) {
    case "resource":
    case "data":
    case "ephemeral": {
      const known = typesOf(reading, sort);
      if (!known.has(type))
        reader.report(
          undeclaredName.error({ sort: SECTION_WORDS[sort], name: type, known: [...known.keys()] }),
        );
      const provider = readProvider(reader, json["provider"]);
      return { kind: sort, provider, dependencies: reader.dependencies, ...placed };
    }
    case "value":
      return { kind: "value", dependencies: reader.dependencies, ...placed };
    case "remote-state": {
      const stack = stackOfRemoteState(reader, name);
      return { kind: "remote-state", stack, dependencies: reader.dependencies, ...placed };
    }
  }
}

/** The embedded engine's treatment of the type; undefined if it belongs to another provider. */
function sortOf({ section, type }: Identity): PlacedBlock["kind"] | undefined {
  if (type.startsWith("tenancy_")) return section;
  if (section === "resource" && (type === "null_resource" || type === "terraform_data")) return "value";
  return section === "data" && type === "terraform_remote_state" ? "remote-state" : undefined;
}

const SECTION_WORDS = {
  resource: "resource",
  data: "data source",
  ephemeral: "ephemeral resource",
} as const;

function typesOf(reading: Reading, sort: PlacedSection): NameSet {
  const { resources, dataSources, ephemerals } = reading.options.types;
  return { resource: resources, data: dataSources, ephemeral: ephemerals }[sort];
}

function refuseType(reader: BlockReader, { section, type }: Identity): undefined {
  reader.report(unsupportedProvider.error(`the ${SECTION_WORDS[section]} "${type}" of another provider`));
}

function refuseMeta(reader: BlockReader, json: ObjectValue): void {
  if (isPresent(json["provisioner"])) reader.report(unsupported.error("provisioners"), ["provisioner"]);
  if (isPresent(json["connection"])) reader.report(unsupported.error("connections"), ["connection"]);
  if (isPresent(json["dynamic"])) {
    reader.report(unsupported.error("dynamic blocks", { advice: "Use a list with a for expression." }), [
      "dynamic",
    ]);
  }
}

function readParts(
  reader: BlockReader,
  json: ObjectValue,
  isOfTenancy: boolean,
): Pick<PlacedBlock, "constructPath" | "suspended" | "count" | "forEach" | "enabled" | "body" | "lifecycle"> {
  const count = reader.compileOptional(json["count"], ["count"]);
  const forEach = reader.compileOptional(json["for_each"], ["for_each"]);
  if (count && forEach)
    reader.report(brokenStack.error("count and for_each exclude each other"), ["for_each"]);
  const lifecycles = reader.objects(json["lifecycle"], ["lifecycle"]);
  const enabled = reader.compileOptional(lifecycles.map((part) => part["enabled"]).find(isPresent), [
    "lifecycle",
    "enabled",
  ]);
  if (enabled && (count ?? forEach))
    reader.report(brokenStack.error("enabled excludes count and for_each"), ["lifecycle", "enabled"]);
  const names: InstanceNames = { count: count !== undefined, each: forEach !== undefined };
  reader.dependsOn(json["depends_on"]);
  const comment = json["//"] ?? null;
  const note = isObject(comment) ? (comment["tenancy"] ?? null) : null;
  const suspended = isObject(note) ? note["suspended"] : undefined;
  return {
    constructPath: reader.where.constructPath,
    suspended: typeof suspended === "boolean" ? suspended : undefined,
    count,
    forEach,
    enabled,
    lifecycle: readLifecycle(reader, lifecycles, names, isOfTenancy),
    body: reader.compile(attributesOf(json), [], names),
  };
}

/** The parts of a block that are no attributes. */
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
  reader.reading.needProvider(address, { attribute: ["provider"], ...reader.where });
  reader.need(address);
  return name;
}

function isPresent(json: Value | undefined): boolean {
  if (json === undefined || json === null) return false;
  return !Array.isArray(json) || json.length > 0;
}

const NO_LIFECYCLE: Lifecycle = {
  destroy: true,
  preventDestroy: false,
  ignoreChanges: [],
  preconditions: [],
  postconditions: [],
};

function readLifecycle(
  reader: BlockReader,
  parts: readonly ObjectValue[],
  names: InstanceNames,
  isOfTenancy: boolean,
): Lifecycle {
  return parts.reduce((lifecycle, part): Lifecycle => {
    refuseTriggers(reader, part, isOfTenancy);
    const postconditions = reader.conditions(part["postcondition"], "postcondition", {
      self: true,
      ...names,
    });
    return {
      destroy: lifecycle.destroy && reader.flag(part["destroy"], ["lifecycle", "destroy"], true),
      preventDestroy:
        lifecycle.preventDestroy || reader.flag(part["prevent_destroy"], ["lifecycle", "prevent_destroy"]),
      ignoreChanges: [...lifecycle.ignoreChanges, ...ignoredPaths(reader, part["ignore_changes"])],
      preconditions: [
        ...lifecycle.preconditions,
        ...reader.conditions(part["precondition"], "precondition", names),
      ],
      postconditions: [...lifecycle.postconditions, ...postconditions],
    };
  }, NO_LIFECYCLE);
}

const LIFECYCLE_MEMBERS: ReadonlySet<string> = new Set([
  "//",
  "enabled",
  "destroy",
  "prevent_destroy",
  "ignore_changes",
  "precondition",
  "postcondition",
  "create_before_destroy",
  "replace_triggered_by",
]);

function refuseTriggers(reader: BlockReader, lifecycle: ObjectValue, isOfTenancy: boolean): void {
  const path = ["lifecycle", "replace_triggered_by"];
  if (reader.list(lifecycle["replace_triggered_by"], path).length > 0) {
    reader.report(unsupported.error("replace_triggered_by"), path);
  }
  const before = ["lifecycle", "create_before_destroy"];
  if (reader.flag(lifecycle["create_before_destroy"], before) && isOfTenancy) {
    reader.report(unsupported.error("create_before_destroy on our resources"), before);
  }
  for (const name of Object.keys(lifecycle)) {
    if (!LIFECYCLE_MEMBERS.has(name))
      reader.report(unsupported.error(`"${name}" in lifecycle`), ["lifecycle", name]);
  }
}

/** An empty path means `all`. */
function ignoredPaths(reader: BlockReader, json: Value | undefined): readonly Path[] {
  if (json === undefined || json === null) return [];
  const attribute = ["lifecycle", "ignore_changes"];
  const entries = isList(json) ? json : [json];
  return entries.flatMap((entry) => {
    const text = reader.text(entry, attribute);
    if (text === undefined) return [];
    if (text === "all" || text === "*") return [[]];
    const path = parsedPath(withoutBraces(text));
    if (path === undefined) {
      reader.report(unsupported.error(`the path "${text}" in ignore_changes`), attribute);
      return [];
    }
    return [path];
  });
}

/** `limits.vss_num`, `address["addr"][0]`: read as if it were an attribute of something. */
function parsedPath(text: string): Path | undefined {
  try {
    const { root } = parseExpression(`self.${text}`);
    const origin = root.kind === "traverse" ? root.from : root;
    if (origin.kind !== "reference") return undefined;
    const steps = root.kind === "traverse" ? root.steps.length : 0;
    return origin.reference.path.length === steps ? origin.reference.path : undefined;
  } catch (error) {
    if (invalidExpression.is(error)) return undefined;
    throw error;
  }
}

/** CDKTF gives the data sources of cross-stack references this name. */
const REFERENCE_PREFIX = "cross-stack-reference-input-";

/** The name of the stack that a `terraform_remote_state` reads, with any backend. */
function stackOfRemoteState(reader: BlockReader, name: string): string {
  if (!name.startsWith(REFERENCE_PREFIX)) {
    reader.report(
      unsupported.error("data.terraform_remote_state other than CDKTF's cross-stack references", {
        advice: "Refer to the other stack's construct, or use a variable.",
      }),
    );
    return name;
  }
  const id = name.slice(REFERENCE_PREFIX.length);
  const { siblings } = reader.reading.options;
  if (siblings === undefined) return id;
  const sibling = siblings.find(
    (stack) => stack.constructPath.replace(/\//g, "--").replace(/[^A-Za-z0-9_-]/g, "") === id,
  );
  if (sibling !== undefined) return sibling.name;
  reader.report(
    undeclaredReference.error({
      address: `stack ${id}`,
      known: siblings.map((stack) => `stack ${stack.name}`),
    }),
  );
  return id;
}
