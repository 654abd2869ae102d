/**
 * A long campaign in batches, noted in a folder: it goes on where it was ended, and several processes share it. Each batch has a seed
 * of its own, so that what it found is found again by the seed alone.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Plan {
  readonly runner: string;
  /** Histories in all. */
  readonly runs: number;
  readonly batch: number;
  /** Seed of the first batch; each has the next one. */
  readonly seed: number;
}

/** The end of a batch. */
export interface Result {
  readonly histories: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** The violation that the batch found. */
  readonly failure?: string;
}

export interface Batch {
  readonly seed: number;
  readonly runs: number;
  done(result: Result): void;
}

export class Journal {
  readonly #folder: string;
  readonly plan: Plan;

  /** @param plan counts where the folder is new: a campaign that was begun goes on as it was begun */
  constructor(folder: string, plan: Plan) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(join(folder, "plan.json"), JSON.stringify(plan), { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    this.plan = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as Plan;
    if (this.plan.runner !== plan.runner)
      throw new Error(`${folder} is a campaign of the runner ${this.plan.runner}`);
  }

  /** The next batch that nobody has begun, or that somebody began and did not live to end; undefined: there is none. */
  take(): Batch | undefined {
    const { runs, batch, seed } = this.plan;
    for (let nth = 0; nth * batch < runs; nth++) {
      const result = join(this.#folder, `${nth}.json`);
      if (existsSync(result) || !this.#claim(join(this.#folder, `${nth}.claim`))) continue;
      return {
        seed: seed + nth,
        runs: Math.min(batch, runs - nth * batch),
        done: (told) => {
          writeFileSync(`${result}.new`, JSON.stringify(told));
          renameSync(`${result}.new`, result);
        },
      };
    }
    return undefined;
  }

  /** All that is known so far, of every process. */
  get results(): readonly (Result & { readonly seed: number })[] {
    return readdirSync(this.#folder)
      .map((name) => /^(\d+)\.json$/.exec(name)?.[1])
      .filter((nth) => nth !== undefined)
      .sort((a, b) => Number(a) - Number(b))
      .map((nth) => ({
        seed: this.plan.seed + Number(nth),
        ...(JSON.parse(readFileSync(join(this.#folder, `${nth}.json`), "utf8")) as Result),
      }));
  }

  #claim(file: string): boolean {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = Number(readFileSync(file, "utf8"));
    if (holder === process.pid || isAlive(holder)) return false;
    rmSync(file, { force: true });
    return this.#claim(file);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
