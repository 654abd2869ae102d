/** Creating exactly once, also where the answer is lost: look for the object before asking again. */
import {
  AnswerLost,
  AnswerUnexpected,
  ApiError,
  Conflict,
  TenancyError,
  ValidationRefused,
  type ApiFacts,
} from "../errors";
import type { ObjectValue } from "../values";
import type { ApiRequest } from "./attempt";
import type { Channel } from "./channel";
import { optionalRecordOf } from "./shape";

export interface CreateOptions<T> {
  /**
   * Finds the object by the uuid that it was to be created with: the record, or undefined where it is certain that there
   * is none. Whatever else, it throws.
   */
  readonly lookUp: () => Promise<T | undefined>;
}

export interface Created<T> {
  readonly record: T;
  readonly etag: string | undefined;
  /** Whether the answer was lost, and the record found by looking for it. */
  readonly recovered: boolean;
}

const RUN_AGAIN =
  "Run again when the service is healthy: what exists is recognised by its uuid; without an `owner` it has to be imported.";

/**
 * @param object what is created, such as `account "acme"`
 * @throws AnswerLost where nobody can tell whether it was created
 */
export async function create<T extends ObjectValue>(
  channel: Channel,
  request: ApiRequest,
  object: string,
  { lookUp }: CreateOptions<T>,
): Promise<Created<T>> {
  let lost: ApiError | undefined;
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOf<T>(channel, request);
    if ("record" in outcome) return outcome;
    const { error } = outcome;
    // A refusal after a lost answer may well be our own object's doing.
    const doubtful = error.uncertain || (lost !== undefined && isRefusal(error));
    if (!doubtful) throw error;
    const found = await looked(lookUp, error.request, object, lost ?? error);
    if (found !== undefined) return { record: found, etag: undefined, recovered: true };
    if (wasAccepted(error)) throw accepted(error, object);
    if (!error.uncertain || !error.transient) throw error;
    if (!(await channel.pause(attempt, error.request.retryAfterMs))) throw error;
    lost = error;
  }
}

async function attemptOf<T extends ObjectValue>(
  channel: Channel,
  request: ApiRequest,
): Promise<Created<T> | { error: ApiError }> {
  try {
    const reply = await channel.send(request);
    const record = optionalRecordOf<T>(reply);
    if (record === undefined) return { error: new AnswerUnexpected(reply.facts, "it contains no record") };
    return { record, etag: reply.etag, recovered: false };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

async function looked<T>(
  lookUp: () => Promise<T | undefined>,
  facts: ApiFacts,
  object: string,
  lost: ApiError,
): Promise<T | undefined> {
  try {
    return await lookUp();
  } catch (error) {
    const why = error instanceof TenancyError ? error.message : "an unexpected failure";
    throw new AnswerLost(facts, `${object} was created`, {
      lost,
      detail: `Looking for it failed: ${why}.`,
      advice: RUN_AGAIN,
    });
  }
}

function isRefusal(error: ApiError): boolean {
  return error instanceof Conflict || error instanceof ValidationRefused;
}

/** The service said yes, in whatever words: asking again could make a second one. */
function wasAccepted(error: ApiError): boolean {
  return error.status !== undefined && error.status < 300;
}

function accepted(error: ApiError, object: string): AnswerLost {
  return new AnswerLost(error.request, `${object} was created`, {
    lost: error,
    detail: "The service accepted it, but does not show it.",
    advice: RUN_AGAIN,
  });
}
