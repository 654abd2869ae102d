/** The simulated service as a process of its own, for tests that kill it: options as JSON in the first argument. */
import { serve, type SimulatorOptions } from "../../src/lib/simulator";

void serve(JSON.parse(process.argv[2] ?? "{}") as SimulatorOptions, (line) =>
  process.stdout.write(`${line}\n`),
);
