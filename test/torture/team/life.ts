/**
 * Lives a history of a team through. Whatever dies and whichever push fails: no token is live of which the next run does not know, of two applies
 * at once one waits or is refused, and nothing is written twice.
 */
import { stateLocked, stateMoved } from "../../../src/problems";
import type { Tally } from "../runs/tally";
import { isLogIn, isTokenCreation, type Exchange } from "../world/exchange";
import { tokenWith, snapshotOf } from "../world/snapshot";
import type { DeclaredTokens, TeamHistory, TeamStep } from "./history";
import { Team, type TeamRun } from "./team";

export class TeamViolation extends Error {}

/** @throws TeamViolation */
export async function liveAsTeam(history: TeamHistory, tally: Tally): Promise<void> {
  const team = await Team.open();
  try {
    const life = new TeamLife(team, tally);
    for (const step of history.steps) await life.step(step);
    await life.heal();
  } finally {
    await team.close();
  }
}

interface CreatedToken {
  readonly serial: string;
  readonly login: string;
}

export class TeamLife {
  /** Every token that a run has created. */
  readonly #created: CreatedToken[] = [];
  #declared: DeclaredTokens = {};

  constructor(
    private readonly team: Team,
    private readonly tally: Tally,
  ) {}

  async step({ declared, acts, pushFaults, unlockedAt, isUnlockLate }: TeamStep): Promise<void> {
    const { team } = this;
    this.#declared = declared;
    team.declare(declared);
    team.remote.setFaults(pushFaults);
    let isUnlocked = false;
    const runs = await Promise.all(
      acts.map(async ({ who, verb, kill, lockTimeout }, index) => {
        const act = async () => {
          const holder = await team.holder();
          // The run may push at the same moment: then it is not ended.
          if (holder !== undefined) isUnlocked = await team.triesToUnlock(holder);
        };
        // Somebody believes that the run is dead.
        const onRequest =
          unlockedAt !== undefined && index === 0 && pushFaults.length === 0
            ? { at: unlockedAt, act }
            : undefined;
        return team.run({ who, verb, kill, lockTimeout, onRequest });
      }),
    );
    team.remote.setFaults([]);
    runs.forEach((run) => this.#look(run));
    this.#demandTurns(runs, isUnlocked);

    const conflicts = team.conflictBranches;
    if (conflicts.length > 0) this.#count("reached: a run's versions were kept beside the branch");
    if (conflicts.length > 0 && !isUnlocked)
      throw new TeamViolation("a conflict branch, and nobody moved the branch");
    const teller = runs.find(({ codes }) => codes.includes(stateMoved.code));
    if (conflicts.some((name) => !runs.some(({ end, told }) => end === "killed" || told.includes(name))))
      throw new TeamViolation(`nobody was told of ${conflicts.join(", ")}`);
    if (teller !== undefined) this.#count("reached: a run was told that the branch moved");
    // Otherwise the branch itself has to know all, even before anybody puts it right.
    if (conflicts.length === 0) await this.#demandKnown();
    for (const name of conflicts) {
      const holder = await team.holder();
      if (holder !== undefined) await team.unlock(holder);
      await team.takeOver(name);
    }
    await this.#demandKnown();
    await this.#demandEnded(runs, isUnlocked, isUnlockLate);
  }

  /** Nothing fails any more: one apply does all, and the next has nothing to do. */
  async heal(): Promise<void> {
    const { team } = this;
    const before = (await team.part()).intents.list();
    const plan = this.#look(await team.run({ who: "pipeline", verb: "plan" }));
    // One line for a user names all tokens that may have been created; of a user who does not exist no token is live.
    const live = new Set([...snapshotOf(team.service).profiles.values()].map(({ login }) => login));
    const silent = before.filter(
      ({ login, name }) => live.has(login) && [login, name].some((told) => !plan.told.includes(told)),
    );
    if (plan.end !== "ok" || silent.length > 0)
      throw new TeamViolation(
        `the next plan does not tell of ${silent.map(({ login }) => login).join(", ")}: ${plan.told}`,
      );
    const healed = this.#look(await team.run({ who: "pipeline", verb: "apply" }));
    if (healed.end !== "ok") throw new TeamViolation(`the next apply ${healed.end}: ${healed.told}`);
    await this.#demandKnown();
    await this.#demandDeclared();
    const again = this.#look(await team.run({ who: "jane", verb: "apply" }));
    if (again.end !== "ok" || !again.isEmpty || writesOf(again).length > 0)
      throw new TeamViolation(`after an apply there is still something to do: ${again.told}`);
  }

  #look(run: TeamRun): TeamRun {
    const { verb, end, codes, exchanges, told } = run;
    this.#count("runs");
    this.#count(`${verb}: ${end}`);
    for (const code of new Set(codes)) this.#count(`error ${code}`);
    if (end === "crashed") throw new TeamViolation(`${verb} crashed: ${told}`);
    if (verb === "plan" && writesOf(run).length > 0) throw new TeamViolation("a plan has written");
    if (codes.includes(stateLocked.code) && exchanges.length > 0)
      throw new TeamViolation("a run that was refused has asked the service");
    const logins = new Map(
      [...snapshotOf(this.team.service).profiles.values()].map(({ id, login }) => [id, login]),
    );
    for (const exchange of exchanges.filter(isTokenCreation))
      for (const commit of exchange.commits)
        if (commit.kind === "token" && commit.before === undefined && commit.after !== undefined)
          this.#created.push({ serial: commit.after.serial, login: logins.get(commit.after.user_id) ?? "" });
    return run;
  }

