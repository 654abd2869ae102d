/** How declarations of TypeScript and their comments are written in Markdown. */
import ts from "typescript";

/** As GitHub makes them of headings: a second heading of the same name gets a number. */
export function* anchorsOf(headings: readonly string[]): Generator<string, undefined> {
  const seen = new Map<string, number>();
  for (const heading of headings) {
    const anchor = heading.toLowerCase();
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    yield count === 0 ? anchor : `${anchor}-${count}`;
  }
}

/** As it is called: without `public`, `readonly` and the body. */
export function signature(node: ts.SignatureDeclaration, name: string): string {
  const parameters = node.parameters.map((one) => {
    const optional = one.questionToken !== undefined || one.initializer !== undefined;
    const given = ts.isObjectBindingPattern(one.name) ? "options" : one.name.getText();
    const type = one.type === undefined ? "" : `: ${oneLine(one.type.getText())}`;
    return `${one.dotDotDotToken ? "..." : ""}${given}${optional ? "?" : ""}${type}`;
  });
  const generic =
    node.typeParameters === undefined
      ? ""
      : `<${node.typeParameters.map((one) => one.getText()).join(", ")}>`;
  const result = node.type === undefined ? "" : `: ${oneLine(node.type.getText())}`;
  return `${name}${generic}(${parameters.join(", ")})${result}`;
}

export interface Row {
  readonly member: string;
  readonly meaning: string;
}

/** A list: the cells of a table would be too long. */
export function memberList(rows: readonly Row[]): string {
  return rows
    .map(({ member, meaning }) => `- \`${member}\`${meaning === "" ? "" : `: ${meaning}`}`)
    .join("\n");
}

export const code = (text: string) => `\`\`\`ts\n${text}\n\`\`\``;

export const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** What a binding is, as its generator's comments say it by where in a registry its page stands. */
const KINDS: Readonly<Record<string, string>> = {
  resources: "resource",
  "data-sources": "data source",
  undefined: "provider",
};

/** Without the links of comments; those of the bindings lead to our pages in place of a registry's. */
export function plain(text: string): string {
  return text
    .replaceAll(
      /Represents a \{@link \S+\/docs(?:\/([\w-]+)\/(\w+))? (\w+)\s*\}/g,
      (_, folder: string | undefined, page: string | undefined, name: string) =>
        `The ${KINDS[String(folder)]} [\`${name}\`](../../../${folder === undefined ? "index" : `${folder}/${page}`}.md).`,
    )
    .replaceAll(/\s*Docs at Terraform Registry: \{@link [^}]*\}/g, "")
    .replaceAll(/\{@link (\S+?)\s*\}/g, "`$1`")
    .replaceAll("`undefined`", "undefined")
    .trim();
}
