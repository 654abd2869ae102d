/** One request of a run, and what came of it. */
import type { Strike } from "../model/fault";
import type { Commit } from "./snapshot";

export interface Exchange {
  readonly index: number;
  readonly method: string;
  /** Without query, below the run's own base: `/api/account/account:1:2`. */
  readonly path: string;
  /** The body as it was sent. */
  readonly sent: string;
  /** Changes that the service made, whatever the run heard of them. */
  readonly commits: readonly Commit[];
  /** Changes that others made at the same time: before the service's work, and after. */
  readonly rivals: { readonly before: readonly Commit[]; readonly after: readonly Commit[] };
  readonly strike: Strike | undefined;
  /** Status that the run saw; undefined where it saw none. */
  readonly status: number | undefined;
  /** Body that the run saw whole; "" where it saw none. */
  readonly answer: string;
  /** The service's own answer. */
  readonly truth: { readonly status: number; readonly body: string } | undefined;
}

/** The records that an answer to a GET showed, by id. */
export function shownRecords({ method, status, answer }: Exchange): ReadonlyMap<string, ShownRecord> {
  if (method !== "GET" || status !== 200 || answer === "") return new Map();
  const body = JSON.parse(answer) as unknown;
  const records = (Array.isArray(body) ? body : [body]) as readonly ShownRecord[];
  return new Map(records.filter(({ id }) => typeof id === "string").map((record) => [record.id, record]));
}

export interface ShownRecord {
  readonly id: string;
  readonly serial?: string;
  readonly seq?: number;
  readonly account_id?: string;
  readonly admin_profile_id?: string;
  readonly name?: string;
  readonly login?: string;
}

export function isTokenCreation({ method, path }: Pick<Exchange, "method" | "path">): boolean {
  return method === "POST" && path === "/api/authorization";
}

export function isLogIn({ method, path }: Pick<Exchange, "method" | "path">): boolean {
  return method === "POST" && path === "/api/oauth2/token";
}
