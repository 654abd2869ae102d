/** Faults that a test asks for: which requests they strike, and how they show on the wire. */
import type { ServerResponse } from "node:http";
import { parseJson, toJson } from "./json";
import type { RecordedRequest } from "./options";
import type { Answer } from "./routes/route";

/** A fault of coming requests. */
export interface Fault {
  /** Method of the requests to strike. @default any */
  readonly method?: string;
  /** A path without query, for example "/api/account", or a pattern for path and query. @default any */
  readonly path?: string | RegExp;
  /** Requests that also look like this, for example by their body. @default any */
  readonly where?: (request: RecordedRequest) => boolean;
  /** Matching requests that go through first. @default 0 */
  readonly skip?: number;
  /** Requests that are struck before the fault is over. @default 1 */
  readonly times?: number;
  /** Milliseconds from the first strike on during which matching requests are struck, however many. @default as `times` says */
  readonly lasts?: number;
  /** `"after"`: the service does its work before the fault strikes, so that the answer is lost and the write is not. @default "before" */
  readonly when?: "before" | "after";

  /** Milliseconds to wait. With nothing else below, the request is then answered as ever. */
  readonly delay?: number;
  /** Answers this status. */
  readonly status?: number;
  /** With `status`: an object goes out as JSON, a string as HTML. @default `{ status, message }` */
  readonly body?: object | string;
  /** With `status`: header `Retry-After`, in seconds or as a date. */
  readonly retryAfter?: number | string;
  /** Resets the connection. */
  readonly reset?: true;
  /** Never answers. */
  readonly hang?: true;
  /** Cuts the connection in the middle of the answer's body. */
  readonly truncate?: true;
  /** Changes the answer's body, after the work is done: a list that is too short, a member that is missing or wrong. */
  readonly alter?: (body: unknown) => unknown;
}

/** A fault that waits for its requests, or has had them. */
export interface PendingFault {
  /** Requests that it has struck so far. */
  readonly strikes: number;
  /** Ends it: later requests are answered as usual. */
  remove(): void;
}

export class Faults {
  #pending: FaultEntry[] = [];

  add(fault: Fault): PendingFault {
    const entry: FaultEntry = {
      fault,
      skipped: 0,
      strikes: 0,
      remove: () => {
        this.#pending = this.#pending.filter((other) => other !== entry);
      },
    };
    this.#pending.push(entry);
    return entry;
  }

  clear(): void {
    this.#pending = [];
  }

  /** The fault that strikes this request, if one does; each request counts for the first fault that it matches. */
  next(request: RecordedRequest): Fault | undefined {
    const now = performance.now();
    this.#pending = this.#pending.filter(({ endsAt }) => endsAt === undefined || now < endsAt);
    const entry = this.#pending.find(({ fault }) => matchesRequest(fault, request));
    if (entry === undefined) return undefined;
    if (entry.skipped < (entry.fault.skip ?? 0)) {
      entry.skipped += 1;
      return undefined;
    }
    entry.strikes += 1;
    if (entry.fault.lasts !== undefined) entry.endsAt ??= now + entry.fault.lasts;
    else if (entry.strikes >= (entry.fault.times ?? 1)) entry.remove();
    return entry.fault;
  }
}

interface FaultEntry extends PendingFault {
  readonly fault: Fault;
  skipped: number;
  strikes: number;
  /** The end of a fault that lasts. */
  endsAt?: number;
}

function matchesRequest({ method, path, where }: Fault, request: RecordedRequest): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (typeof path === "string" && path !== request.path.split("?")[0]) return false;
  if (path instanceof RegExp && !path.test(request.path)) return false;
  return where === undefined || where(request);
}

// The form of faults on the wire.

/** True if the service is kept from doing its work. */
export function forestalls(fault: Fault): boolean {
  const { status, reset, hang, when = "before" } = fault;
  return when === "before" && (status !== undefined || reset === true || hang === true);
}

/** The answer in place of the service's own. */
export function answerOf({ status = 503, body, retryAfter }: Fault): Answer {
  return {
    status,
    text:
      typeof body === "string" ? body : toJson(body ?? { status, message: "server busy, try again later" }),
    headers: {
      "Content-Type": typeof body === "string" ? "text/html" : "application/json",
      ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
    },
  };
}

/** The service's answer after the fault. */
export function alter(fault: Fault, answer: Answer): Answer {
  if (fault.status !== undefined) return answerOf(fault);
  if (fault.alter === undefined || answer.text === "") return answer;
  return { ...answer, text: toJson(fault.alter(parseJson(answer.text))) };
}

/** True if the fault breaks the connection, so that no whole answer may be sent. */
export function breaksConnection({ reset, hang, truncate }: Fault): boolean {
  return reset === true || hang === true || truncate === true;
}

export function breakConnection(fault: Fault, answer: Answer, response: ServerResponse): void {
  if (fault.reset === true) response.socket?.resetAndDestroy();
  if (fault.truncate !== true) return;
  const body = Buffer.from(answer.text);
  response.writeHead(answer.status, { ...answer.headers, "Content-Length": body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}
