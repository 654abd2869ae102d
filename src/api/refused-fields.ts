/** The list of a validation failure: which member, and why (spec 7). */
import type { RefusedField } from "../errors";
import { isList, isObject, plainText, type Path, type Value } from "../values";
import type { Redactor } from "./redact";

/** More findings than anybody reads. */
const MOST_FIELDS = 200;

/** Reads `errors` of a refusal's body; what is no such list gives none. */
export function parseRefusedFields(body: Value | undefined, redactor: Redactor): RefusedField[] {
  const list = isObject(body) ? body["errors"] : undefined;
  if (!isList(list)) return [];
  return list.slice(0, MOST_FIELDS).map((element) => refusedField(element, redactor));
}

function refusedField(element: Value, redactor: Redactor): RefusedField {
  if (typeof element === "string") return { path: [], type: undefined, message: redactor.plain(element) };
  const { type, field, msg, message } = (isObject(element) ? element : {}) as Record<
    string,
    Value | undefined
  >;
  const kind = typeof type === "string" && type !== "" ? redactor.plain(type, 40) : undefined;
  const words = [msg, message].find((text) => typeof text === "string" && text !== "");
  return {
    path: typeof field === "string" ? parsePointer(field) : [],
    type: kind,
    message: typeof words === "string" ? redactor.plain(words) : (kind ?? "no reason given"),
  };
}

/**
 * `/limits/vss_num` → `["limits", "vss_num"]` (RFC 6901). Without a slash at its beginning the colons, dots and slashes of
 * other notations part the names.
 */
export function parsePointer(text: string): Path {
  const pointer = text.startsWith("#") ? unescapedPercent(text.slice(1)) : text;
  const steps = pointer.startsWith("/")
    ? pointer
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    : pointer.split(/[/:.]|\[|\]/);
  return steps
    .map((step) => plainText(step, 100))
    .filter((step) => step !== "")
    .map((step) => (/^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step));
}

function unescapedPercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
