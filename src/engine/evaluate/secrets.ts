/** Keeps what comes from sensitive values out of findings, errors and the titles of objects. */
import {
  conditionFailed,
  type Diagnostic,
  type Finding,
  TenancyError,
  unknownAttribute,
  unknownRight,
  worded,
} from "../../problems";
import type { Attributes, AttributeShape } from "../../schema";
import {
  isList,
  isNumber,
  isObject,
  type ObjectValue,
  type Path,
  SENSITIVE_TEXT,
  startsWith,
  type Value,
  valueAt,
} from "../../values";

// Keys of objects that are sensitive as a whole.

/**
 * Words a finding so that it tells no key of an object that is sensitive as a whole. The names of attributes are known from the
 * description, and are no secret.
 */
export function discreet(attributes: Attributes, guarded: readonly Path[]): (finding: Finding) => Finding {
  if (guarded.length === 0) return (finding) => finding;
  return (finding) => {
    const { severity, code, attribute: path } = finding;
    const secret = path?.findIndex(
      (step, at) =>
        typeof step === "string" &&
        guarded.some((place) => place.length <= at && startsWith(path, place)) &&
        !isDescribed(attributes, path.slice(0, at + 1)),
    );
    if (path === undefined || secret === undefined || secret < 0) return finding;
    return {
      severity,
      code,
      summary: HIDDEN_KEY.get(code) ?? "what stands under a sensitive key does not fit",
      advice:
        "The key comes from a sensitive value, so it is not shown. Use nonsensitive(…) for what may be shown.",
      attribute: path.slice(0, secret),
    };
  };
}

const HIDDEN_KEY: ReadonlyMap<string, string> = new Map([
  [unknownRight.code, "there is no right (sensitive value)"],
  [unknownAttribute.code, "there is no attribute (sensitive value) here"],
]);

/** Whether the last step of a path is the name of an attribute, and no key of a map. */
function isDescribed(attributes: Attributes, path: Path): boolean {
  let within: Attributes | undefined = attributes;
  for (const step of path) {
    if (typeof step === "number") continue;
    if (within === undefined || !Object.hasOwn(within, step)) return false;
    const shape: AttributeShape | undefined = within[step]?.shape;
    within = shape !== undefined && "attributes" in shape ? shape.attributes : undefined;
  }
  return true;
}

// Names that come from sensitive values, and must not be shown.

/** What may stand before or behind a name in a natural key: `username@account/token`. */
const SEPARATORS = ["", "@", "/"];

export class SecretNames {
  /** The longest first, since a login may end in a name that is secret itself. */
  #names: readonly string[] = [];

  /** All that may not be shown of the configurations so far, names or not. */
  readonly #texts = new Set<string>();

  /** Notes what may not be shown of a declaration, for its own key and for those that hold it: a user's holds the name of its account. */
  note(config: ObjectValue, sensitive: readonly Path[]): void {
    for (const path of sensitive) {
      for (const text of textsIn(valueAt(config, path))) this.#texts.add(text);
      const [member, ...rest] = path;
      const name = rest.length === 0 ? config[String(member)] : undefined;
      if (typeof name !== "string" || name === "" || this.#names.includes(name)) continue;
      this.#names = [...this.#names, name].sort((a, b) => b.length - a.length);
    }
  }

  /** A natural key as it may be shown. */
  readonly titleOf = (key: string): string => this.#names.reduce(without, key);

  /** A finding as it may be shown. The message of a condition is the configuration's own, and was judged by its marks. */
  readonly hide = (finding: Finding): Finding =>
    this.#texts.size === 0 || finding.code === conditionFailed.code ? finding : hidden(finding, this.#texts);
}

function without(key: string, name: string): string {
  let title = "";
  let rest = 0;
  for (let at = key.indexOf(name); at >= 0; at = key.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isWhole =
      SEPARATORS.includes(key.slice(at - 1, at)) && SEPARATORS.includes(key.slice(end, end + 1));
    if (!isWhole || at < rest) continue;
    title += key.slice(rest, at) + SENSITIVE_TEXT;
    rest = end;
  }
  return title + key.slice(rest);
}

// Sensitive values in the words of a finding, which a check or the service may have repeated.

/** Texts that are shorter stand in many a word: they are hidden only in quotation marks. */
const SHORT = 4;

/** The finding without certain texts. */
function hidden(finding: Finding, texts: Iterable<string>): Finding {
  const { summary, detail, advice, file } = finding;
  const longest = [...texts].sort((a, b) => b.length - a.length);
  const clean = (words: string): string => longest.reduce(blotted, words);
  return {
    ...finding,
    summary: clean(summary),
    ...(detail !== undefined && { detail: clean(detail) }),
    ...(file !== undefined && { file: clean(file) }),
    ...(typeof advice === "string" && { advice: clean(advice) }),
    ...(typeof advice === "function" && { advice: (say) => clean(advice(say) ?? "") }),
  };
}

function blotted(words: string, text: string): string {
  if (text === "") return words;
  const quoted = words.split(JSON.stringify(text)).join(SENSITIVE_TEXT);
  if (text.length < SHORT || !quoted.includes(text)) return quoted;
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return quoted.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "gu"), SENSITIVE_TEXT);
}

/** The texts and numbers of a value. Keys are hidden where they are found unfit. */
function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value, ...partsOfAddress(value)];
  if (isNumber(value)) return [String(value)];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isAmong(told: readonly Diagnostic[]): (diagnostic: Diagnostic) => boolean {
  const texts = told.map((diagnostic) => JSON.stringify(diagnostic));
  return (diagnostic) => texts.includes(JSON.stringify(diagnostic));
}

/** Of an address, what messages name of it. */
function partsOfAddress(text: string): readonly string[] {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return [];
  const { href, origin, host, hostname } = new URL(text);
  return [href, origin, host, hostname];
}

/** A finding about a configuration, without what is sensitive in it. */
export function hidingIn(config: ObjectValue, sensitive: readonly Path[]): (finding: Finding) => Finding {
  const texts = sensitive.flatMap((path) => textsIn(valueAt(config, path)));
  return (finding) => (texts.length === 0 ? finding : hidden(finding, texts));
}

/**
 * Runs what may fail with words about a configuration, and words the failure without what is sensitive in it.
 * @param sensitive paths of the configuration
 */
export async function hiding<T>(
  config: ObjectValue,
  sensitive: readonly Path[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TenancyError) || sensitive.length === 0) throw error;
    const before = error.toFindings();
    const [first, ...more] = before.map(hidingIn(config, sensitive));
    if (first === undefined || worded([first, ...more]).every(isAmong(worded(before)))) throw error;
    throw new TenancyError(first, error.facts).telling(more);
  }
}
