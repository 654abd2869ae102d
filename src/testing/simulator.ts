/** Starts the simulated service for the time of a test. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, type SimulatorOptions, startSimulator as start } from "../lib/simulator";

/**
 * Starts a simulated service of the test's own: the whole API, with its validation, permissions and isolation. Close it at the end. The
 * stored credentials of its plans end with it.
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

/** A place on the disk for the plans against one service: synthesized stacks, and the state. */
export class Bench {
  static readonly #benches = new WeakMap<Simulator, Bench>();

  readonly #folder = mkdtempSync(join(tmpdir(), "tenancy-test-"));
  #count = 0;

  /** The place of a service; plans made there may be applied later, so it stays as long as the service does. */
  static of(service: Simulator): Bench {
    const known = Bench.#benches.get(service);
    if (known !== undefined) return known;
    const bench = new Bench();
    Bench.#benches.set(service, bench);
    return bench;
  }

  /** To be called when a service has ended. */
  static discard(service: Simulator): void {
    Bench.#benches.get(service)?.remove();
    Bench.#benches.delete(service);
  }

  get state(): string {
    return join(this.#folder, "state.json");
  }

  newFolder(): string {
    const folder = join(this.#folder, String(this.#count++));
    mkdirSync(folder);
    return folder;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
