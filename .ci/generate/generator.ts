/** One source of generated files: names in the tree, and what they hold. */
export interface Generator {
  readonly name: string;
  /** Folder that holds nothing but generated files: others in it are removed. */
  readonly folder?: string;
  /** Paths from the root of the tree, with their texts. The same tree gives the same texts. */
  generate(): Promise<Readonly<Record<string, string>>>;
}
