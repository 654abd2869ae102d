/** Leaves keeping to a program of the user's choice. The protocol is in docs/credential-helper.md. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CredentialHelperFailed, StoreLocked, StoreLockLost, type LockHolder } from "../errors";
import { isObject, type ObjectValue, type Value } from "../values";
import { DEFAULT_WAIT, type Backend, type KeptText, type LockWait } from "./backend";
import type { HelperProgram } from "./helper-program";
import { partKey, type PartName } from "./part";
import { thisProcess } from "./process-identity";

/** When a helper's lock is asked for. */
export interface HelperPace {
  /** Seconds for which a lock lasts unless it is renewed: how long others wait after a run that died. */
  readonly lease: number;
  /** Milliseconds after which a lock that another run holds is asked for again. */
  readonly poll: number;
}

const PACE: HelperPace = { lease: 90, poll: 1000 };

/** A lease is renewed so many times before it would end: one lost call must not lose the lock. */
const RENEWALS = 3;

interface HeldLock {
  readonly part: PartName;
  readonly id: string;
  readonly renewal: NodeJS.Timeout;
  /** The renewal under way. */
  renewing: Promise<unknown> | undefined;
}

export class HelperBackend implements Backend {
  readonly #program: HelperProgram;
  readonly #locks = new Map<string, HeldLock>();
  readonly #pace: HelperPace;
  #wait: LockWait = {};

  constructor(program: HelperProgram, pace = PACE) {
    this.#program = program;
    this.#pace = pace;
  }

  get description(): string {
    return `kept by ${this.#program.name}`;
  }

  slotOf(part: PartName): string {
    return partKey(part);
  }

  async read(part: PartName): Promise<KeptText | undefined> {
    const { value = null } = await this.#program.call("get", { ...part });
    if (value === null) return undefined;
    if (typeof value !== "string")
      throw new CredentialHelperFailed(
        this.#program.name,
        "get",
        "answered with a value that is neither a string nor null",
      );
    // Who may read what a helper keeps is the helper's business.
    return { text: value, demandPrivate: () => undefined };
  }

  async write(part: PartName, text: string): Promise<void> {
    await this.#change("store", part, { value: text });
  }

  async erase(part: PartName): Promise<void> {
    await this.#change("erase", part, {});
  }

  /** Each part has a lock of its own, taken when the part is first asked for. */
  async lock(wait: LockWait): Promise<void> {
    this.#wait = wait;
  }

  async lockPart(part: PartName): Promise<void> {
    if (this.#locks.has(partKey(part))) return; // Held since a reading that failed afterwards.
    const { timeout = DEFAULT_WAIT, onWait } = this.#wait;
    const [id, since, begin] = [randomUUID(), new Date().toISOString(), performance.now()];
    const { pid, host } = thisProcess();
    const ask = () =>
      this.#program.call("lock", {
        ...part,
        lock: id,
        lease_seconds: this.#pace.lease,
        holder: { pid, host, since },
      });
    for (let waiting = false; ; waiting = true) {
      const holder = holderIn(await ask());
      if (holder === undefined) break;
      if (performance.now() - begin >= timeout) throw new StoreLocked(this.description, holder);
      if (!waiting) onWait?.(holder);
      await sleep(this.#pace.poll);
    }
    // Whether a renewal came too late, the next write is told.
    const held: HeldLock = {
      part,
      id,
      renewing: undefined,
      renewal: setInterval(
        () => {
          held.renewing ??= ask()
            .catch(() => undefined)
            .finally(() => (held.renewing = undefined));
        },
        (this.#pace.lease * 1000) / RENEWALS,
      ).unref(),
    };
    this.#locks.set(partKey(part), held);
  }

  async unlock(): Promise<void> {
    const locks = [...this.#locks.values()];
    this.#locks.clear();
    for (const { renewal } of locks) clearInterval(renewal);
    // A renewal that ended after the unlocking would take the lock again, for nobody.
    for (const { renewing } of locks) await renewing;
    const ends = await Promise.allSettled(
      locks.map(({ part, id }) => this.#program.call("unlock", { ...part, lock: id })),
    );
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #change(verb: "store" | "erase", part: PartName, request: ObjectValue): Promise<void> {
    const lock = this.#locks.get(partKey(part));
    if (lock === undefined) throw new StoreLockLost(this.description);
    const answer = await this.#program.call(verb, { ...part, lock: lock.id, ...request });
    if (holderIn(answer) !== undefined) throw new StoreLockLost(this.description);
  }
}

/** Who holds the lock, when it isn't us. */
function holderIn({ held_by: holder }: ObjectValue): LockHolder | undefined {
  if (!isObject(holder)) return undefined;
  const { pid, host, since } = holder as Record<string, Value | undefined>;
  return {
    ...(typeof pid === "number" && { pid }),
    ...(typeof host === "string" && { host }),
    ...(typeof since === "string" && { since }),
  };
}
