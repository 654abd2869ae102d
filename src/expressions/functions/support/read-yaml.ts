import { parseDocument, type ScalarTag, type Tags } from "yaml";
import { ExpressionFailed } from "../../../errors";
import { emptyObject, normalNumber, type Value } from "../../../values";
import { checkDepth, checkIndentation } from "./depth";
import { formatInstant, parseInstant } from "./instant";

/** @throws ExpressionFailed where the text is not one YAML document of plain data. */
export function readYaml(text: string): Value {
  checkDepth(text);
  checkIndentation(text);
  try {
    const document = parseDocument(text, {
      version: "1.2",
      intAsBigInt: true,
      merge: true,
      uniqueKeys: false,
      logLevel: "error",
      // To draw what is around each of a million errors would take hours, and nobody would see it.
      prettyErrors: false,
      customTags: (tags) => [...ADDITIONAL_TAGS, ...tags],
    });
    const [finding] = [...document.errors, ...document.warnings];
    if (finding) throw finding;
    if (document.contents === null) throw new ExpressionFailed("the string contains no YAML document");
    return plain(document.toJS({ mapAsMap: true, maxAliasCount: 100 }) as unknown);
  } catch (error) {
    if (error instanceof ExpressionFailed) throw error;
    throw new ExpressionFailed("this is not a YAML document of plain data", { cause: error });
  }
}

function scalar(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve };
}

/** What Terraform's YAML knows besides the core schema: words of YAML 1.1, and times, which become texts. */
const ADDITIONAL_TAGS: Tags = [
  scalar("bool", /^(?:y|Y|yes|Yes|YES|on|On|ON)$/, () => true),
  scalar("bool", /^(?:n|N|no|No|NO|off|Off|OFF)$/, () => false),
  scalar("int", /^[-+]?\d[\d_]*$/, (text) => BigInt(text.replace(/[_+]/g, ""))),
  scalar("timestamp", /^\d{4}-\d\d?-\d\d?$/, (text) => {
    const [year = "", month = "", day = ""] = text.split("-");
    return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00Z`;
  }),
  scalar("timestamp", /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[-+]\d\d:\d\d)$/, (text) =>
    formatInstant(parseInstant(text.toUpperCase())),
  ),
  { tag: "tag:yaml.org,2002:binary", resolve: (text: string) => text.replace(/\s/g, "") },
];

function plain(data: unknown): Value {
  if (typeof data === "bigint") return normalNumber(data);
  if (typeof data === "number" && !Number.isFinite(data))
    throw new ExpressionFailed("a number in it is not finite");
  if (typeof data === "string") return data.normalize();
  if (Array.isArray(data)) return data.map(plain);
  if (!(data instanceof Map)) return (data ?? null) as Value;
  const object: Record<string, Value> = emptyObject();
  for (const [key, member] of data as Map<unknown, unknown>) object[String(key)] = plain(member);
  return object;
}
