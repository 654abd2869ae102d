/** Assembles the data source that shows the owner of the run's own credential (`GET /status/authorization`, spec 4.2). */
import { allComputed, describe, group, text } from "../schema";
import type { DataSource, Family } from "./family";
import { rightsAndScopes } from "./permissions";
import { shownState } from "./record";

const caller: DataSource = {
  description: describe(
    "caller",
    "The user of the run's own credential, as the service reports it. Values that the service does not report are null.",
    allComputed({
      type: text("Kind of the credential, where it is a username and password."),
      serial: text("Serial number, where the credential is a username and password."),
      account: group("Account of the caller, where the credential is a token.", {
        id: text("Id."),
        serial: text("Serial number."),
        name: text("Name."),
      }),
      user: group("User profile of the caller, where the service says it.", {
        id: text("Id."),
        serial: text("Serial number."),
        name: text("Login."),
      }),
      created_at: text("When the token was made, ISO 8601."),
      ...rightsAndScopes(),
    }),
  ),
  check: () => [],
  read: async ({ client }) => shownState(caller.description.attributes, [], await client.caller(), {}),
};

export const family: Family = { dataSources: [caller] };