  /** An apply asks the service for nothing before another one has ended. */
  #demandTurns(runs: readonly TeamRun[], isUnlocked: boolean): void {
    const applies = runs.filter(({ verb, moments }) => verb === "apply" && moments.length > 0);
    if (applies.length < 2 || isUnlocked) return;
    this.#count("reached: two applies at once, one after the other");
    const [first, second] = [...applies].sort((a, b) => (a.moments[0] ?? 0) - (b.moments[0] ?? 0)) as [
      TeamRun,
      TeamRun,
    ];
    if ((first.moments.at(-1) ?? 0) > (second.moments[0] ?? 0))
      throw new TeamViolation("two applies at once");
    if (first.end === "ok" && second.end !== "killed" && writesOf(second).length > 0)
      throw new TeamViolation(`what one apply has done, another one did again: ${second.told}`);
  }

  /** Each live token is in the state, or covered by a note that it may exist. */
  async #demandKnown(): Promise<void> {
    const part = await this.team.part();
    const known = new Set([
      ...part.tokens
        .list()
        .flatMap(({ record, previous }) => [record, ...previous].map(({ serial }) => serial)),
      ...part.failedRevocations.list().map(({ serial }) => serial),
    ]);
    const now = snapshotOf(this.team.service);
    const unknown = this.#created.filter(
      ({ serial }) => !known.has(serial) && tokenWith(serial, now) !== undefined,
    );
    if (unknown.length > 0) this.#count("reached: a live token known by a note alone");
    for (const login of new Set(unknown.map((token) => token.login))) {
      const lost = unknown.filter((token) => token.login === login);
      const notes = part.intents.list().filter((intent) => intent.login === login);
      if (lost.length > notes.length)
        throw new TeamViolation(
          `nobody knows of a token of ${login}: ${lost.map(({ serial }) => serial).join(", ")}`,
        );
    }
  }

  /** Every declared token is kept, and works. */
  async #demandDeclared(): Promise<void> {
    const { tokens } = await this.team.part();
    for (const key of Object.keys(this.#declared)) {
      const [user = "", name = ""] = key.split("/");
      const secret = tokens.get({ login: `${user}@acme`, name })?.record.access_token;
      const { status } = await fetch(`${this.team.service.baseUrl}/api/status/authorization`, {
        headers: { authorization: `Bearer ${secret ?? ""}` },
      });
      if (status !== 200) throw new TeamViolation(`the declared token ${key} does not work`);
    }
  }

  /** A run that lived to its end holds nothing; one that died, or could not push, is ended by hand. */
  async #demandEnded(runs: readonly TeamRun[], isUnlocked: boolean, isUnlockLate: boolean): Promise<void> {
    const { team } = this;
    const holder = await team.holder();
    if (holder === undefined) return;
    this.#count("reached: a dead run held the state");
    const mayStay = runs.some(
      ({ verb, end }) => verb === "apply" && (end === "killed" || end === "failed" || end === "refused"),
    );
    if (!mayStay && !isUnlocked)
      throw new TeamViolation(`the run ${holder} has ended well, and holds the state`);
    if (isUnlockLate) {
      const refused = this.#look(await team.run({ who: "joe", verb: "apply" }));
      if (!refused.codes.includes(stateLocked.code))
        throw new TeamViolation(`an apply did not wait: ${refused.told}`);
      if (!refused.told.includes(holder)) throw new TeamViolation(`the message does not name ${holder}`);
      const plan = this.#look(await team.run({ who: "jane", verb: "plan" }));
      if (plan.end !== "ok") throw new TeamViolation(`a plan waits for a dead run: ${plan.told}`);
    }
    await team.unlock(holder);
  }

  #count(what: string): void {
    this.tally.add({ histories: 0, counts: { [what]: 1 } });
  }
}

/** What a run changed. */
function writesOf({ exchanges }: TeamRun): readonly Exchange[] {
  return exchanges.filter((exchange) => exchange.method !== "GET" && !isLogIn(exchange));
}
