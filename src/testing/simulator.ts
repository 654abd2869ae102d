import { startSimulator as start, type Simulator, type SimulatorOptions } from "../simulator";
import { Bench } from "./bench";

/**
 * Starts a simulated service of the test's own: the whole API, with its validation, permissions and isolation.
 * Close it at the end; what plans against it have kept goes with it.
 */
export async function startSimulator(options?: SimulatorOptions): Promise<Simulator> {
  const started = await start(options);
  const service: Simulator = {
    ...started,
    async close() {
      await started.close();
      Bench.discard(service);
    },
  };
  return service;
}
