/** Lives a history through, looking at every run, and afterwards at the peace that should follow. */
import { invariants } from "../invariants";
import type { RunVerb, Witness } from "../invariants/invariant";
import { restless, unsettled } from "../invariants/peace";
import {
  declaredUsers,
  DEPLOYER,
  edited,
  NOTHING,
  takenIn,
  type Declaration,
  type Edit,
} from "../model/declaration";
import type { Fault } from "../model/fault";
import { ALL_ALLOWED, NO_FLAGS, type Flags, type History, type Step } from "../model/history";
import { act } from "../model/rival";
import { isPassword } from "../../../src/simulator/records/password";
import { userPassword } from "../model/secrets";
import { profileWithLogin } from "../world/snapshot";
import { World } from "../world/world";
import type { Tally } from "./tally";
import type { Project, Runner } from "./runner";

export interface RunSpec {
  readonly verb: RunVerb;
  readonly declaration: Declaration;
  readonly flags: Flags;
  readonly faults: readonly Fault[];
  readonly parallelism: number;
  readonly reviewed?: Witness["reviewed"];
  readonly file?: string;
}

/** What contradicts an invariant, and in which run. */
export class Violation extends Error {
  constructor(where: string, title: string, findings: readonly string[], told: string) {
    super([`${where}: not true that ${title}`, ...findings.map((one) => `  - ${one}`), told].join("\n"));
    this.name = "Violation";
  }
}

/** @throws Violation */
export async function live(history: History, runner: Runner, tally: Tally): Promise<void> {
  const world = await World.open(history);
  try {
    const life = new Life(world, runner.engine, await runner.open(world), tally);
    life.edit(history.start);
    for (const step of history.steps) await life.step(step);
    await life.heal();
  } finally {
    await world.close();
  }
}

class Life {
  #runs = 0;
  #declaration: Declaration = NOTHING;
  #mayBeLockedOut = false;

  constructor(
    private readonly world: World,
    private readonly engine: Witness["engine"],
    private readonly project: Project,
    private readonly tally: Tally,
  ) {}

  edit(edits: readonly Edit[]): void {
    const declaration = edits.reduce(edited, this.#declaration);
    // Terraform ignores what is to be removed.
    this.#declaration = this.engine === "embedded" ? declaration : { ...declaration, removed: [] };
  }

  async step(step: Step): Promise<void> {
    const { service, self } = this.world;
    const isEmbedded = this.engine === "embedded";
    // Terraform has no such flags: its configuration and its state say what is allowed.
    const flags = isEmbedded ? step.flags : NO_FLAGS;
    this.#mayBeLockedOut ||= flags.allowSelfChange && self.login === DEPLOYER;
    this.edit(step.edits);
    step.rivals.forEach((rival) => act(service, rival));
    if (step.wipesStore) this.#forget();
    const spec = {
      declaration: this.#declaration,
      flags,
      faults: step.faults,
      parallelism: step.parallelism,
    };
    if (step.verb !== "saved") return void (await this.run({ ...spec, verb: step.verb }));
    const plan = await this.run({ ...spec, verb: "plan", faults: [] });
    const { file, planned } = plan.outcome;
    if (file === undefined) return;
    step.between.forEach((rival) => act(service, rival));
    if (!isEmbedded)
      return void (await this.run({
        ...spec,
        verb: "apply FILE",
        file,
        reviewed: { planned, moved: false },
      }));
    const anew = await this.run({ ...spec, verb: "plan", faults: [] });
    const moved =
      anew.outcome.end !== "ok" || JSON.stringify(anew.outcome.planned) !== JSON.stringify(planned);
    await this.run({ ...spec, verb: "apply FILE", file, reviewed: { planned, moved } });
  }

  #forget(): void {
    this.project.forget();
    this.world.chronicle.noteWiped();
  }

