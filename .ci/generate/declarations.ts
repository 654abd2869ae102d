/**
 * Types and tables for declaring objects in L2. They differ from the L1 types in four ways: objects of the API are kept, null where the
 * API takes null, a `Secret` in place of a write-only value and its version, and a union of texts where the API takes only those.
 */
import {
  isVersionName,
  type ApiObject,
  type Attribute,
  type Attributes,
  type Description,
  factsForTypes,
} from "../../src/schema";

/** Given another form by L2 itself. */
const formedByL2: ReadonlySet<string> = new Set([
  "permissions",
  "permissions_until",
  "vss_scope",
  "node_scope",
  "unset",
]);

export function declarations(descriptions: readonly Description[]): string {
  return [
    'import type { IResolvable } from "cdktf";\nimport type { Secret } from "../../secret";\n',
    ...descriptions.flatMap(({ name, attributes }) => interfacesOf(name, attributes)),
    table(
      "NULLABLE",
      "Names that `unset` takes, by the kind of object and the path of the property that may be null.",
      descriptions.map(({ name, attributes }) => [name, nullable(attributes)]),
    ),
    table(
      "SECRETS",
      "Properties that hold a `Secret`, and the property of the L1 construct that takes its value.",
      descriptions.map(({ name, attributes }) => [name, secrets(attributes)]),
    ),
    objectsTable(descriptions),
    membersTable(descriptions),
    table(
      "LEAST",
      "The least value of a number, by its property in L1.",
      descriptions.map(({ name, attributes }) => [name, leastValues(attributes)]),
    ),
  ].join("\n");
}

/** One property of an interface: an attribute, or an object of the API with those of its members that may be declared. */
type Property =
  | { readonly name: string; readonly attribute: Attribute; readonly nullable: boolean }
  | { readonly name: string; readonly object: ApiObject; readonly members: readonly Property[] };

function propertiesOf(attributes: Attributes): readonly Property[] {
  const unset = unsetNames(attributes);
  const properties: Property[] = [];
  const objects = new Map<string, Property[]>();
  for (const [name, attribute] of declarable(attributes)) {
    const object = objectOf(name, attribute, attributes);
    const property = {
      name: propertyName(object === undefined ? name : name.slice(object.name.length + 1), attribute),
      attribute,
      nullable: unset.includes(name),
    };
    const members = object === undefined ? properties : (objects.get(object.name) ?? []);
    if (object !== undefined && !objects.has(object.name)) {
      objects.set(object.name, members);
      properties.push({ name: camelCase(object.name), object, members });
    }
    members.push(property);
  }
  return properties;
}

/** The object of the API that an attribute is a member of; of a secret, the one whose name begins its own. */
function objectOf(
  name: string,
  { memberOf, writeOnly }: Attribute,
  attributes: Attributes,
): ApiObject | undefined {
  if (memberOf !== undefined || !writeOnly) return memberOf;
  return Object.values(attributes).find(
    ({ memberOf: object }) => object !== undefined && name.startsWith(`${object.name}_`),
  )?.memberOf;
}

/** What a user may set, without the versions: a `Secret` knows its own. */
function declarable(attributes: Attributes): readonly [string, Attribute][] {
  return Object.entries(attributes).filter(
    ([name, { presence }]) => presence !== "computed" && !formedByL2.has(name) && !isVersionName(name),
  );
}

function interfacesOf(name: string, attributes: Attributes): readonly string[] {
  return interfaces(
    `Declared${pascalCase(name)}`,
    `The attributes that may be declared of \`${name}\`.`,
    propertiesOf(attributes),
  );
}

/** The interface and, after it, those of its objects. */
function interfaces(name: string, description: string, properties: readonly Property[]): readonly string[] {
  const nested: string[] = [];
  const lines = properties.map((property) => {
    const type = `${name}${upperFirst(property.name)}`;
    if ("object" in property) {
      const sentence = property.object.description;
      nested.push(...interfaces(type, sentence, property.members));
      return `${doc([sentence], "  ")}  readonly ${property.name}?: ${type};\n`;
    }
    const { attribute } = property;
    const { shape, presence } = attribute;
    const { facts, byDefault } = factsForTypes(attribute);
    // Where null means something else than an absent value, the description says so itself.
    const saysNull = /\bnull\b/.test(attribute.description);
    const nothing = property.nullable && !saysNull ? ["`null` takes it away."] : [];
    const comment = doc(
      [
        [attribute.description, ...facts, ...nothing].join(" "),
        ...(byDefault === undefined ? [] : ["", `@default ${byDefault}`]),
      ],
      "  ",
    );
    const head = `${comment}  readonly ${property.name}${presence === "required" ? "" : "?"}: `;
    const orNull = property.nullable ? " | null" : "";
    if (shape.kind !== "group" && shape.kind !== "groups") return `${head}${typeOf(attribute)}${orNull};\n`;
    nested.push(...interfaces(type, attribute.description, propertiesOf(shape.attributes)));
    return `${head}${shape.kind === "group" ? type : `readonly ${type}[]`}${orNull};\n`;
  });
  return [`${doc([description])}export interface ${name} {\n${lines.join("")}}\n`, ...nested];
}

