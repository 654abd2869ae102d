/** The declaration of calls, the forms of their answers, and the description of them all (spec 4.1, 4.2). */
import type { Caller, Headers } from "../callers";
import { toJson } from "../json";
import { type Given, objectSchema, type Parameters } from "../parameters";
import { Refusal } from "../refusal";
import { type Findable, findVisible, sees } from "../rules";
import type { Service } from "../service";
import type { StoredRow, Tombstone } from "../store";

/** A call, as it is declared. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** For example "/api/account/:ref"; `:ref` is an id or a serial. */
  readonly path: string;
  readonly title: string;
  /** Parameters of the body. */
  readonly parameters?: Parameters;
  readonly answer: (call: RouteCall) => Answer;
}

/** A request, as a route sees it. */
export interface RouteCall {
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
export function createdAnswer(text: string): Answer {
  return { status: 201, text };
}

export const NO_CONTENT: Answer = { status: 204, text: "" };

/** The tag changes with the record, and only then: event counters and sessions are no change. Tokens have none. */
export function withEtag(answer: Answer, { serial, seq }: StoredRow): Answer {
  return seq === undefined ? answer : { ...answer, headers: { ETag: `"${serial}-${seq}"` } };
}

// The common parts of the calls for records of any kind.

/** The calls that list records and show one. `find` and `answerOf` are for the calls that change them. */
export function readRoutes<R extends StoredRow>(records: {
  /** Without `:ref`. */
  readonly path: string;
  readonly titles: { readonly list: string; readonly one: string };
  readonly table: Findable<R> & { values(): Iterable<R> };
  /** The account that a record belongs to. */
  readonly accountOf: (row: R) => string;
  /** Asked only of records in an account that the caller sees. @default true */
  readonly maySee?: (caller: Caller, row: R) => boolean;
  /** The record as answers show it, in JSON. */
  readonly textOf: (row: R) => string;
}) {
  const { path, titles, table, accountOf, maySee = () => true, textOf } = records;
  /** @throws Refusal 404 or 410 */
  const find = (caller: Caller, ref: string): R => {
    const row = findVisible(caller, table, ref, accountOf);
    if (!maySee(caller, row)) throw new Refusal(404, `${table.type} ${ref} not found`);
    return row;
  };
  const list = (call: RouteCall): Answer => {
    const caller = call.caller();
    const visibleRows = [...table.values()].filter(
      (row) => sees(caller, accountOf(row)) && maySee(caller, row),
    );
    return okText(`[${visibleRows.map(textOf).join(",")}]`);
  };
  const answerOf = (row: R): Answer => withEtag(okText(textOf(row)), row);
  const routes: readonly Route[] = [
    { method: "GET", path, title: titles.list, answer: list },
    {
      method: "GET",
      path: `${path}/:ref`,
      title: titles.one,
      answer: (call) => answerOf(find(call.caller(), call.ref)),
    },
  ];
  return { find, answerOf, routes };
}

/** "DELETE is idempotent: repeated attempts give the same result" (spec 4.1). */
export function isDeleted(
  caller: Caller,
  table: { findDeleted(ref: string): Tombstone | undefined },
  ref: string,
): boolean {
  const tombstone = table.findDeleted(ref);
  return tombstone !== undefined && sees(caller, tombstone.account_id);
}

/**
 * Names, logins and uuids belong to one record each.
 * @throws Refusal 409 (or 400, as the options say)
 */
export function requireFree<Key extends string>(
  { settings }: Service,
  table: {
    readonly type: string;
    by(name: Key | "uuid", key: string): unknown;
    hadUuid(uuid: string): boolean;
  },
  keys: Readonly<Record<Key, string>>,
  uuid?: string,
): void {
  const duplicate = (message: string) =>
    new Refusal(settings.duplicateStatus, message, { type: "duplicate" });
  for (const [name, key] of Object.entries(keys) as [Key, string][])
    if (table.by(name, key) !== undefined)
      throw duplicate(`${table.type.replace("_", " ")} ${key} exists already`);
  if (uuid === undefined) return;
  const isLive = table.by("uuid", uuid.toLowerCase()) !== undefined;
  if (isLive || (!settings.reuseUuids && table.hadUuid(uuid))) throw duplicate(`uuid ${uuid} is taken`);
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
