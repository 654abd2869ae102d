/** The simulated service, started and stopped, in this process or as a program of its own. */
import { BackDoor } from "./back-door";
import { type Fault, Faults, type PendingFault } from "./faults";
import { type RecordedRequest, type SimulatorOptions, withDefaults } from "./options";
import { ensureSystemUser, seed } from "./seed";
import { createServer, Recorder } from "./server";
import { Service } from "./service";

/** A simulated service that runs. */
export interface Simulator {
  /** Without `/api`, for example "http://127.0.0.1:49152". */
  readonly baseUrl: string;
  /** Login of the system user. */
  readonly username: string;
  /** Password of the system user; "" where seeded records hold the user: it is unknown. */
  readonly password: string;
  /** The requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Clears the list of requests. */
  clearRequests(): void;
  /** The records, without HTTP. */
  readonly records: BackDoor;
  /** Makes coming requests fail. Faults strike in the order in which they were added. */
  fail(fault: Fault): PendingFault;
  /** Ends all faults. */
  clearFaults(): void;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/**
 * Starts a service of its own: every call that the spec shows, with its validation, permissions and isolation.
 * @throws Error if the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = withDefaults(options);
  const service = new Service(settings);
  const faults = new Faults();
  const recorder = new Recorder(settings);
  if (settings.records !== undefined) seed(service, settings.records);
  const { username, password } = ensureSystemUser(service);
  const server = createServer(service, faults, recorder);
  try {
    const baseUrl = await server.listen({ port: settings.port, host: settings.host });
    return {
      baseUrl,
      username,
      password,
      requests: recorder.requests,
      clearRequests: () => recorder.clear(),
      records: new BackDoor(service),
      fail: (fault) => faults.add(fault),
      clearFaults: () => faults.clear(),
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Serves until the process is asked to stop, then closes cleanly.
 * @param print takes one line of output at a time: the base URL, the username, the password
 */
export async function serve(options: SimulatorOptions, print: (line: string) => void): Promise<void> {
  const stop = new Promise<void>((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve());
  });
  const simulator = await startSimulator({ record: false, ...options });
  print(`TENANCY_BASE_URL=${simulator.baseUrl}`);
  print(`TENANCY_USERNAME=${simulator.username}`);
  print(
    simulator.password === ""
      ? "# TENANCY_PASSWORD is the one that was set before"
      : `TENANCY_PASSWORD=${simulator.password}`,
  );
  await stop;
  await simulator.close();
}
