/** A service, a remote and the clones of a team, and the runs of its members. A killed run is an engine that is abandoned, without service and git. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partName, openState, type TenancyState, type StatePart } from "../../../src/state";
import {
  acceptState,
  apply,
  close,
  initState,
  plan,
  stateStatus,
  unlockState,
  type Plan,
  type PlanOptions,
  type StackSource,
} from "../../../src/engine";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { noSuchRun, stateLockLost, TenancyError } from "../../../src/problems";
import { STACK, writeStack } from "../../support/synthesized-app";
import type { Exchange } from "../world/exchange";
import { Gateway, type Traffic } from "../world/gateway";
import { type DeclaredTokens, type Kill, type Member, MEMBERS, USERS } from "./history";
import { FaultyRemote, MortalGit } from "./remote";
import { stateKey } from "../../support/state-key";

const PASSWORD = "s3cret of the system";
const BRANCH = "tenancy-state";
const KEY = stateKey("a key of the team, long enough");
const PROJECT = "acme";

export interface TeamRun {
  readonly who: Member;
  readonly verb: "plan" | "apply";
  /** `failed`: something was done. `refused`: nothing was. */
  readonly end: "ok" | "failed" | "refused" | "killed" | "crashed";
  readonly codes: readonly string[];
  /** All that was told. */
  readonly told: string;
  readonly isEmpty: boolean;
  readonly exchanges: readonly Exchange[];
  /** When each of its requests came, by the gateway's count over all runs. */
  readonly moments: readonly number[];
}

interface RunSpec {
  readonly who: Member;
  readonly verb: "plan" | "apply";
  readonly kill?: Kill | undefined;
  readonly lockTimeout?: string;
  /** Called when the run sends its request of that number; the request waits. */
  readonly onRequest?: { readonly at: number; readonly act: () => Promise<void> } | undefined;
}

export class Team {
  readonly #reader: string;
  #runs = 0;
  #moment = 0;

  private constructor(
    readonly service: Simulator,
    readonly gateway: Gateway,
    readonly remote: FaultyRemote,
    readonly folder: string,
    private readonly clones: Readonly<Record<Member, string>>,
  ) {
    this.#reader = remote.clone();
  }

