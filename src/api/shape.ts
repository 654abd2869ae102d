/** Is an answer of the shape that it must have? Never an empty list, and never "absent", for what is something else. */
import { AnswerUnexpected, type ApiFacts } from "../errors";
import { isList, isObject, type ObjectValue, type Value } from "../values";
import type { Reply } from "./attempt";
import { IDENTITY_MEMBERS } from "./records";

/** @throws AnswerUnexpected where the body is no record */
export function recordOf<T extends ObjectValue>(reply: Reply): T {
  return record<T>(reply.body, reply.facts, () => "the answer");
}

/** The record of an answer that may have none. */
export function optionalRecordOf<T extends ObjectValue>(reply: Reply): T | undefined {
  return reply.body === undefined || reply.body === null ? undefined : recordOf<T>(reply);
}

/** @throws AnswerUnexpected where the body is no list, or holds what is no record */
export function listOf<T extends ObjectValue>(reply: Reply): T[] {
  if (!isList(reply.body))
    throw new AnswerUnexpected(reply.facts, `a list is expected here, not ${kindOf(reply.body)}`);
  reply.body.forEach((element, index) => record(element, reply.facts, () => `element ${index} of the list`));
  return reply.body as unknown as T[];
}

/** @param what names the value in messages; a list has too many elements to name those that are fit */
function record<T extends ObjectValue>(value: Value | undefined, facts: ApiFacts, what: () => string): T {
  if (!isObject(value)) throw new AnswerUnexpected(facts, `${what()} is ${kindOf(value)}, not a record`);
  for (const name of IDENTITY_MEMBERS) {
    const member = value[name];
    if (member !== undefined && member !== null && typeof member !== "string")
      throw new AnswerUnexpected(facts, `${name} in ${what()} is ${kindOf(member)}, not a string`);
  }
  return value as T;
}

function kindOf(value: Value | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (isList(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
