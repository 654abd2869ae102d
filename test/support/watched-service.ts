/** A service with one account in which a test creates users, and what was sent to it. */
import { resource as userProfile } from "../../src/resources/user-profile";
import type { SimulatorOptions } from "../../src/lib/simulator";
import type { ObjectValue } from "../../src/lib/values";
import { connected, type ConnectionOptions } from "./connections";
import { created } from "./life";

/** The account is called "globex". */
export async function watchedService(options: SimulatorOptions = {}, how: ConnectionOptions = {}) {
  const service = await connected(options, how);
  const { simulator, connection } = service;
  const { id } = simulator.records.createAccount({ name: "globex" });
  const withoutLogIn = () => simulator.requests.filter(({ path }) => !/oauth2|status/.test(path));
  simulator.clearRequests();
  return {
    ...service,
    /** Id of the account. */
    id,
    /** Creates a user without rights. */
    create: (username: string, more: ObjectValue = {}, by = connection) =>
      created(userProfile, by, { username, account_id: id, permissions: {}, ...more }),
    /** Every request but those of the log-in: `GET account`, in order. */
    sent: () => withoutLogIn().map(({ method, path }) => `${method} ${path.split("/")[2] ?? ""}`),
    /** Bodies of the requests of a method. */
    bodies: (wanted: string) =>
      withoutLogIn()
        .filter(({ method }) => method === wanted)
        .map(({ body }) => body as Record<string, unknown>),
  };
}
