/** Lives a history through, looking at every run, and afterwards at the peace that should follow. */
import type { PlannedAction, Witness } from "../invariants/invariant";
import { hasEndedAsTold, restless, unsettled } from "../invariants/peace";
import { forgottenTokens } from "../invariants/tokens";
import {
  declaredUsers,
  DEPLOYER,
  edited,
  NOTHING,
  withImportsAt,
  type Declaration,
  type Edit,
} from "../model/declaration";
import { demandedApproval } from "../model/approval";
import { ALL_ALLOWED, NO_FLAGS, type History, type Step } from "../model/history";
import { act, backUp, alteredIn } from "../model/rival";
import { isPassword } from "../../../src/lib/simulator/user-profile";
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
    await life.heal(history);
    await life.wake();
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
    const { world } = this.observer;
    const { service, self } = world;
    backUp(service);
    const isEmbedded = this.observer.engine === "embedded";
    // Terraform has no such flags: its configuration and its state say what is allowed.
    const flags = isEmbedded ? step.flags : NO_FLAGS;
    this.#mayBeLockedOut ||= flags.allowSelfChange && self.login === DEPLOYER;
    // The state remembers hidden values for each address of a service. A run at the other address does not see what was written meanwhile.
    if (step.address !== world.address)
      for (const { serial } of service.records.accounts) alteredIn(service).add(serial);
    world.address = step.address;
    this.edit(step.edits);
    step.rivals.forEach((rival) => act(service, rival));
    if (step.wipesState) this.#forget();
    const spec = {
      declaration: this.#declaration,
      flags,
      faults: step.faults,
      parallelism: step.parallelism,
    };
    // Whoever reads a plan to save it reads it to its end.
    const { reader } = step;
    const demand = isEmbedded && (step.verb === "apply" || step.verb === "saved") ? step.approval : undefined;
    if (step.verb !== "saved" && demand === undefined)
      return void (await this.observer.run({ ...spec, reader, verb: step.verb }));
    const plan = await this.observer.run({ ...spec, verb: "plan", faults: [] });
    const { file, planned, listed, printed, neededPairs = [] } = plan.outcome;
    const approval = demand && demandedApproval(demand, neededPairs);
    if (step.verb !== "saved")
      return void (await this.observer.run({ ...spec, reader, approval, verb: step.verb }));
    const { before } = plan;
    if (file === undefined) return;
    step.between.forEach((rival) => act(service, rival));
    if (!isEmbedded)
      return void (await this.observer.run({
        ...spec,
        reader,
        verb: "apply FILE",
        file,
        reviewed: { planned, listed, before, printed, moved: false, tokensMoved: false },
      }));
    const anew = await this.observer.run({ ...spec, verb: "plan", faults: [] });
    const differ = (select: typeof recordsOf) =>
      JSON.stringify(select(anew.outcome.planned)) !== JSON.stringify(select(planned));
    const hasMoved = anew.outcome.end !== "ok" || differ(recordsOf);
    const reviewed = { planned, listed, before, printed, moved: hasMoved, tokensMoved: differ(tokensOf) };
    await this.observer.run({ ...spec, reader, verb: "apply FILE", file, approval, reviewed });
  }

  #forget(): void {
    const { project, world } = this.observer;
    project.forget();
    world.chronicle.noteWiped();
  }

  /** Faults and rivals are over: one apply does all, or asks for decisions. Once it has them, it does all that can be done. */
  async heal({ isKilledFirst }: Pick<History, "isKilledFirst">): Promise<void> {
    const spec = { faults: [], parallelism: 4, verb: "apply" } as const;
    let declaration = this.#declaration;
    // The command checks its tokens before it plans an apply.
    for (const decided of [{ ...NO_FLAGS, verifyTokens: true }, ALL_ALLOWED]) {
      const flags = this.observer.engine === "embedded" ? decided : NO_FLAGS;
      const healed = await this.observer.run({ ...spec, declaration, flags });
      // A run that may take its own rights away may end without any.
      if (this.#mayBeLockedOut && healed.outcome.end !== "ok") return;
      if (isKilledFirst && flags !== ALL_ALLOWED)
        this.observer.demand(
          healed,
          "after a first run that was killed a plain apply needs no decision",
          decisionsIn(healed),
        );
      const canLogIn = await this.#logIns(healed);
      this.observer.demand(
        healed,
        "one apply settles everything in peace, or asks for a decision",
        unsettled(healed, canLogIn),
      );
      if (healed.outcome.end !== "ok") {
        if (this.observer.engine === "terraform")
          declaration = withImportsAt(declaration, addressesOf(healed));
        else await this.observer.run({ ...spec, declaration, flags: { ...NO_FLAGS, recover: true } });
        continue;
      }
      if (hasEndedAsTold(healed)) return;
      const again = await this.observer.run({ ...spec, declaration, flags: NO_FLAGS });
      this.observer.demand(again, "after a successful apply there is nothing to do", restless(again));
      if (this.observer.engine === "terraform") return;
    }
  }

  /** Everybody who was suspended may work again: now it shows which tokens were only refused, and not revoked. */
  async wake(): Promise<void> {
    const { world, project } = this.observer;
    const { records, baseUrl } = world.service;
    const last = this.observer.last;
    if (last === undefined) return;
    for (const { id } of records.accounts) records.patchAccount(id, { disabled: false });
    for (const { id } of records.profiles)
      records.patchProfile(id, { activated: true, access: { api: true } });
    const works = async (secret: string): Promise<boolean> => {
      const { status } = await fetch(`${baseUrl}/api/status/authorization`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      return status === 200;
    };
    this.observer.demand(
      last,
      "no token is forgotten that works once nobody is suspended any more",
      await forgottenTokens(last, project.remembered?.everywhere, works),
    );
  }

  /** True for users whose declared password is the one that the service knows. */
  async #logIns({ declaration, after }: Witness): Promise<(login: string) => boolean> {
    const able = new Set<string>();
    for (const { login, user } of declaredUsers(declaration)) {
      const password = profileWithLogin(after, login)?.password ?? null;
      if (user.password !== undefined && isPassword(userPassword(login, user.password), password))
        able.add(login);
    }
    return (login) => able.has(login);
  }
}

/**
 * Decisions that a run asks for. With an open intent it may ask, since a token may have been created unseen. A record that the killed run made
 * under a declared uuid is not recorded yet, so it needs an import block.
 */
function decisionsIn({ outcome, state, uuids }: Witness): readonly string[] {
  if (outcome.end !== "refused" || (state.before?.everywhere.intents ?? []).length > 0) return [];
  const excused = uuids === "none" ? [] : ["TENANCY_UNMANAGED", "TENANCY_NOTHING_MANAGED"];
  const codes = outcome.codes.filter((code) => !excused.includes(code));
  return codes.map((code) => `the apply asks to decide about ${code}`);
}

function addressesOf({ outcome }: Witness): readonly string[] {
  return outcome.failures.map(({ address }) => address);
}

const isOfToken = ({ type }: PlannedAction) => type === "tenancy_authorization";
const recordsOf = (planned: readonly PlannedAction[]) => planned.filter((action) => !isOfToken(action));
const tokensOf = (planned: readonly PlannedAction[]) => planned.filter(isOfToken);
