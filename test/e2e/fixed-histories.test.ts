/**
 * Histories that chance seldom draws, one for each promise that hangs on several things at once: covers test/torture. Those that reach each situation
 * are in `engine/situations.test.ts`.
 */
import { built } from "../support/built-command";
import type { EntryKind } from "../torture/model/approval";
import { NOTHING } from "../torture/model/declaration";
import { ALL_ALLOWED, NO_FLAGS, type History, type Step } from "../torture/model/history";
import { CSI, PLAIN_STEP, plainHistory } from "../torture/runs/plain-history";
import type { Outcome, Witness } from "../torture/invariants/invariant";
import { unheardRuns } from "../torture/invariants/leftovers";
import { unsettled } from "../torture/invariants/peace";
import { forgottenTokens } from "../torture/invariants/tokens";
import { SERVICE } from "../torture/runs/eventful-apply";
import { live } from "../torture/runs/history-run";
import { RUNNERS, type RunnerName } from "../torture/runs/runners";
import { Tally } from "../torture/runs/tally";
import { withEqualDelays } from "../torture/world/equal-delays";

let endEqualDelays: () => void = () => undefined;
beforeAll(() => (endEqualDelays = withEqualDelays()));
afterAll(() => endEqualDelays());

beforeAll(built);

const HISTORY = plainHistory({
  kind: "token",
  ...CSI,
  token: "prod",
  settings: { keepers: 1, retainFor: "7d", retain: 1 },
});

/** @returns what was met */
async function lived(runner: RunnerName, history: Partial<History>): Promise<Tally["counts"]> {
  const tally = new Tally();
  await live({ ...HISTORY, ...history }, RUNNERS[runner], tally);
  return tally.counts;
}

describe("no promise is broken", () => {
  test.each(["activation", "api access"] as const)(
    "where a token is to be revoked that the service does not revoke, while its user is suspended (%s)",
    async (by) => {
      const suspended: Step = {
        ...PLAIN_STEP,
        edits: [{ kind: "no token", ...CSI, token: "prod" }],
        rivals: [{ kind: "user is suspended", ...CSI, by, isOver: false }],
      };
      const service = { ...SERVICE, revokes: "refuses", suspendedStatus: 401 } as const;
      const counts = await lived("engine", { service, steps: [PLAIN_STEP, suspended] });
      expect(counts).toMatchObject({ "apply: failed": expect.any(Number) as number });
    },
  );

  test("where a revocation has failed, which was told, and is tried again while the user is suspended", async () => {
    const service = { ...SERVICE, revokes: "refuses", suspendedStatus: 401 } as const;
    const settings = { keepers: 2, retainFor: "0s", retain: 0 } as const;
    const revoking: Step = { ...PLAIN_STEP, edits: [{ kind: "token", ...CSI, token: "prod", settings }] };
    const suspended: Step = {
      ...PLAIN_STEP,
      rivals: [{ kind: "user is suspended", ...CSI, by: "activation", isOver: false }],
    };
    const counts = await lived("engine", { service, steps: [PLAIN_STEP, revoking, suspended] });
    expect(counts).toMatchObject({ "apply: failed": expect.any(Number) as number });
  });

  test("where a service says that it revokes the token of a suspended user, does not, and refuses the token", async () => {
    const revoking: Step = {
      ...PLAIN_STEP,
      edits: [{ kind: "no token", ...CSI, token: "prod" }],
      rivals: [{ kind: "user is suspended", ...CSI, by: "activation", isOver: false }],
    };
    const service = { ...SERVICE, revokes: "ignores", suspendedStatus: 401 } as const;
    const counts = await lived("engine", { service, steps: [PLAIN_STEP, revoking] });
    expect(counts).toMatchObject({ "reached: a revocation was ignored": 1 });
  });

  test.each([
    ["engine", "apply"],
    ["command", "apply"],
    ["command", "saved"],
  ] as const)("where a user of others ceases with an account of ours (%s, %s)", async (runner, verb) => {
    const settings = { protected: false, imported: false };
    const going: Step = {
      ...PLAIN_STEP,
      verb,
      flags: ALL_ALLOWED,
      edits: [{ kind: "no account", account: "acme" }],
      rivals: [{ kind: "user appears", account: "acme", user: "jane", maker: "another owner" }],
    };
    const start = [{ kind: "account", account: "acme", settings }] as const;
    const counts = await lived(runner, { start, steps: [PLAIN_STEP, going] });
    expect(counts).toMatchObject({ "reached: an account was deleted": 1 });
  });

  test("where a user with a token gets a new id", async () => {
    const counts = await lived("engine", {
      steps: [PLAIN_STEP, { ...PLAIN_STEP, rivals: [{ kind: "user has a new id", ...CSI }] }],
    });
    expect(counts).toMatchObject({ "reached: a token's user had a new id": 1 });
    expect(counts).not.toHaveProperty("write DELETE authorization");
  });

  test("where a user has a twin with the name in another Unicode form", async () => {
    const where = { account: "acme", user: "josé" } as const;
    const declared = (level: number) =>
      ({ kind: "user", ...where, settings: { level, rights: [], imported: false } }) as const;
    const changing: Step = {
      ...PLAIN_STEP,
      edits: [declared(2)],
      rivals: [{ kind: "twin appears", ...where }],
    };
    const counts = await lived("engine", { start: [declared(1)], steps: [PLAIN_STEP, changing] });
    expect(counts).toMatchObject({ "reached: a run was refused because of a twin": 1 });
  });

  test("where the command demands approval, and entries have ended, are for another plan, or cover it", async () => {
    const demanding = (...entries: readonly EntryKind[]): Step => ({
      ...PLAIN_STEP,
      approval: { level: "broadening", entries },
    });
    const steps = [demanding("ended", "another plan"), demanding("ended", "whole plan")];
    const counts = await lived("command", { steps });
    expect(counts).toMatchObject({
      "apply: refused": 1,
      "error TENANCY_APPROVAL_NEEDED": 1,
      "reached: entries covered all that was done": 1,
    });
  });

  test("where there is no room for what the command prints", async () => {
    const counts = await lived("command", { steps: [{ ...PLAIN_STEP, reader: { kind: "full disk" } }] });
    expect(counts).toMatchObject({ "reader full disk: failed": 1 });
  });
});