function typeOf(attribute: Attribute): string {
  const { shape, constraints } = attribute;
  if (attribute.sensitive) return "Secret";
  switch (shape.kind) {
    case "string":
      return constraints.oneOf?.map((text) => JSON.stringify(text)).join(" | ") ?? "string";
    case "integer":
      return "number";
    case "bool":
      return "boolean | IResolvable";
    case "list":
    case "set":
      return `readonly ${scalars[shape.of]}[]`;
    case "map":
      return `Readonly<Record<string, ${scalars[shape.of]}>>`;
    case "group":
    case "groups":
      throw new Error("a group has an interface of its own");
  }
}

const scalars = { string: "string", integer: "number", bool: "boolean" } as const;

function propertyName(name: string, { writeOnly }: Attribute): string {
  return camelCase(writeOnly ? name.replace(/_wo$/, "") : name);
}

type Pairs = readonly (readonly [property: string, value: string | number])[];

function unsetNames(attributes: Attributes): readonly string[] {
  return (attributes["unset"]?.constraints.oneOf ?? []).filter((name) => name !== "*");
}

/** Path of the property that holds an attribute in L2: `limits.vssNum`. */
function propertyPath(name: string, attribute: Attribute, attributes: Attributes): string {
  const object = objectOf(name, attribute, attributes);
  if (object === undefined) return propertyName(name, attribute);
  return `${camelCase(object.name)}.${propertyName(name.slice(object.name.length + 1), attribute)}`;
}

function nullable(attributes: Attributes): Pairs {
  return unsetNames(attributes).flatMap((name): Pairs => {
    const attribute = attributes[name];
    return attribute === undefined ? [] : [[propertyPath(name, attribute, attributes), name]];
  });
}

function secrets(attributes: Attributes): Pairs {
  return Object.entries(attributes).flatMap(([name, attribute]): Pairs =>
    attribute.sensitive && attribute.presence !== "computed"
      ? [[propertyPath(name, attribute, attributes), camelCase(name)]]
      : [],
  );
}

function leastValues(attributes: Attributes): Pairs {
  return declarable(attributes).flatMap(([name, attribute]): Pairs => {
    const { min } = attribute.constraints;
    return min === undefined ? [] : [[camelCase(name), min]];
  });
}

function table(name: string, description: string, kinds: readonly (readonly [string, Pairs])[]): string {
  const rows = kinds.map(
    ([kind, pairs]) =>
      `  ${kind}: {\n${pairs.map(([property, path]) => `    ${JSON.stringify(property)}: ${JSON.stringify(path)},\n`).join("")}  },\n`,
  );
  return `${doc([description])}export const ${name} = {\n${rows.join("")}} as const;\n`;
}

/** The members of each object that is whole once given, with the names of their attributes. */
function objectsTable(descriptions: readonly Description[]): string {
  const rows = descriptions.map(({ name, attributes }) => {
    const objects = propertiesOf(attributes).flatMap((property) => {
      if (!("object" in property)) return [];
      const { whole } = property.object;
      const members = property.members.flatMap((member) => {
        if (!whole || "object" in member) return [];
        const absent = member.nullable ? "null" : '"[]"';
        return [`        ${JSON.stringify(member.name)}: ${absent},\n`];
      });
      return [`    ${JSON.stringify(property.name)}: {\n${members.join("")}    },\n`];
    });
    return `  ${name}: {\n${objects.join("")}  },\n`;
  });
  return (
    doc([
      "Objects of the API, whose members are separate attributes in L1. For an object that is complete once set: the value of an absent member.",
    ]) + `export const OBJECTS = {\n${rows.join("")}} as const;\n`
  );
}

/** The names of all members that may be declared: of the construct itself, and of each object in it. */
function membersTable(descriptions: readonly Description[]): string {
  const rows = descriptions.map(({ name, attributes }) => {
    const objects = new Map<string, readonly string[]>();
    collectMembers("", propertiesOf(attributes), objects);
    const lines = [...objects].map(
      ([path, names]) => `    ${JSON.stringify(path)}: ${JSON.stringify(names)},\n`,
    );
    return `  ${name}: {\n${lines.join("")}  },\n`;
  });
  const description =
    "Members that may be declared: of the construct itself, and of each object in it, by its path.";
  return `${doc([description])}export const MEMBERS = {\n${rows.join("")}} as const;\n`;
}

function collectMembers(
  path: string,
  properties: readonly Property[],
  objects: Map<string, readonly string[]>,
): void {
  objects.set(
    path,
    properties.map(({ name }) => name),
  );
  for (const property of properties) {
    const inner = path === "" ? property.name : `${path}.${property.name}`;
    if ("object" in property) collectMembers(inner, property.members, objects);
    else if (property.attribute.shape.kind === "group" || property.attribute.shape.kind === "groups")
      collectMembers(inner, propertiesOf(property.attribute.shape.attributes), objects);
  }
}

function doc(lines: readonly string[], indent = ""): string {
  if (lines.length === 1) return `${indent}/** ${lines[0] ?? ""} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd() + "\n").join("")}${indent} */\n`;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  return camelCase(`_${name}`);
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
