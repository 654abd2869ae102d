/** Lists of attributes: those of the object itself by who gives them, then one section for each nested object. */
import { type Attribute, type Attributes, facts, type Presence, type Scalar } from "../../../src/schema";
import { compareText } from "../../../src/lib/values";

const SECTIONS: readonly (readonly [heading: string, presences: readonly Presence[]])[] = [
  ["Required", ["required"]],
  ["Optional", ["optional", "managed"]],
  ["Read-Only", ["computed"]],
];

const WRITE_ONLY =
  "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

const SCALARS: Readonly<Record<Scalar, string>> = { string: "String", integer: "Number", bool: "Boolean" };

export function schemaOf(attributes: Attributes): string {
  return ["## Schema", ...sections(attributes, []), ...nested(attributes, [])].join("\n\n");
}

function sections(attributes: Attributes, path: readonly string[]): readonly string[] {
  return SECTIONS.flatMap(([heading, presences]) => {
    const members = Object.entries(attributes)
      .filter(([, { presence }]) => presences.includes(presence))
      .sort(([a], [b]) => compareText(a, b));
    if (members.length === 0) return [];
    const title = path.length === 0 ? `### ${heading}` : `${heading}:`;
    return [`${title}\n\n${members.map(([name, member]) => line(name, member, [...path, name])).join("\n")}`];
  });
}

function nested(attributes: Attributes, path: readonly string[]): readonly string[] {
  return Object.entries(attributes)
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([name, { shape }]) => {
      if (shape.kind !== "group" && shape.kind !== "groups") return [];
      const here = [...path, name];
      const title = `<a id="${anchor(here)}"></a>\n\n### Nested Schema for \`${here.join(".")}\``;
      return [title, ...sections(shape.attributes, here), ...nested(shape.attributes, here)];
    });
}

function line(name: string, attribute: Attribute, path: readonly string[]): string {
  const traits = [
    typeName(attribute),
    ...(attribute.sensitive ? ["Sensitive"] : []),
    ...(attribute.writeOnly ? [WRITE_ONLY] : []),
  ];
  const { kind } = attribute.shape;
  const below = kind === "group" || kind === "groups" ? [`See [below](#${anchor(path)}).`] : [];
  return [`- \`${name}\` (${traits.join(", ")})`, attribute.description, ...facts(attribute), ...below].join(
    " ",
  );
}

function typeName({ shape }: Attribute): string {
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return SCALARS[shape.kind];
    case "list":
      return `List of ${SCALARS[shape.of]}`;
    case "set":
      return `Set of ${SCALARS[shape.of]}`;
    case "map":
      return `Map of ${SCALARS[shape.of]}`;
    case "group":
      return "Attributes";
    case "groups":
      return "Attributes List";
  }
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join("--")}`;
}
