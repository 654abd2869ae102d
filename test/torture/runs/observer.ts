/** Runs one thing after another, or several at once, and holds each run to the invariants. */
import { invariants } from "../invariants";
import type { RunVerb, Witness } from "../invariants/invariant";
import type { DemandedApproval } from "../model/approval";
import type { Declaration } from "../model/declaration";
import type { Fault } from "../model/fault";
import type { Flags, Reader } from "../model/history";
import { alteredIn, makersIn, revivedIn } from "../model/rival";
import type { Exchange } from "../world/exchange";
import type { Hold } from "../world/gateway";
import { lockOn } from "../world/kept-state";
import type { World } from "../world/world";
import type { Project } from "./runner";
import type { Tally } from "./tally";

export interface RunSpec {
  readonly verb: RunVerb;
  readonly declaration: Declaration;
  readonly flags: Flags;
  readonly faults: readonly Fault[];
  readonly parallelism: number;
  readonly approval?: DemandedApproval | undefined;
  readonly reviewed?: Witness["reviewed"];
  readonly file?: string;
  readonly hold?: Hold;
  readonly reader?: Reader | undefined;
  readonly onProgress?: (message: string) => void;
}

/** An invariant that does not hold, and the run in which it does not. */
export class Violation extends Error {
  constructor(where: string, title: string, findings: readonly string[], details: string) {
    super([`${where}: not true that ${title}`, ...findings.map((one) => `  - ${one}`), details].join("\n"));
    this.name = "Violation";
  }
}

export class Observer {
  #runs = 0;
  #going = 0;
  /** Of all runs. One of them may have made a record before it ends. */
  readonly #traffics: { readonly exchanges: readonly Exchange[] }[] = [];
  /** The run before. */
  last: Witness | undefined;
  readonly #numbers = new WeakMap<Witness, number>();

  constructor(
    readonly world: World,
    readonly engine: Witness["engine"],
    readonly project: Project,
    private readonly tally: Tally,
  ) {}

  /** @throws Violation */
  async run(spec: RunSpec): Promise<Witness> {
    const { world } = this;
    const run = ++this.#runs;
    const isSecond = this.#going++ > 0;
    const before = world.live;
    const state = this.project.remembered;
    const lockBefore = lockOn(world.stateFile);
    let kill: () => void = () => undefined;
    const { faults, hold } = spec;
    const { address } = world;
    const traffic = world.gateway.begin({ faults, address, onKill: () => kill(), ...(hold && { hold }) });
    this.#traffics.push(traffic);
    const isHanging = faults.some(({ strike }) => strike.kind === "hang");
    const running = this.project.start({
      ...spec,
      file: spec.file,
      baseUrl: traffic.baseUrl,
      provider: {
        requestTimeout: isHanging ? "150ms" : "20s",
        retryTimeout: "1ms",
        aliases: world.aliases,
        uuids: world.uuids,
        hasSibling: world.hasSibling,
      },
      mayBeKilled: faults.some(({ strike }) => strike.kind === "kill"),
    });
    kill = running.kill;
    const outcome = await running.ended;
    await traffic.end();
    this.#going--;
    for (const { exchanges } of this.#traffics) world.chronicle.noteMade(exchanges);
    world.chronicle.note(traffic.exchanges, (id) => world.live.profiles.get(id)?.login);
    if (this.engine === "terraform") {
      if (outcome.end === "killed") world.chronicle.noteKilled(traffic.exchanges);
      world.chronicle.noteLost(traffic.exchanges, outcome.printed);
    }
    if (spec.verb !== "plan") world.chronicle.noteImported(spec.declaration, before, spec.flags.recover);
    world.chronicle.noteReports(outcome.printed);
    world.chronicle.noteRevived(revivedIn(world.service));
    // The lock of a run that was killed stays until a run needs the lock.
    const lock = lockOn(world.stateFile);
    const witness: Witness = {
      ...spec,
      engine: this.engine,
      before,
      after: world.live,
      exchanges: traffic.exchanges,
      outcome,
      state: {
        before: state,
        after: this.project.remembered,
        isLocked: lock !== undefined && lock !== lockBefore,
        isShared: isSecond || this.#runs > run,
      },
      uuids: world.uuids,
      hasSibling: world.hasSibling,
      aliases: world.aliases,
      self: world.self,
      chronicle: world.chronicle,
      service: world.traits,
      makers: makersIn(world.service),
      altered: alteredIn(world.service),
    };
    this.#numbers.set(witness, run);
    this.last = witness;
    this.tally.note(witness);
    this.#examine(witness);
    return witness;
  }

  #examine(witness: Witness): void {
    for (const invariant of invariants[this.engine])
      this.demand(witness, invariant.title, invariant.violations(witness));
    const { end, printed, codes } = witness.outcome;
    const isCrash = end === "crashed" || codes.includes("TENANCY_INTERNAL");
    this.demand(witness, "every failure is a typed error", isCrash ? printed.slice(-3) : []);
    this.demand(witness, "nothing is sent to another origin", this.world.trap.caught);
  }

  /** @throws Violation */
  demand(witness: Witness, title: string, findings: readonly string[]): void {
    if (findings.length > 0)
      throw new Violation(this.#where(witness), title, findings, accountOfRun(witness));
  }

  #where(witness: Witness): string {
    return `run ${this.#numbers.get(witness)} (${witness.verb})`;
  }
}

/** The facts of a run that explain a violation. */
function accountOfRun({ exchanges, outcome, flags, declaration }: Witness): string {
  return [
    `  ended: ${outcome.end} ${outcome.codes.join(", ")}`,
    `  flags: ${JSON.stringify(flags)}`,
    `  declared: ${JSON.stringify(declaration)}`,
    ...exchanges.map(
      ({ index, method, path, sent, status, strike, commits }) =>
        `  ${index}. ${method} ${path} ${sent} → ${status ?? "nothing"}` +
        (strike ? ` [${JSON.stringify(strike)}]` : "") +
        (commits.length > 0 ? ` committed ${commits.map(({ kind }) => kind).join(", ")}` : ""),
    ),
  ].join("\n");
}
