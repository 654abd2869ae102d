/** Gives every exported tenant and user a name that files, programs and Terraform accept, from any real name. */
import { createHash } from "node:crypto";
import { compareText } from "../lib/values";

/** Characters that a name is cut to: with it, no line becomes so long that it had to be laid out otherwise. */
const LONGEST_IDENTIFIER = 26;

/**
 * The words of a name: letters and digits of ASCII, without accents, in lower case. Underscores stay, because Terraform's labels and file names
 * may have them.
 */
function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  const words = plain.toLowerCase().replace(/[^a-z0-9_]+/g, "-");
  return words.slice(0, LONGEST_IDENTIFIER).replace(/^[-_]+|[-_]+$/g, "");
}

function digestOfName(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

/**
 * A name for each of the given ones. All names differ, also if letters differ only in their case. If candidates clash, all of them get
 * digits of their digest: so the result does not depend on the order, and a name stays until a clashing one comes.
 *
 * @param candidateOf the preferred name
 * @param isFree true if a name may be used at all
 */
function allot(
  names: readonly string[],
  candidateOf: (name: string, digits: string) => string,
  isFree: (candidate: string) => boolean,
): ReadonlyMap<string, string> {
  const keyOf = (candidate: string) => candidate.toLowerCase();
  const candidateCounts = new Map<string, number>();
  for (const name of names) {
    const key = keyOf(candidateOf(name, ""));
    candidateCounts.set(key, (candidateCounts.get(key) ?? 0) + 1);
  }
  const allotted = new Map<string, string>();
  const takenKeys = new Set<string>();
  const take = (name: string, candidate: string): void => {
    allotted.set(name, candidate);
    takenKeys.add(keyOf(candidate));
  };
  const clashing: string[] = [];
  for (const name of [...names].sort(compareText)) {
    const candidate = candidateOf(name, "");
    if (candidateCounts.get(keyOf(candidate)) === 1 && isFree(candidate)) take(name, candidate);
    else clashing.push(name);
  }
  for (const name of clashing) {
    // A real name may look like one of these.
    for (let digits = 8; !allotted.has(name); digits++) {
      const candidate = candidateOf(name, digestOfName(name).slice(0, digits));
      if (!takenKeys.has(keyOf(candidate)) && isFree(candidate)) take(name, candidate);
    }
  }
  return allotted;
}

// Files, without their ending, and ids of constructs.

/** Devices of Windows: no file may have such a name, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Files that projects have, and names with a meaning for programs that read the folder. */
const USUAL_FILES = new Set([
  "index",
  "main",
  "terraform",
  "provider",
  "providers",
  "versions",
  "variables",
  "outputs",
  "locals",
  "backend",
]);

/** Names of files by the names of tenants. */
export function fileNames(names: readonly string[]): ReadonlyMap<string, string> {
  return allot(
    names,
    (name, digits) => withDigits(slugOf(name) || "tenant", digits || missing(name)),
    // Terraform reads `…_override.tf` after all others, and merges it into them. A construct has no child of a name that every object has.
    (file) =>
      !DEVICE.test(file) &&
      !USUAL_FILES.has(file) &&
      !/(?:^|_)override$/.test(file) &&
      !(file in Object.prototype),
  );
}

/** Digits for a name of which nothing is left. */
function missing(name: string): string {
  return slugOf(name) === "" ? digestOfName(name).slice(0, 8) : "";
}

function withDigits(slug: string, digits: string): string {
  return digits === "" ? slug : `${slug}-${digits}`;
}

// Identifiers of TypeScript.

/** Words that no function of a module in strict mode may have as its name, and names that the exported code uses itself. */
const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const constructor continue debugger declare default delete do else " +
    "enum eval export exports extends false finally for from function get global if implements import in infer infinity instanceof interface " +
    "is keyof let module namespace nan never new null number object of package private protected public readonly require return scope " +
    "service set static string super switch symbol tenant tenants this throw true try type typeof undefined unique unknown var void while " +
    "with yield folder permissions"
  ).split(" "),
);

/** Names of functions by the names of tenants. */
export function identifiers(names: readonly string[]): ReadonlyMap<string, string> {
  return allot(
    names,
    (name, digits) => identifierOf(withDigits(slugOf(name) || "tenant", digits || missing(name))),
    (identifier) => !RESERVED.has(identifier.toLowerCase()),
  );
}

function identifierOf(slug: string): string {
  const words = slug.split(/[-_]+/);
  const name = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
  return /^[0-9]/.test(name) ? `tenant${name}` : name;
}

// Labels of Terraform's blocks.

/** Labels by {@link labelKey}: of tenants, which have one name, and of users, who have two. A label begins with a letter or an underscore. */
export function labels(names: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return allot(
    names.map(labelKey),
    (key, digits) => {
      const parts = (JSON.parse(key) as readonly string[]).map((name) => slugOf(name) || "unnamed");
      const label = withDigits(parts.join("_"), digits);
      return /^[0-9]/.test(label) ? `_${label}` : label;
    },
    () => true,
  );
}

export function labelKey(names: readonly string[]): string {
  return JSON.stringify(names);
}
