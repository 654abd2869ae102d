/** The simulated service as a program of its own. */
import type { SimulatorOptions } from "./options";
import { startSimulator } from "./simulator";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Serves until the process is told to stop, then closes cleanly.
 * @param print takes one line of output at a time: the base URL, the username, the password
 */
export async function serve(options: SimulatorOptions, print: (line: string) => void): Promise<void> {
  const stop = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
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
