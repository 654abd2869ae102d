import { type Log } from "../process/log";
import { type Provider } from "../provider";

/** A provider, or what makes one: loading it can wait until Terraform has been greeted. */
export type ProviderSource = Provider | (() => Provider | Promise<Provider>);

/** What all calls of this process share. */
export class Host {
  readonly log: Log;
  readonly #source: ProviderSource;
  #provider: Promise<Provider> | undefined;
  #stop = new AbortController();

  constructor(source: ProviderSource, log: Log) {
    this.#source = source;
    this.log = log;
  }

  /** The provider, loaded when it is first asked for. */
  provider(): Promise<Provider> {
    this.#provider ??= Promise.resolve(typeof this.#source === "function" ? this.#source() : this.#source);
    return this.#provider;
  }

  /** Aborted when the provider is to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts all calls, and those that are still to come. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await (await this.#provider)?.stop?.();
  }

  /** Takes calls again: a process that Terraform reattaches to outlives the run that it stopped. */
  resume(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }
}
