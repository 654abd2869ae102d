/** The form in which calls are declared. */
import type { Headers } from "../access/authenticate";
import type { Caller } from "../access/caller";
import type { Given, Parameters } from "../parameters/parameter";

export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** For example "/api/account/:ref"; `:ref` stands for an id or a serial. */
  readonly path: string;
  readonly title: string;
  /** What the body may hold. */
  readonly parameters?: Parameters;
  readonly answer: (call: Call) => Answer;
}

/** A request, as a route sees it. */
export interface Call {
  /** @throws Refusal 401 or 403 */
  caller(): Caller;
  /** The body's members that the table names. @throws Refusal 400 */
  read<P extends Parameters>(parameters: P): Given<P>;
  /** The id or serial in the path. */
  readonly ref: string;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers: Headers;
  /** Source address. */
  readonly addr: string | null;
}

export interface Answer {
  readonly status: number;
  /** The body; "" for none. */
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}
