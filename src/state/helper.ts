/** Keeps the document through a program of the user's choice. The protocol is in docs/manual/reference/credential-helper.md. */
import { execFile, type ExecFileException } from "node:child_process";
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  cancelled,
  credentialHelperFailed,
  type LockHolder,
  stateLocked,
  stateLockLost,
  unfitHelperCommand,
} from "../problems";
import {
  type Environment,
  isObject,
  type ObjectValue,
  parseJson,
  stringifyJson,
  type Value,
  withoutCredentials,
} from "../lib/values";
import { type Backend, DEFAULT_WAIT, type KeptText, type LockWait } from "./backend";
import { partKey, type PartName } from "./document";
import { thisProcess } from "./file-lock";

/** When a helper's lock is asked for. */
interface HelperPace {
  /** Seconds for which a lock lasts unless it is renewed: how long others wait after a run that died. */
  readonly lease: number;
  /** Milliseconds after which a lock that another run holds is asked for again. */
  readonly poll: number;
}

const HELPER_PACE: HelperPace = { lease: 90, poll: 1000 };

/** Renewals of a lease before it would end: one lost call must not lose the lock. */
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

  constructor(program: HelperProgram, pace = HELPER_PACE) {
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
      throw credentialHelperFailed.error({
        helper: this.#program.name,
        verb: "get",
        fault: "answered with a value that is neither a string nor null",
      });
    // The helper decides who may read what it keeps.
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
    const { timeout = DEFAULT_WAIT, onWait, signal } = this.#wait;
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
      if (performance.now() - begin >= timeout) throw stateLocked.error({ state: this.description, holder });
      if (signal?.aborted === true) throw cancelled.error("waiting for the state");
      if (!waiting) onWait?.(holder);
      await sleep(this.#pace.poll);
    }
    // The next write fails if a renewal came too late.
    const heldLock: HeldLock = {
      part,
      id,
      renewing: undefined,
      renewal: setInterval(
        () => {
          heldLock.renewing ??= ask()
            .catch(() => undefined)
            .finally(() => (heldLock.renewing = undefined));
        },
        (this.#pace.lease * 1000) / RENEWALS,
      ).unref(),
    };
    this.#locks.set(partKey(part), heldLock);
  }

  async unlock(): Promise<void> {
    const locks = [...this.#locks.values()];
    this.#locks.clear();
    for (const { renewal } of locks) clearInterval(renewal);
    const ends = await Promise.allSettled(locks.map((lock) => this.#end(lock)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** A lock that cannot be ended now is ended with the others. */
  async unlockPart(part: PartName): Promise<void> {
    const lock = this.#locks.get(partKey(part));
    if (lock === undefined) return;
    clearInterval(lock.renewal);
    await this.#end(lock).then(
      () => this.#locks.delete(partKey(part)),
      () => false,
    );
  }

  /** A renewal that ended after the unlocking would take the lock again, with no holder. */
  async #end({ part, id, renewing }: HeldLock): Promise<void> {
    await renewing;
    await this.#program.call("unlock", { ...part, lock: id });
  }

  async #change(verb: "store" | "erase", part: PartName, request: ObjectValue): Promise<void> {
    const lock = this.#locks.get(partKey(part));
    if (lock === undefined) throw stateLockLost.error(this.description);
    const answer = await this.#program.call(verb, { ...part, lock: lock.id, ...request });
    if (holderIn(answer) !== undefined) throw stateLockLost.error(this.description);
  }
}

/** The holder of the lock, if it is another run. A helper may also report a holder without a name. */
function holderIn({ held_by: holder = null }: ObjectValue): LockHolder | undefined {
  if (holder === null || holder === false) return undefined;
  const { pid, host, since }: Record<string, Value | undefined> = isObject(holder) ? holder : {};
  return {
    ...(typeof pid === "number" && { pid }),
    ...(typeof host === "string" && { host }),
    ...(typeof since === "string" && { since }),
  };
}

// One call of the helper: a verb as the last argument, JSON in, JSON out.

const PROTOCOL = 1;

type HelperVerb = "get" | "store" | "erase" | "lock" | "unlock";

export interface HelperOptions {
  /** The program with its arguments. A shell is not involved: quotes work, variables don't. */
  readonly command: string;
  /** The helper's environment, from which the run's credentials are taken out. @default that of this process */
  readonly environment?: Environment;
  /** Milliseconds that one call may take. @default 60000 */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 60_000;
/** As much as a state in a file may hold. */
const LARGEST_ANSWER = 256 * 2 ** 20;

/** Shorter texts are no secrets, and hiding them would make a helper's messages unreadable. */
const SHORTEST_HIDDEN = 8;

export class HelperProgram {
  /** The program and its script, if any, without folders. The other arguments are not shown. */
  readonly name: string;
  readonly #words: [string, ...string[]];
  readonly #options: HelperOptions;

  /** @throws unfitHelperCommand */
  constructor(options: HelperOptions) {
    this.#words = commandWords(options.command);
    this.#options = options;
    const [program, script = "-"] = this.#words;
    this.name = [program, ...(script.startsWith("-") ? [] : [script])]
      .map((word) => basename(word))
      .join(" ");
  }

  /** @throws credentialHelperFailed */
  async call(verb: HelperVerb, request: ObjectValue): Promise<ObjectValue> {
    const { error, stdout, stderr } = await this.#run(
      verb,
      stringifyJson({ protocol: PROTOCOL, ...request }),
    );
    if (error !== null) {
      // The rest of an endless answer is not worth reading.
      const words = isTooLong(error) ? "" : textWithoutSecrets(stderr, [request.value, stdout]);
      throw credentialHelperFailed.error({ helper: this.name, verb, fault: this.#faultOf(error), words });
    }
    const answer = stdout.trim() === "" ? {} : jsonOrNull(stdout);
    if (!isObject(answer))
      throw credentialHelperFailed.error({
        helper: this.name,
        verb,
        fault: "answered with something other than a JSON object",
      });
    return answer;
  }

  #run(
    verb: HelperVerb,
    input: string,
  ): Promise<{ error: ExecFileException | null; stdout: string; stderr: string }> {
    const [program, ...args] = this.#words;
    const options = {
      env: withoutCredentials(this.#options.environment ?? process.env),
      timeout: this.#options.timeout ?? DEFAULT_TIMEOUT,
      killSignal: "SIGKILL",
      maxBuffer: LARGEST_ANSWER,
      windowsHide: true,
    } as const;
    return new Promise((resolve) => {
      const child = execFile(program, [...args, verb], options, (error, stdout, stderr) =>
        resolve({ error, stdout, stderr }),
      );
      // A helper need not read what it has no use for.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  }

  #faultOf(error: ExecFileException): string {
    const { code, signal, killed } = error;
    if (isTooLong(error)) return `answered with more than ${LARGEST_ANSWER / 2 ** 20} MiB`;
    if (typeof code === "number") return `ended with status ${code}`;
    if (killed === true && typeof code !== "string")
      return `gave no answer within ${(this.#options.timeout ?? DEFAULT_TIMEOUT) / 1000} seconds`;
    return typeof code === "string" ? `could not be run (${code})` : `was ended by ${signal ?? "something"}`;
  }
}

function isTooLong({ code }: ExecFileException): boolean {
  return (code as unknown) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
}

function jsonOrNull(text: string): Value {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Removes from a text every string that occurs in the JSON of a call to the helper or of its answer. */
function textWithoutSecrets(text: string, sources: readonly (Value | undefined)[]): string {
  return (
    sources
      // The value is JSON in a JSON string: without the backslashes its strings are strings again.
      .flatMap((source) => (typeof source === "string" ? source.replaceAll("\\", "").split(/["\n]/) : []))
      .filter((secret) => secret.length >= SHORTEST_HIDDEN)
      .reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
  );
}

/**
 * Splits a command as a shell would: at white space, save where quotes or a backslash say otherwise. Nothing is expanded.
 * @throws unfitHelperCommand if a quote is not closed, or there is no word at all.
 */
export function commandWords(command: string): [program: string, ...args: string[]] {
  const words: string[] = [];
  const form = /\s*((?:[^\s"'\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)(?=\s|$)/gsy;
  let end = 0;
  for (const match of command.matchAll(form)) {
    words.push(unquote(match[1] ?? ""));
    end = match.index + match[0].length;
  }
  const [program, ...args] = words;
  if (command.slice(end).trim() !== "") throw unfitHelperCommand.error("a quote in it is not closed");
  if (program === undefined) throw unfitHelperCommand.error("it is empty");
  return [program, ...args];
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_match, single?: string, double?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
  );
}
