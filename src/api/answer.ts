/** Reads an answer of the service: a record, a list, or an error. */
import {
  answerTruncated,
  answerUnexpected,
  type ApiError,
  type ApiFacts,
  busy,
  conflict,
  forbidden,
  gatewayFailed,
  deletedAlready,
  methodUnsupported,
  notFound,
  otpRefused,
  otpRequired,
  type RefusedField,
  serverFailed,
  unauthenticated,
  validationRefused,
} from "../problems";
import {
  isList,
  isObject,
  type ObjectValue,
  parseJson,
  type Path,
  plainText,
  TooDeep,
  type Value,
} from "../lib/values";
import type { Answer } from "./exchange";
import type { Authority } from "./identity";
import type { ClientSettings } from "./options";
import { misfitIn } from "./records";
import type { Redactor } from "./redact";

export interface Reply {
  /** Undefined if the answer had none. */
  readonly body: Value | undefined;
  /** For errors about the body's content. */
  readonly facts: ApiFacts;
  /** True if the answer says that it is one page of a longer list. */
  readonly isOnePage?: boolean;
}

/** Reads `Retry-After`, seconds or an HTTP date, as milliseconds from now. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export const SUCCESS = new Set([200, 201, 202, 204]);

/** Characters of an error's body that are read. */
const EXCERPT_LENGTH = 16 * 1024;

/**
 * The body of a success; undefined if there is none.
 * @throws gatewayFailed if it is a page, answerTruncated where it is not complete JSON, answerUnexpected where it is nested too deeply
 */
export function bodyOf(answer: Answer, facts: ApiFacts, redactor: Redactor): Value | undefined {
  if (answer.status === 204 || answer.text.trim() === "") return undefined;
  try {
    return parseJson(answer.text);
  } catch (error) {
    const known = { ...facts, status: answer.status };
    if (error instanceof TooDeep) throw answerUnexpected.error(known, error.message);
    if (isPage(answer)) throw gatewayFailed.error({ ...known, says: htmlTitle(answer.text, redactor) });
    throw answerTruncated.error(known, "it is not complete JSON");
  }
}

/**
 * True if a list says that it is not all there is: by a link to the next page (RFC 8288), or by a count of more elements than it has. The API's
 * specification knows no pages.
 */
export function isOnePage(answer: Answer, body: Value | undefined): boolean {
  if (!isList(body)) return false;
  const links = [answer.headers["link"] ?? []].flat().join(",");
  const hasNext = /;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(links);
  const total = Number(headerOf(answer, "x-total-count"));
  return hasNext || total > body.length;
}

/** The error for any other answer. A 401 and redirects are judged by the caller, which knows more of the request. */
export function errorOf(answer: Answer, facts: ApiFacts, redactor: Redactor, now: number): ApiError {
  const known: ApiFacts = {
    ...facts,
    status: answer.status,
    says: saysOf(answer, redactor),
    retryAfterMs: parseRetryAfter(headerOf(answer, "retry-after"), now),
  };
  if (isPage(answer)) return gatewayFailed.error(known);
  switch (answer.status) {
    case 400:
    case 422:
      return validationRefused.error(known, parseRefusedFields(jsonIn(answer.text), redactor));
    case 403:
      return forbidden.error(known);
    case 404:
      return notFound.error(known);
    case 405:
      return methodUnsupported.error(known);
    case 409:
      return conflict.error(known);
    case 410:
      return deletedAlready.error(known);
    case 500:
      return serverFailed.error(known);
    case 429:
    case 503:
      return busy.error(known);
    case 502:
    case 504:
      return gatewayFailed.error(known);
    default:
      return answerUnexpected.error(known, `status ${answer.status}`);
  }
}

/** One header; if there are several of that name, the first. */
export function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name.toLowerCase()];
  return typeof value === "object" ? value[0] : value;
}

/** The sentence in the body of a refusal, on one line. */
function saysOf(answer: Answer, redactor: Redactor): string {
  if (isPage(answer)) return htmlTitle(answer.text, redactor);
  return redactor.plain(messageOf(jsonIn(answer.text)) ?? beginningOf(answer.text));
}

/**
 * True if the answer is a page for people, which the service never sends. JSON that is labelled as HTML, as some frameworks do by default, is not a page.
 */
function isPage(answer: Answer): boolean {
  if (/^\s*</.test(answer.text)) return true;
  const labelled = /^\s*(text\/html|application\/xhtml)/i.test(headerOf(answer, "content-type") ?? "");
  return labelled && answer.text.trim() !== "" && jsonIn(answer.text) === undefined;
}

