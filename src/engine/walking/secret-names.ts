/** Names that come from something sensitive: what is called by them is shown without. */
import type { ObjectValue, Path } from "../../values";

const HIDDEN = "(sensitive value)";

export class SecretNames {
  readonly #names = new Set<string>();

  /** Notes what may not be shown of a declaration, for its own key and for those that hold it: a user's holds the name of its account. */
  note(config: ObjectValue, sensitive: readonly Path[]): void {
    for (const [name, ...rest] of sensitive) {
      const value = rest.length === 0 ? config[String(name)] : undefined;
      if (typeof value === "string") this.#names.add(value);
    }
  }

  /** A natural key as it may be shown. */
  readonly titleOf = (key: string): string => {
    let title = key;
    // A login is noted before the name that it ends in: the longer one first.
    for (const name of [...this.#names].sort((a, b) => b.length - a.length)) title = without(name, title);
    return title;
  };
}

function without(name: string, key: string): string {
  const literally = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return key.replace(new RegExp(`(?<=^|[@/])${literally}(?=$|[@/])`, "g"), HIDDEN);
}
