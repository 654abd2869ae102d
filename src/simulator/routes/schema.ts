/** The machine-readable description of the service (spec 4.2), made from the very tables that check its parameters. */
import { objectSchema } from "../parameters/json-schema";
import { ok } from "./answer";
import type { Route } from "./route";

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
