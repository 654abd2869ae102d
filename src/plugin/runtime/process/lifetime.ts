/** When a plugin's process ends: when Terraform says so, when it is gone, and never for a signal that is meant for it. */
import { type GrpcServer } from "../grpc/server";

/** go-plugin kills a process that is still there two seconds after it was told to go. */
const GRACE_AFTER_SHUTDOWN = 1_500;
/** Nobody waits any more, but a half-done write is worth finishing, and what only its answer held is to be taken back. */
const GRACE_AFTER_LOSS = 60_000;
/** go-plugin itself gives up after a minute. */
const PATIENCE_FOR_CLIENT = 60_000;

export interface LifetimeOptions {
  readonly server: GrpcServer;
  /** The parent's process id, from before anything was waited for. */
  readonly parent: number;
  /** Asks the running calls to stop. */
  readonly stop: () => Promise<void>;
  /** Last thing before the process ends. */
  readonly cleanUp: () => void;
}

export class Lifetime {
  readonly #options: LifetimeOptions;
  #sessions = 0;
  #leaving = false;
  #hangUp: () => void = () => undefined;
  readonly #hungUp = new Promise<void>((resolve) => (this.#hangUp = resolve));

  constructor(options: LifetimeOptions) {
    this.#options = options;
    this.#endWithTheConnection();
    this.#endWithoutAClient();
    this.#leaveSignalsToTerraform();
  }

  /** Terraform is done. Its question is answered first. */
  shutDown(): void {
    setImmediate(() => void this.#leave(GRACE_AFTER_SHUTDOWN));
  }

  /** A killed Terraform says nothing, but its connection closes. */
  #endWithTheConnection(): void {
    this.#options.server.onConnection((session) => {
      this.#sessions += 1;
      session.on("close", () => {
        this.#sessions -= 1;
        if (this.#sessions > 0) return;
        this.#hangUp();
        void this.#leave(GRACE_AFTER_LOSS);
      });
    });
  }

  /** Before there is a connection, the end of the parent process tells as much. */
  #endWithoutAClient(): void {
    const { parent } = this.#options;
    const deadline = Date.now() + PATIENCE_FOR_CLIENT;
    const watch = setInterval(() => {
      if (this.#sessions > 0) clearInterval(watch);
      else if (process.ppid !== parent || Date.now() > deadline) void this.#leave(0);
    }, 500);
  }

  /**
   * Ctrl-C reaches every process of the terminal. Terraform then asks for a stop, and takes home what was done; a plugin
   * that ended by itself would lose it.
   */
  #leaveSignalsToTerraform(): void {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (this.#sessions === 0) void this.#leave(0);
      });
    }
  }

  /** The client hangs up when it has its answer; a session that is ended from here may lose what is not sent yet (Node 20.18). */
  async #leave(grace: number): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { server, stop, cleanUp } = this.#options;
    const patience = new Promise((resolve) => setTimeout(resolve, grace));
    const done = Promise.allSettled([stop(), server.settled()]).then(() => this.#hungUp);
    await Promise.race([done, patience]);
    cleanUp();
    process.exit(0);
  }
}
