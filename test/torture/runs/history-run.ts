/** Lives a history through, looking at every run, and afterwards at the peace that should follow. */
import type { PlannedAction, Witness } from "../invariants/invariant";
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
import { ALL_ALLOWED, NO_FLAGS, type History, type Step } from "../model/history";
import { act } from "../model/rival";
import { isPassword } from "../../../src/simulator/user-profile";
import { userPassword } from "../model/secrets";
import { profileWithLogin } from "../world/snapshot";
import { World } from "../world/world";
import type { Tally } from "./tally";
import { Observer } from "./observer";
import type { Runner } from "./runner";

/** @throws Violation */
export async function live(history: History, runner: Runner, tally: Tally): Promise<void> {
  const world = await World.open(history);
  try {
    const life = new Life(new Observer(world, runner.engine, await runner.open(world), tally));
    life.edit(history.start);
    for (const step of history.steps) await life.step(step);
    await life.heal();
  } finally {
    await world.close();
  }
}

class Life {
  #declaration: Declaration = NOTHING;
  #mayBeLockedOut = false;

  constructor(private readonly observer: Observer) {}

  edit(edits: readonly Edit[]): void {
    const declaration = edits.reduce(edited, this.#declaration);
    // Terraform ignores what is to be removed.
    this.#declaration = this.observer.engine === "embedded" ? declaration : { ...declaration, removed: [] };
  }

  async step(step: Step): Promise<void> {
    const { service, self } = this.observer.world;
    const isEmbedded = this.observer.engine === "embedded";
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
    if (step.verb !== "saved") return void (await this.observer.run({ ...spec, verb: step.verb }));
    const plan = await this.observer.run({ ...spec, verb: "plan", faults: [] });
    const { file, planned, printed } = plan.outcome;
    if (file === undefined) return;
    step.between.forEach((rival) => act(service, rival));
    if (!isEmbedded)
      return void (await this.observer.run({
        ...spec,
        verb: "apply FILE",
        file,
        reviewed: { planned, printed, moved: false, tokensMoved: false },
      }));
    const anew = await this.observer.run({ ...spec, verb: "plan", faults: [] });
    const differ = (select: typeof recordsOf) =>
      JSON.stringify(select(anew.outcome.planned)) !== JSON.stringify(select(planned));
    const moved = anew.outcome.end !== "ok" || differ(recordsOf);
    const reviewed = { planned, printed, moved, tokensMoved: differ(tokensOf) };
    await this.observer.run({ ...spec, verb: "apply FILE", file, reviewed });
  }

  #forget(): void {
    const { project, world } = this.observer;
    project.forget();
    world.chronicle.noteWiped();
  }

  /** Faults and rivals are over: one apply does all, or asks for decisions. Once it has them, it does all that can be done. */
  async heal(): Promise<void> {
    const spec = { faults: [], parallelism: 4, verb: "apply" } as const;
    let declaration = this.#declaration;
    // The command checks its tokens before it plans an apply.
    for (const decided of [{ ...NO_FLAGS, verifyTokens: true }, ALL_ALLOWED]) {
      const flags = this.observer.engine === "embedded" ? decided : NO_FLAGS;
      const healed = await this.observer.run({ ...spec, declaration, flags });
      // Who allows a run to take its own rights away may end up without any.
      if (this.#mayBeLockedOut && healed.outcome.end !== "ok") return;
      const canLogIn = await this.#logIns(healed);
      this.observer.demand(
        healed,
        "one apply settles everything in peace, or asks for a decision",
        unsettled(healed, canLogIn),
      );
      if (healed.outcome.end !== "ok") {
        if (this.observer.engine === "terraform") declaration = takenIn(declaration, addressesOf(healed));
        continue;
      }
      const again = await this.observer.run({ ...spec, declaration, flags: NO_FLAGS });
      this.observer.demand(again, "after a successful apply there is nothing to do", restless(again));
      if (this.observer.engine === "terraform") return;
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
}

function addressesOf({ outcome }: Witness): readonly string[] {
  return outcome.failures.map(({ address }) => address);
}

const isOfToken = ({ type }: PlannedAction) => type === "tenancy_authorization";
const recordsOf = (planned: readonly PlannedAction[]) => planned.filter((action) => !isOfToken(action));
const tokensOf = (planned: readonly PlannedAction[]) => planned.filter(isOfToken);
