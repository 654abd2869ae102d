/** A page of the registry: what it lists pages by, then Markdown. */

export interface Page {
  readonly title: string;
  /** Markdown; its first paragraph stands in the registry's lists. */
  readonly description: string;
  /** Parts of the page below its title, each with its own heading; undefined ones are left out. */
  readonly parts: readonly (string | undefined)[];
  /** The registry's lists have no category for the provider's own page, and refuse one. */
  readonly isIndex?: boolean;
}

export function page({ title, description, parts, isIndex = false }: Page): string {
  const [first = ""] = description.split("\n\n");
  const listed = [
    "---",
    `page_title: "${title.replace(/[()]/g, "")} - tenancy"`,
    ...(isIndex ? [] : ['subcategory: ""']),
    "description: |-",
    `  ${plain(first)}`,
    "---",
  ].join("\n");
  const written = [`# ${title}`, description, ...parts.filter((part) => part !== undefined)];
  return `${listed}\n\n${written.map((part) => part.trim()).join("\n\n")}\n`;
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
