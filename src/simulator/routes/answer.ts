/** Answers in the forms that the spec shows. */
import { toJson } from "../json";
import type { Answer } from "./route";

export function ok(body: unknown): Answer {
  return { status: 200, text: toJson(body) };
}

/** @param text a body that is written already */
export function okText(text: string): Answer {
  return { status: 200, text };
}

/** @param text a body that is written already */
export function created(text: string): Answer {
  return { status: 201, text };
}

export const NO_CONTENT: Answer = { status: 204, text: "" };

/** The tag changes with the record, and only then: event counters and sessions are no change. */
export function withEtag(answer: Answer, record: { readonly serial: string; readonly seq: number }): Answer {
  return { ...answer, headers: { ETag: `"${record.serial}-${record.seq}"` } };
}
