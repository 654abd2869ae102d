/** Connections to simulated services, as both engines make them. */
import { Client, type ClientOptions } from "../../src/api";
import type { Clock } from "../../src/api/limiter";
import { listDirectory } from "../../src/service/directory";
import { type Connection, CreatedInRun } from "../../src/service";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../src/lib/simulator";

export interface Connected {
  readonly simulator: Simulator;
  readonly connection: Connection;
  /** A connection as another run would make it: it knows nothing that was read before, and has no session. */
  readonly anew: (options?: ConnectionOptions) => Connection;
}

export interface ConnectionOptions {
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
  /** Of the caller's second factor, in base32. */
  readonly totpSecret?: string;
  readonly client?: Partial<ClientOptions>;
  /** What the run has made, where it has several connections. @default nothing */
  readonly made?: CreatedInRun;
  readonly now?: () => Date;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a service and connects as its system user; all ends with the test. */
export async function connected(
  service: SimulatorOptions = {},
  options: ConnectionOptions = {},
): Promise<Connected> {
  const simulator = await startSimulator(service);
  closing.push(() => simulator.close());
  const anew = (more: ConnectionOptions = {}) =>
    connectionTo(simulator.baseUrl, {
      username: simulator.username,
      password: simulator.password,
      ...options,
      ...more,
    });
  return { simulator, connection: anew(), anew };
}

/** A clock that only waits move, and no wait takes time: retries are soon over, and their number is certain. */
function unhurried(): Clock {
  let now = 0;
  return {
    monotonic: () => now,
    wall: Date.now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

/** A connection to any service. */
export function connectionTo(baseUrl: string, options: ConnectionOptions = {}): Connection {
  const { username = "system", password = "system", token } = options;
  const { made = new CreatedInRun(), now = () => new Date() } = options;
  const { totpSecret } = options;
  const client = new Client({
    baseUrl,
    credentials:
      token === undefined ? { kind: "password", username, password, totpSecret } : { kind: "token", token },
    retryTimeoutMs: 300,
    clock: unhurried(),
    random: () => 0,
    ...options.client,
  });
  closing.push(() => client.close());
  const login = token === undefined ? username : undefined;
  return {
    client,
    directory: listDirectory(client, { caller: login, listers: new Map() }),
    made,
    username: login,
    hasCodes: totpSecret !== undefined,
    now,
  };
}
