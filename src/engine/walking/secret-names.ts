/** Names that come from something sensitive: what is called by them is shown without. */
import type { ObjectValue, Path } from "../../values";

const HIDDEN = "(sensitive value)";
/** What may stand before or behind a name in a natural key: `username@account/token`. */
const SEPARATORS = ["", "@", "/"];

export class SecretNames {
  /** The longest first: a login ends in a name that may be secret as well. */
  #names: readonly string[] = [];

  /** Notes what may not be shown of a declaration, for its own key and for those that hold it: a user's holds the name of its account. */
  note(config: ObjectValue, sensitive: readonly Path[]): void {
    for (const [member, ...rest] of sensitive) {
      const name = rest.length === 0 ? config[String(member)] : undefined;
      if (typeof name !== "string" || name === "" || this.#names.includes(name)) continue;
      this.#names = [...this.#names, name].sort((a, b) => b.length - a.length);
    }
  }

  /** A natural key as it may be shown. */
  readonly titleOf = (key: string): string => this.#names.reduce(without, key);
}

function without(key: string, name: string): string {
  let title = "";
  let rest = 0;
  for (let at = key.indexOf(name); at >= 0; at = key.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isWhole =
      SEPARATORS.includes(key.slice(at - 1, at)) && SEPARATORS.includes(key.slice(end, end + 1));
    if (!isWhole || at < rest) continue;
    title += key.slice(rest, at) + HIDDEN;
    rest = end;
  }
  return title + key.slice(rest);
}
