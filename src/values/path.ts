/** Describes the path to a value inside an object. */

/** Attribute names, list indexes and map keys, from the outside in. */
export type Path = readonly (string | number)[];

/** `["limits", "vss_num"]` → `limits.vss_num`; `["address", "addr", 0]` → `address.addr[0]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** The reverse of {@link formatPath} for paths of attribute names alone, such as those in `unset`. */
export function parsePath(text: string): Path {
  return text.split(".");
}

export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => path[index] === step);
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && startsWith(a, b);
}
