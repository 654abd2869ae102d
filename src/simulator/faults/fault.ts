/** Trouble on demand: what may go wrong between a client and the service, and when. */
import type { RecordedRequest } from "../options";

/** What goes wrong with coming requests. */
export interface Fault {
  /** Method of the requests to strike. @default any */
  readonly method?: string;
  /** A path without query, for example "/api/account", or a pattern for path and query. @default any */
  readonly path?: string | RegExp;
  /** Requests that also look like this, for example by their body. @default any */
  readonly where?: (request: RecordedRequest) => boolean;
  /** How many matching requests go through first. @default 0 */
  readonly skip?: number;
  /** How many are struck, before the fault is over. @default 1 */
  readonly times?: number;
  /** Whether the service does its work before the fault strikes: the answer is lost, and the write is not. @default "before" */
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
  /** How many requests it struck so far. */
  readonly strikes: number;
  /** Ends it: later requests are answered as usual. */
  remove(): void;
}

export class Faults {
  #pending: Entry[] = [];

  add(fault: Fault): PendingFault {
    const entry: Entry = {
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
    const entry = this.#pending.find(({ fault }) => matches(fault, request));
    if (entry === undefined) return undefined;
    if (entry.skipped < (entry.fault.skip ?? 0)) {
      entry.skipped += 1;
      return undefined;
    }
    entry.strikes += 1;
    if (entry.strikes >= (entry.fault.times ?? 1)) entry.remove();
    return entry.fault;
  }
}

interface Entry extends PendingFault {
  readonly fault: Fault;
  skipped: number;
  strikes: number;
}

function matches({ method, path, where }: Fault, request: RecordedRequest): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (typeof path === "string" && path !== request.path.split("?")[0]) return false;
  if (path instanceof RegExp && !path.test(request.path)) return false;
  return where === undefined || where(request);
}