  static async open(): Promise<Team> {
    const service = await startSimulator({
      record: false,
      systemUser: { username: "system", password: PASSWORD },
    });
    const gateway = await Gateway.open(service, "http://127.0.0.1:9");
    const remote = new FaultyRemote();
    const folder = mkdtempSync(join(tmpdir(), "tenancy-team-"));
    const clones = Object.fromEntries(MEMBERS.map((who) => [who, remote.clone()])) as Record<Member, string>;
    const team = new Team(service, gateway, remote, folder, clones);
    await initState(team.#source(), team.#options(clones.jane, process.env["PATH"] ?? ""));
    return team;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.service.close();
    this.remote.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Synthesizes what all members declare. */
  declare(tokens: DeclaredTokens): void {
    const users = Object.fromEntries(
      USERS.map((username) => [
        username,
        { username, account_id: "${tenancy_account.acme.id}", permissions: {} },
      ]),
    );
    const declaredTokens = Object.fromEntries(
      Object.entries(tokens).map(([key, keepers]) => {
        const [user = "", name = ""] = key.split("/");
        const block = { login: `${user}@acme`, name, login_with: "temporary_password" };
        // One of them is revoked as soon as another one takes its place.
        const retention = name === "spare" ? { retain_previous_for: "0s", retain_previous: 0 } : {};
        return [`${user}_${name}`, { ...block, ...retention, keepers: { rotation: String(keepers) } }];
      }),
    );
    writeStack(join(this.folder, "cdktf.out"), {
      provider: { tenancy: [{ retry_timeout: "2s" }] },
      resource: {
        tenancy_account: { acme: { name: "acme" } },
        tenancy_user_profile: users,
        ...(Object.keys(declaredTokens).length > 0 && { tenancy_authorization: declaredTokens }),
      },
    });
  }

  async run({ who, verb, kill, lockTimeout = "0s", onRequest }: RunSpec): Promise<TeamRun> {
    const git = new MortalGit(join(this.folder, `git-${(this.#runs += 1)}`), kill);
    const abort = new AbortController();
    const moments: number[] = [];
    let isKilled = false;
    const die = (): void => {
      isKilled = true;
      git.kill();
      abort.abort();
    };
    const traffic: Traffic = this.gateway.begin({
      faults:
        kill?.by === "request"
          ? [{ at: kill.at, times: 1, strike: { kind: "kill", committed: kill.committed } }]
          : [],
      onKill: die,
      hold: (index) => {
        moments.push(this.#moment++);
        return index === onRequest?.at ? onRequest.act() : undefined;
      },
    });
    const watch = setInterval(() => {
      if (git.isDead && !isKilled) void traffic.end().then(die);
    }, 10);
    try {
      const environment = `${git.folder}:${process.env["PATH"] ?? ""}`;
      const result = await this.#carryOut(verb, {
        ...this.#options(this.clones[who], environment, traffic.baseUrl),
        lockTimeout,
        signal: abort.signal,
      });
      const { exchanges } = traffic;
      return { who, verb, ...result, end: isKilled ? "killed" : result.end, exchanges, moments };
    } finally {
      clearInterval(watch);
      await traffic.end();
      git.remove();
    }
  }

  async #carryOut(
    verb: TeamRun["verb"],
    options: PlanOptions,
  ): Promise<Pick<TeamRun, "end" | "codes" | "told" | "isEmpty">> {
    const told: string[] = [];
    let isBegun = false;
    let newPlan: Plan | undefined;
    try {
      newPlan = await plan(this.#source(), {
        ...options,
        lockState: verb === "apply",
        verifyTokens: verb === "apply",
      });
      told.push(JSON.stringify(newPlan.warnings));
      const isEmpty = newPlan.changes.every(({ action }) => action === "none");
      if (verb === "plan") return { end: "ok", codes: [], told: told.join("\n"), isEmpty };
      isBegun = true;
      const { ok, failed, diagnostics } = await apply(newPlan, options.signal && { signal: options.signal });
      const findings = [...diagnostics, ...failed.flatMap((one) => one.diagnostics)];
      told.push(JSON.stringify(findings));
      const codes = findings.map(({ code }) => code);
      return { end: ok ? "ok" : "failed", codes, told: told.join("\n"), isEmpty };
    } catch (error) {
      told.push(error instanceof Error ? `${error.stack ?? ""}` : String(error));
      const isOurs = error instanceof TenancyError;
      const end = isOurs ? (isBegun ? "failed" : "refused") : "crashed";
      return { end, codes: isOurs ? [error.code] : [], told: told.join("\n"), isEmpty: false };
    } finally {
      if (newPlan !== undefined) await close(newPlan);
    }
  }

  // What a member does by hand.

  /** The id of the run that holds the state; undefined where none does. */
  async holder(): Promise<string | undefined> {
    const { holder } = await stateStatus(this.#source(), this.#handOptions());
    return holder?.run;
  }

  /** @returns false where the branch has moved in the meantime */
  async triesToUnlock(run: string): Promise<boolean> {
    try {
      await this.unlock(run);
      return true;
    } catch (error) {
      if (stateLockLost.is(error) || noSuchRun.is(error)) return false;
      throw error;
    }
  }

  async unlock(run: string): Promise<void> {
    await unlockState(this.#source(), run, this.#handOptions());
  }

  /** Makes a conflict branch the state, as the guide has it. */
  async takeOver(branch: string): Promise<void> {
    this.remote.git("update-ref", `refs/heads/${BRANCH}/${STACK}`, `refs/heads/${branch}`);
    this.remote.git("update-ref", "-d", `refs/heads/${branch}`);
    await acceptState(this.#source(), this.#handOptions());
  }

  get conflictBranches(): readonly string[] {
    return this.remote.branches().filter((name) => name.startsWith(`${BRANCH}-conflict-`));
  }

  /** What the next run finds in the state. */
  async part(): Promise<StatePart> {
    return this.#state().part(partName(this.gateway.originAt("127.0.0.1"), STACK, "tenancy"));
  }

  #state(): TenancyState {
    const environment = process.env;
    const git = { remote: "origin", branch: BRANCH, stack: STACK, folder: this.#reader, environment };
    return openState({ git, key: KEY, project: PROJECT });
  }

  #source(): StackSource {
    return { name: STACK, outdir: join(this.folder, "cdktf.out") };
  }

  #handOptions(): PlanOptions {
    return this.#options(this.clones.joe, process.env["PATH"] ?? "");
  }

  #options(projectFolder: string, path: string, baseUrl = ""): PlanOptions {
    return {
      projectFolder,
      environment: {
        PATH: path,
        HOME: process.env["HOME"],
        TENANCY_USERNAME: "system",
        TENANCY_PASSWORD: PASSWORD,
        TENANCY_BASE_URL: baseUrl,
      },
      state: { path: `git:origin/${BRANCH}`, key: KEY, project: PROJECT },
      parallelism: 4,
      retireEarly: true,
    };
  }
}