test("a campaign tells in how many histories it reached what histories are for, also where it reached it in none", () => {
  const tally = new Tally();
  tally.add({ histories: 8, counts: { runs: 40, "reached: a revocation was refused": 2 } });
  const lines = tally.details.split("\n");
  expect(lines).toContain("       2  25.0 %  a revocation was refused");
  expect(lines).toContain("       0   0.0 %  a revocation was ignored");
  expect(lines).toContain("      40  runs");
});

// What the sentences themselves make of a wrong outcome, which the product does not give them.

const token = { id: "authorization:1:1", serial: "ATH1", secret: "1/secret", login: "csi@acme" };

function witness(parts: object): Witness {
  const outcome: Outcome = { end: "ok", codes: [], failures: [], printed: [], planned: [], listed: [] };
  return {
    engine: "embedded",
    verb: "apply",
    declaration: NOTHING,
    flags: NO_FLAGS,
    outcome,
    service: SERVICE,
    ...parts,
  } as Witness;
}

describe("a wrong outcome is noticed:", () => {
  test("an apply that ended well although nothing of its output was written", () => {
    const outcome = {
      end: "ok",
      isUnread: true,
      codes: [],
      failures: [],
      printed: [],
      planned: [],
      listed: [],
    };
    const full = { reader: { kind: "full disk" } };
    expect(unheardRuns.violations(witness({ ...full, outcome }))).toHaveLength(1);
    expect(unheardRuns.violations(witness({ ...full, outcome: { ...outcome, end: "failed" } }))).toEqual([]);
    expect(unheardRuns.violations(witness({ ...full, outcome, verb: "plan" }))).toEqual([]);
    expect(unheardRuns.violations(witness({ outcome }))).toEqual([]);
  });

  test("a token that works once its user is active again, and that nobody remembers", async () => {
    const chronicle = {
      createdTokens: [token],
      lostTokens: new Set<string>(),
      revokedTokens: new Set<string>(),
    };
    const kept = { tokens: [], intents: [], failedRevocations: [] };
    const of = (works: boolean, remembered: object = kept) =>
      forgottenTokens(witness({ chronicle }), remembered as never, () => Promise.resolve(works));
    expect(await of(true)).toEqual(["the token ATH1 of csi@acme works, and is forgotten"]);
    expect(await of(false)).toEqual([]);
    const noted = { serial: token.serial, access_token: token.secret };
    expect(await of(true, { ...kept, failedRevocations: [noted] })).toEqual([]);
  });

  test("a token of the state that is refused after an apply that ended well", () => {
    const user = { imported: false, tokens: { prod: { keepers: 1, retainFor: "7d", retain: 1 } } };
    const account = { protected: false, imported: false, users: { csi: user }, crowd: 0 };
    const profile = { login: "csi@acme", activated: true, access: { api: true }, account_id: "account:1:1" };
    const after = (tokens: readonly string[]) => ({
      accounts: new Map([["account:1:1", { name: "acme", primary_contact: {}, limits: {} }]]),
      profiles: new Map([["user_profile:1:1", { ...profile, account_admin: true, permissions: {} }]]),
      tokens: new Map(tokens.map((serial) => [token.id, { serial }])),
    });
    const { id, serial } = token;
    const state = { after: { tokens: [{ login: "csi@acme", name: "prod", record: { id, serial } }] } };
    const found = (tokens: readonly string[]) =>
      unsettled(
        witness({
          declaration: { ...NOTHING, accounts: { acme: account } },
          after: after(tokens),
          state,
          altered: new Set<string>(),
        }),
        () => true,
      );
    expect(found([])).toEqual(["the token csi@acme/prod of the state is refused"]);
    expect(found(["ATH2"])).toEqual(["the token csi@acme/prod of the state is refused"]);
    expect(found([serial])).toEqual([]);
  });
});