function htmlTitle(html: string, redactor: Redactor): string {
  const text = beginningOf(html);
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? /<h1[^>]*>([^<]*)/i.exec(text)?.[1];
  const words =
    title ?? text.replace(/<(script|style)[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*(>|$)/g, " ");
  return redactor.plain(words, 120);
}

function messageOf(body: Value | undefined): string | undefined {
  if (typeof body === "string") return body;
  if (body === undefined) return undefined;
  if (typeof body !== "object" || body === null) return "";
  const { message, error, msg } = body as Record<string, unknown>;
  for (const candidate of [message, error, msg]) {
    if (typeof candidate === "string" && candidate !== "") return candidate;
    const inner: unknown =
      typeof candidate === "object" && candidate !== null && "message" in candidate && candidate.message;
    if (typeof inner === "string") return inner;
  }
  return "";
}

function jsonIn(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function beginningOf(text: string): string {
  return text.slice(0, EXCERPT_LENGTH);
}

/** The error for a 401: wrong credentials, or a missing or refused one-time password. */
export function unauthorizedError(
  answer: Answer,
  facts: ApiFacts,
  credential: Authority["credential"],
  otpSent: boolean,
  { otpHeader, redactor, clock }: ClientSettings,
): ApiError {
  const asking = askingHeader(answer, otpHeader);
  if (asking === undefined && isPage(answer)) return errorOf(answer, facts, redactor, clock.wall());
  const known = { ...facts, status: 401, says: saysOf(answer, redactor) };
  if (asking === undefined || credential === "session") return unauthenticated.error(known, credential);
  return otpSent
    ? otpRefused.error(known)
    : otpRequired.error(known, { configured: otpHeader, headerInAnswer: redactor.plain(asking, 60) });
}

/** True if the service asks for a one-time password, in the configured header or another one. */
function askingHeader(answer: Answer, configured: string): string | undefined {
  const asks = (name: string) => /^\s*required\b/i.test(headerOf(answer, name) ?? "");
  if (asks(configured)) return configured;
  return Object.keys(answer.headers).find((name) => /-otp$/i.test(name) && asks(name));
}

// Validation failures: which member is refused, and why (spec 7).

/** The limit of findings that a reader can use. */
const MOST_FIELDS = 200;

/** Reads `errors` of a refusal's body. Anything but such a list counts as empty. */
export function parseRefusedFields(body: Value | undefined, redactor: Redactor): RefusedField[] {
  const list = isObject(body) ? body["errors"] : undefined;
  if (!isList(list)) return [];
  return list.slice(0, MOST_FIELDS).map((element) => refusedField(element, redactor));
}

function refusedField(element: Value, redactor: Redactor): RefusedField {
  if (typeof element === "string") return { path: [], message: redactor.plain(element) };
  const { type, field, msg, message } = (isObject(element) ? element : {}) as Record<
    string,
    Value | undefined
  >;
  const kind = typeof type === "string" && type !== "" ? redactor.plain(type, 40) : undefined;
  const words = [msg, message].find((text) => typeof text === "string" && text !== "");
  return {
    path: typeof field === "string" ? parsePointer(field) : [],
    message: typeof words === "string" ? redactor.plain(words) : (kind ?? "no reason given"),
  };
}

/**
 * `/limits/vss_num` → `["limits", "vss_num"]` (RFC 6901). Without a slash at its beginning the colons, dots and slashes of other notations part the names.
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

// The shape of answers. An answer of another shape is an error; it is never taken for an empty list or an absent record.

/** @throws answerUnexpected if the body is no record */
export function recordOf<T extends ObjectValue>(reply: Reply): T {
  return record<T>(reply.body, reply.facts, () => "the answer");
}

/** The record of an answer that may have none. */
export function optionalRecordOf<T extends ObjectValue>(reply: Reply): T | undefined {
  return reply.body === undefined || reply.body === null ? undefined : recordOf<T>(reply);
}

/** @throws answerUnexpected if the body is no list, holds an element that is no record, or is one page of several */
export function recordsIn<T extends ObjectValue>(reply: Reply): T[] {
  if (!isList(reply.body))
    throw answerUnexpected.error(reply.facts, `a list is expected here, not ${jsonKind(reply.body)}`);
  if (reply.isOnePage)
    throw answerUnexpected.error(reply.facts, "the list is one page of several, and Tenancy reads no pages");
  reply.body.forEach((element, index) => record(element, reply.facts, () => `element ${index} of the list`));
  return reply.body as unknown as T[];
}

/** @param nameOf gives the name of the value for messages: a list has too many elements to name each in advance */
function record<T extends ObjectValue>(value: Value | undefined, facts: ApiFacts, nameOf: () => string): T {
  if (!isObject(value))
    throw answerUnexpected.error(facts, `${nameOf()} is ${jsonKind(value)}, not a record`);
  const misfit = misfitIn(value);
  if (misfit !== undefined) {
    const { login, name, id } = value;
    const key = [login, name, id].find((text) => typeof text === "string");
    const owner = typeof key === "string" ? ` of ${JSON.stringify(plainText(key, 80))}` : "";
    const { path, value: member, expectation } = misfit;
    throw answerUnexpected.error(
      facts,
      `${plainText(path, 100)}${owner} in ${nameOf()} is ${jsonKind(member)}, not ${expectation}`,
    );
  }
  return value as T;
}

function jsonKind(value: Value | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (isList(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
