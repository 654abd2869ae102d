/**
 * Types and tables for declaring objects in L2. They differ from the L1 types in three ways: null where the API takes null, a
 * `Secret` in place of a write-only value and its version, and a union of texts where the API takes only those.
 */
import { isVersionName, type Attribute, type Attributes, type Description } from "../../src/schema";

/** Given another form by L2 itself. */
const formedByL2: ReadonlySet<string> = new Set(["permissions", "undeclared_rights", "unset"]);

export function declarations(descriptions: readonly Description[]): string {
  return [
    'import type { IResolvable } from "cdktf";\nimport type { Secret } from "../../secret";\n',
    ...descriptions.flatMap(({ name, attributes }) =>
      interfaces({
        name: `Declared${pascalCase(name)}`,
        description: `What may be declared of \`${name}\`.`,
        attributes,
        path: "",
        nullable: new Set(unsetPaths(attributes)),
      }),
    ),
    table(
      "NULLABLE",
      "Paths that `unset` may name, by the type and the path of the property that may be null.",
      descriptions.map(({ name, attributes }) => [name, nullable(attributes)]),
    ),
    table(
      "SECRETS",
      "Properties that hold a `Secret`, and the property of the L1 construct that takes its value.",
      descriptions.map(({ name, attributes }) => [name, secrets(attributes)]),
    ),
  ].join("\n");
}

/** What a user may set, without the versions: a `Secret` knows its own. */
function declarable(attributes: Attributes): readonly [string, Attribute][] {
  return Object.entries(attributes).filter(
    ([name, { presence }]) => presence !== "computed" && !formedByL2.has(name) && !isVersionName(name),
  );
}

interface Interface {
  readonly name: string;
  readonly description: string;
  readonly attributes: Attributes;
  /** Path of the group, with a full stop at its end; empty for the object itself. */
  readonly path: string;
  /** Every path that `unset` may name. */
  readonly nullable: ReadonlySet<string>;
}

/** The interface and, after it, those of its groups. */
function interfaces({ name, description, attributes, path, nullable }: Interface): readonly string[] {
  const nested: string[] = [];
  const lines = declarable(attributes).map(([member, attribute]) => {
    const { shape, presence, serviceDefault } = attribute;
    const comment = doc(
      [attribute.description, ...(serviceDefault === undefined ? [] : ["", `@default ${serviceDefault}`])],
      "  ",
    );
    const property = `${propertyName(member, attribute)}${presence === "required" ? "" : "?"}`;
    const orNull = nullable.has(path + member) ? " | null" : "";
    if (shape.kind !== "group" && shape.kind !== "groups")
      return `${comment}  readonly ${property}: ${typeOf(attribute)}${orNull};\n`;

    const type = `${name}${pascalCase(member)}`;
    const { description: sentence } = attribute;
    nested.push(
      ...interfaces({
        name: type,
        description: sentence,
        attributes: shape.attributes,
        path: `${path}${member}.`,
        nullable,
      }),
    );
    const types = shape.kind === "group" ? type : `readonly ${type}[]`;
    return `${comment}  readonly ${property}: ${types}${orNull};\n`;
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

type Pairs = readonly (readonly [property: string, path: string])[];

function unsetPaths(attributes: Attributes): readonly string[] {
  return attributes["unset"]?.constraints.oneOf ?? [];
}

function nullable(attributes: Attributes): Pairs {
  return unsetPaths(attributes).map((path) => [
    path
      .split(".")
      .map((step) => camelCase(step.replace(/_wo$/, "")))
      .join("."),
    path,
  ]);
}

function secrets(attributes: Attributes, parent: readonly string[] = []): Pairs {
  return Object.entries(attributes).flatMap(([name, attribute]): Pairs => {
    if (attribute.shape.kind === "group")
      return secrets(attribute.shape.attributes, [...parent, camelCase(name)]);
    return attribute.sensitive && attribute.presence !== "computed"
      ? [[[...parent, propertyName(name, attribute)].join("."), camelCase(name)]]
      : [];
  });
}

function table(name: string, description: string, kinds: readonly (readonly [string, Pairs])[]): string {
  const rows = kinds.map(
    ([kind, pairs]) =>
      `  ${kind}: {\n${pairs.map(([property, path]) => `    ${JSON.stringify(property)}: ${JSON.stringify(path)},\n`).join("")}  },\n`,
  );
  return `${doc([description])}export const ${name} = {\n${rows.join("")}} as const;\n`;
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
