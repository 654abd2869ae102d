/** A file of its own since each resource family is one: the health of the service (spec 1, 4.2). */
import { allComputed, describe, integer, readState, text } from "../schema";
import type { DataSource, Family } from "./family";

const status: DataSource = {
  description: describe(
    "status",
    "Health of the service; needs no rights.",
    allComputed({
      status: integer("200 when the service is healthy."),
      message: text('"ok" when the service is healthy.'),
    }),
  ),
  check: () => [],
  read: async ({ client }) => readState(status.description.attributes, { self: await client.status() }, null),
};

export const family: Family = { dataSources: [status] };