  /** Faults and rivals are over: one apply does all, or asks for decisions. Once it has them, it does all that can be done. */
  async heal(): Promise<void> {
    const spec = { faults: [], parallelism: 4, verb: "apply" } as const;
    let declaration = this.#declaration;
    // The command checks its tokens before it plans an apply.
    for (const decided of [{ ...NO_FLAGS, verifyTokens: true }, ALL_ALLOWED]) {
      const flags = this.engine === "embedded" ? decided : NO_FLAGS;
      const healed = await this.run({ ...spec, declaration, flags });
      // Who allows a run to take its own rights away may end up without any.
      if (this.#mayBeLockedOut && healed.outcome.end !== "ok") return;
      const canLogIn = await this.#logIns(healed);
      this.#demand(
        healed,
        "one apply settles everything in peace, or asks for a decision",
        unsettled(healed, canLogIn),
      );
      if (healed.outcome.end !== "ok") {
        if (this.engine === "terraform") declaration = takenIn(declaration, addressesOf(healed));
        continue;
      }
      const again = await this.run({ ...spec, declaration, flags: NO_FLAGS });
      this.#demand(again, "after a successful apply there is nothing to do", restless(again));
      if (this.engine === "terraform") return;
    }
  }

  /** Whose declared passwords are those that the service knows. */
  async #logIns({ declaration, after }: Witness): Promise<(login: string) => boolean> {
    const able = new Set<string>();
    for (const { login, user } of declaredUsers(declaration)) {
      const stored = profileWithLogin(after, login)?.password ?? null;
      if (user.password !== undefined && isPassword(userPassword(login, user.password), stored))
        able.add(login);
    }
    return (login) => able.has(login);
  }

  async run(spec: RunSpec): Promise<Witness> {
    const { world } = this;
    this.#runs++;
    const before = world.live;
    const store = this.project.remembered;
    let kill: () => void = () => undefined;
    const traffic = world.gateway.begin(spec.faults, () => kill());
    const isHanging = spec.faults.some(({ strike }) => strike.kind === "hang");
    const running = this.project.start({
      ...spec,
      file: spec.file,
      baseUrl: traffic.baseUrl,
      provider: { requestTimeout: isHanging ? "150ms" : "20s", maxRetries: 1 },
    });
    kill = running.kill;
    const outcome = await running.ended;
    await traffic.end();
    world.chronicle.note(traffic.exchanges, (id) => world.live.profiles.get(id)?.login);
    if (this.engine === "terraform" && outcome.end === "killed")
      world.chronicle.noteKilled(traffic.exchanges);
    world.chronicle.noteReports(outcome.printed);
    const witness: Witness = {
      ...spec,
      engine: this.engine,
      before,
      after: world.live,
      exchanges: traffic.exchanges,
      outcome,
      store: { before: store, after: this.project.remembered },
      self: world.self,
      chronicle: world.chronicle,
      service: world.traits,
    };
    this.tally.note(witness);
    this.#examine(witness);
    return witness;
  }

  #examine(witness: Witness): void {
    for (const invariant of invariants[this.engine])
      this.#demand(witness, invariant.title, invariant.violations(witness));
    const { end, printed, codes } = witness.outcome;
    const isCrash = end === "crashed" || codes.includes("TENANCY_INTERNAL");
    this.#demand(witness, "every failure is a typed error", isCrash ? printed.slice(-3) : []);
    this.#demand(witness, "nothing is sent to another origin", this.world.trap.caught);
  }

  #demand(witness: Witness, title: string, findings: readonly string[]): void {
    if (findings.length > 0) throw new Violation(this.#where(witness), title, findings, told(witness));
  }

  #where({ verb }: Witness): string {
    return `run ${this.#runs} (${verb})`;
  }
}

function addressesOf({ outcome }: Witness): readonly string[] {
  return outcome.failures.map(({ address }) => address);
}

/** The run, told to whoever looks into a violation. */
function told({ exchanges, outcome, flags, declaration }: Witness): string {
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
