/** The services that a run talks to: one connection for each service and credential, whichever stacks and providers use it. */
import { connect, usernameOf, type Settings } from "../connection";
import { listDirectory, listersOfFamilies, type Connection } from "../resources";
import type { PlanOptions } from "./options";

/** A service, seen with one credential. */
export interface Service {
  /** Refuses everything but GET and log-in. */
  readonly reading: Connection;
  readonly writing: Connection;
}

const WORTH_TELLING_MS = 1_000;

export class Services {
  readonly #options: PlanOptions;
  readonly #services = new Map<string, Promise<Service>>();
  readonly #stop = new AbortController();
  /** Until when a wait is told of already: many requests wait at the same time. */
  #waitsUntil = 0;
  readonly #onAbort = () => this.#stop.abort();

  constructor(options: PlanOptions) {
    this.#options = options;
    if (options.signal?.aborted === true) this.#stop.abort();
    options.signal?.addEventListener("abort", this.#onAbort);
  }

  open(settings: Settings): Promise<Service> {
    const { owners: _owners, ...same } = settings;
    const identity = JSON.stringify(same);
    let service = this.#services.get(identity);
    if (service === undefined) {
      service = this.#connect(settings);
      this.#services.set(identity, service);
    }
    return service;
  }

  /** From now on requests are left to end, whatever the signal says: a write's answer matters. */
  shield(): void {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }

  /** Ends all that is under way: a plan that failed early must not go on asking. */
  async close(): Promise<void> {
    this.shield();
    this.#stop.abort();
    for (const opening of this.#services.values()) {
      const service = await opening.catch(() => undefined);
      await service?.writing.client.close();
    }
  }

  /** Short waits are nobody's concern. */
  #tellOfWait(origin: string, ms: number): void {
    const now = performance.now();
    if (ms < WORTH_TELLING_MS || now < this.#waitsUntil) return;
    this.#waitsUntil = now + ms;
    this.#options.onProgress?.(`${origin} does not answer well; trying again in ${Math.ceil(ms / 1000)} s`);
  }

  async #connect(settings: Settings): Promise<Service> {
    const { parallelism, onProgress } = this.#options;
    const directory = { caller: usernameOf(settings), listers: listersOfFamilies() };
    const writing = await connect(settings, {
      directory: (client) => listDirectory(client, directory),
      signal: this.#stop.signal,
      onWait: (ms) => this.#tellOfWait(settings.origin, ms),
      ...(parallelism !== undefined && { maxConcurrency: parallelism }),
    });
    onProgress?.(`reading ${settings.origin}`);
    const client = writing.client.readOnly();
    return { writing, reading: { ...writing, client, directory: listDirectory(client, directory) } };
  }
}
