import { Client, type ClientOptions } from "../../src/api";
import { TestClock } from "./test-clock";

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

/** A client that does not really wait, and ends with the test. */
export function clientOf(service: { url: string }, options: Partial<ClientOptions> = {}): Client {
  const client = new Client({
    baseUrl: service.url,
    credentials: { kind: "password", username: "system", password: "correct horse" },
    clock: new TestClock(),
    random: () => 0.5,
    ...options,
  });
  open.push(client);
  return client;
}

/** What a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => error,
  );
}
