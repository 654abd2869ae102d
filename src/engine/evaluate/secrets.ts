/** Keeps sensitive values out of findings, errors and the titles of objects. */
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
} from "../../lib/values";

// Keys of objects that are sensitive as a whole.

/**
 * Formulates a finding without the keys of a sensitive object. The names of attributes are known from the description, and are no secret.
 */
export function withoutSensitiveKeys(
  finding: Finding,
  attributes: Attributes,
  guardedPaths: readonly Path[],
): Finding {
  const { severity, code, attribute: path } = finding;
  const secret = path?.findIndex(
    (step, at) =>
      typeof step === "string" &&
      guardedPaths.some((place) => place.length <= at && startsWith(path, place)) &&
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
}

const HIDDEN_KEY: ReadonlyMap<string, string> = new Map([
  [unknownRight.code, "there is no right (sensitive value)"],
  [unknownAttribute.code, "there is no attribute (sensitive value) here"],
]);

/** True if the last step of a path is the name of an attribute, and no key of a map. */
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

/** The attributes of natural keys. In place of an account's id there may be its name. */
const NAMES = ["name", "username", "login", "account_id"];

/** Characters that adjoin a name in a natural key: `username@account/token`. */
const SEPARATORS = ["", "@", "/"];

/** Texts of the configurations that must not be shown: names everywhere, other values in findings about their own object. */
export class SecretNames {
  /** Names alone, as natural keys hold them. */
  readonly #names = new Texts();
  /** Names as they appear in texts. */
  readonly #everywhere = new Texts();
  readonly #byAddress = new Map<string, Texts>();

  /** Notes the hidden values of a declaration, for its own key and for keys that contain it: a user's key contains the name of its account. */
  note(config: ObjectValue, sensitive: readonly Path[], address: string): void {
    if (sensitive.length === 0) return;
    const own = this.#byAddress.get(address) ?? new Texts();
    this.#byAddress.set(address, own);
    for (const path of sensitive) {
      const texts = secretTexts(valueAt(config, path));
      texts.forEach((text) => own.addInWords(text));
      const [member, ...rest] = path;
      if (rest.length > 0 || !NAMES.includes(String(member))) continue;
      texts.forEach((name) => this.#names.add(name));
      texts.forEach((name) => this.#everywhere.addInWords(name));
    }
  }

  /** A natural key as it may be shown. */
  readonly titleOf = (key: string): string =>
    withoutSecretTexts(key, [this.#names], (start, end) =>
      [key.slice(start - 1, start), key.slice(end, end + 1)].every((one) => SEPARATORS.includes(one)),
    );

  /** A finding as it may be shown. The message of a condition is the configuration's own, and was judged by its marks. */
  readonly hide = (finding: Finding): Finding => {
    if (finding.code === conditionFailed.code) return finding;
    const own = finding.address === undefined ? undefined : this.#byAddress.get(finding.address);
    return hiddenFinding(finding, own === undefined ? [this.#everywhere] : [this.#everywhere, own]);
  };
}

// Sensitive values in the words of a finding, which a check or the service may have repeated.

/** Shorter texts are part of many words: they are hidden only in quotation marks. */
const SHORT_TEXT = 4;

/** Texts that may not be shown, found by their lengths: how many there are costs nothing. */
class Texts {
  readonly #texts = new Set<string>();
  #lengths: readonly number[] = [];

  add(text: string): void {
    if (text === "" || this.#texts.has(text)) return;
    this.#texts.add(text);
    if (!this.#lengths.includes(text.length))
      this.#lengths = [...this.#lengths, text.length].sort((a, b) => b - a);
  }

  /** As a message may repeat it. */
  addInWords(text: string): void {
    if (text === "") return;
    this.add(JSON.stringify(text));
    if (text.length >= SHORT_TEXT) this.add(text);
  }

  get isEmpty(): boolean {
    return this.#lengths.length === 0;
  }

  /** The end of the longest text that begins here and may end there. */
  endIn(words: string, start: number, isFit: (end: number) => boolean): number {
    for (const length of this.#lengths) {
      const end = start + length;
      if (end <= words.length && this.#texts.has(words.slice(start, end)) && isFit(end)) return end;
    }
    return start;
  }
}

/** Removes texts from words, in one pass: a replacement is not changed again. */
function withoutSecretTexts(
  words: string,
  sources: readonly Texts[],
  isFit: (start: number, end: number) => boolean,
): string {
  let redactedText = "";
  let rest = 0;
  for (let at = 0; at < words.length;) {
    const isHidden = words.startsWith(SENSITIVE_TEXT, at);
    const end = isHidden
      ? at + SENSITIVE_TEXT.length
      : Math.max(...sources.map((texts) => texts.endIn(words, at, (textEnd) => isFit(at, textEnd))));
    if (end > at) {
      redactedText += words.slice(rest, at) + SENSITIVE_TEXT;
      rest = end;
    }
    at = Math.max(end, at + 1);
  }
  return redactedText + words.slice(rest);
}

/** The finding without certain texts. */
function hiddenFinding(finding: Finding, sources: readonly Texts[]): Finding {
  const holding = sources.filter(({ isEmpty }) => !isEmpty);
  if (holding.length === 0) return finding;
  const { summary, detail, advice, file } = finding;
  const clean = (words: string): string =>
    withoutSecretTexts(
      words,
      holding,
      (start, end) =>
        (end - start > 1 && words[start] === '"' && words[end - 1] === '"') || isWholeWord(words, start, end),
    );
  const cleaned = (words: string | undefined) => (words === undefined ? undefined : clean(words));
  return {
    ...finding,
    summary: clean(summary),
    ...(detail !== undefined && { detail: clean(detail) }),
    ...(file !== undefined && { file: clean(file) }),
    ...(typeof advice === "string" && { advice: clean(advice) }),
    ...(typeof advice === "function" && { advice: (say) => cleaned(advice(say)) }),
  };
}

/** True if neither a letter nor a digit adjoins. */
function isWholeWord(words: string, start: number, end: number): boolean {
  return (
    !/[\p{L}\p{N}]$/u.test(words.slice(Math.max(0, start - 2), start)) &&
    !/^[\p{L}\p{N}]/u.test(words.slice(end, end + 2))
  );
}

/** The texts and numbers of a value. Keys are hidden where they are found unfit. */
function secretTexts(value: Value): readonly string[] {
  if (typeof value === "string") return [value, ...partsOfAddress(value)];
  if (isNumber(value)) return [String(value)];
  if (isList(value)) return value.flatMap(secretTexts);
  return isObject(value) ? Object.values(value).flatMap(secretTexts) : [];
}

/** The parts of an address that messages name. */
function partsOfAddress(text: string): readonly string[] {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return [];
  const { href, origin, host, hostname } = new URL(text);
  return [href, origin, host, hostname];
}

/** A finding about a configuration, without its sensitive values. */
export function hidingIn(config: ObjectValue, sensitive: readonly Path[]): (finding: Finding) => Finding {
  const texts = new Texts();
  for (const path of sensitive) secretTexts(valueAt(config, path)).forEach((text) => texts.addInWords(text));
  return (finding) => hiddenFinding(finding, [texts]);
}

function isAmong(reportedDiagnostics: readonly Diagnostic[]): (diagnostic: Diagnostic) => boolean {
  const texts = reportedDiagnostics.map((diagnostic) => JSON.stringify(diagnostic));
  return (diagnostic) => texts.includes(JSON.stringify(diagnostic));
}

/**
 * Runs a function that may fail with a text about a configuration, and removes sensitive values from the text.
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
    throw error.reworded(first).telling(more);
  }
}
