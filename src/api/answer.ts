/** What an answer means: a success with its body, or the typed error that its status stands for (spec 7). */
import {
  AnswerTruncated,
  AnswerUnexpected,
  Busy,
  Conflict,
  Forbidden,
  GatewayFailed,
  Gone,
  MethodUnsupported,
  NotFound,
  ServerFailed,
  ValidationRefused,
  type ApiError,
  type ApiFacts,
} from "../errors";
import { parseJson, TooDeep, type Value } from "../values";
import type { Answer } from "./exchange";
import { parseRefusedFields } from "./refused-fields";
import type { Redactor } from "./redact";
import { parseRetryAfter } from "./retry";

const SUCCESS = new Set([200, 201, 202, 204]);

/** How much of an error's body is looked at. */
const EXCERPT_LENGTH = 16 * 1024;

export function isSuccess(answer: Answer): boolean {
  return SUCCESS.has(answer.status);
}

/**
 * The body of a success; undefined where there is none.
 * @throws GatewayFailed where it is a page, AnswerTruncated where it is not complete JSON, AnswerUnexpected where it is nested too deeply
 */
export function bodyOf(answer: Answer, facts: ApiFacts, redactor: Redactor): Value | undefined {
  if (answer.status === 204 || answer.text.trim() === "") return undefined;
  try {
    return parseJson(answer.text);
  } catch (error) {
    const known = { ...facts, status: answer.status };
    if (error instanceof TooDeep) throw new AnswerUnexpected(known, error.message);
    if (isPage(answer)) throw new GatewayFailed({ ...known, says: titleOf(answer.text, redactor) });
    throw new AnswerTruncated(known, "it is not complete JSON");
  }
}

/** The error that any other answer stands for; a 401 and redirects are judged by who knows more of the request. */
export function errorOf(answer: Answer, facts: ApiFacts, redactor: Redactor, now: number): ApiError {
  const known: ApiFacts = {
    ...facts,
    status: answer.status,
    says: saysOf(answer, redactor),
    retryAfterMs: parseRetryAfter(headerOf(answer, "retry-after"), now),
  };
  if (isPage(answer)) return new GatewayFailed(known);
  switch (answer.status) {
    case 400:
    case 422:
      return new ValidationRefused(known, parseRefusedFields(parsed(answer.text), redactor));
    case 403:
      return new Forbidden(known);
    case 404:
      return new NotFound(known);
    case 405:
      return new MethodUnsupported(known);
    case 409:
      return new Conflict(known);
    case 410:
      return new Gone(known);
    case 500:
      return new ServerFailed(known);
    case 429:
    case 503:
      return new Busy(known);
    case 502:
    case 504:
      return new GatewayFailed(known);
    default:
      return new AnswerUnexpected(known, `status ${answer.status}`);
  }
}

/** One header; where it came several times, the first. */
export function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name.toLowerCase()];
  return typeof value === "object" ? value[0] : value;
}

/** What the body of a refusal says, on one line. */
export function saysOf(answer: Answer, redactor: Redactor): string {
  if (isPage(answer)) return titleOf(answer.text, redactor);
  return redactor.plain(messageOf(parsed(answer.text)) ?? excerpt(answer.text));
}

/**
 * Whether it is a page for people, which the service never sends. JSON that is labelled as HTML, a default of some
 * frameworks, is none.
 */
export function isPage(answer: Answer): boolean {
  if (/^\s*</.test(answer.text)) return true;
  const labelled = /^\s*(text\/html|application\/xhtml)/i.test(headerOf(answer, "content-type") ?? "");
  return labelled && answer.text.trim() !== "" && parsed(answer.text) === undefined;
}

function titleOf(html: string, redactor: Redactor): string {
  const text = excerpt(html);
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

function parsed(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function excerpt(text: string): string {
  return text.slice(0, EXCERPT_LENGTH);
}
