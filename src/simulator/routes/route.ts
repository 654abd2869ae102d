/** The form in which calls are declared, the forms of their answers, and the description of them all (spec 4.1, 4.2). */
import type { Caller, Headers } from "../callers";
import { toJson } from "../json";
import { type Given, objectSchema, type Parameters } from "../parameters";
import { sees } from "../rules";
import type { Service } from "../service";
import type { Tombstone } from "../store";

/** A call, as it is declared. */
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

// Answers in the forms that the spec shows.

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

// Finding records for the routes.

/** Whether a list's filters, such as `?login=jane@acme`, let a record through. Filters that are not in `keys` are ignored. */
export function wants(service: Service, call: Call, keys: Readonly<Record<string, string>>): boolean {
  if (!service.settings.listFilters) return true;
  return Object.entries(keys).every(([name, value]) => {
    const wanted = call.query[name];
    return wanted === undefined || [wanted].flat().includes(value);
  });
}

/** "DELETE is idempotent: repeated attempts give the same result" (spec 4.1). */
export function isDeleted(
  caller: Caller,
  table: { findDeleted(ref: string): Tombstone | undefined },
  ref: string,
): boolean {
  const deleted = table.findDeleted(ref);
  return deleted !== undefined && sees(caller, deleted.account_id);
}

/** The machine-readable description of the service (spec 4.2), made from the very tables that check its parameters. */
export function schemaRoute(routes: readonly Route[]): Route {
  return {
    method: "GET",
    path: "/schema",
    title: "This schema",
    answer: () =>
      ok({
        $schema: "http://json-schema.org/draft-07/schema#",
        title: "Storage management service: authentication, accounts and user profiles",
        type: "object",
        links: routes.map(({ method, path, title, parameters }) => ({
          rel: title,
          method,
          href: path.replace(":ref", "{id_or_serial}"),
          ...(parameters && { schema: objectSchema(parameters) }),
        })),
      }),
  };
}
