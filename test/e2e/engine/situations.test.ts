/** A history for each situation that campaigns count, so that each can be reached: covers test/torture/runs/situations.ts. */
import type { ApprovalDemand, EntryKind } from "../../torture/model/approval";
import type { Edit } from "../../torture/model/declaration";
import type { Strike } from "../../torture/model/fault";
import { ALL_ALLOWED, type History, type Step } from "../../torture/model/history";
import { CSI, PLAIN_STEP, plainHistory } from "../../torture/runs/plain-history";
import type { Maker, Rival } from "../../torture/model/rival";
import { SERVICE } from "../../torture/runs/eventful-apply";
import { live } from "../../torture/runs/history-run";
import { RUNNERS } from "../../torture/runs/runners";
import { SITUATIONS, type Situation } from "../../torture/runs/situations";
import { Tally } from "../../torture/runs/tally";
import { withEqualDelays } from "../../torture/world/equal-delays";

let endEqualDelays: () => void = () => undefined;
beforeAll(() => (endEqualDelays = withEqualDelays()));
afterAll(() => endEqualDelays());

const JANE = { account: "acme", user: "jane" } as const;
const JOSE = { account: "acme", user: "josé" } as const;
const FIRST_OF_OPS = { account: "ops", user: "csi" } as const;

const step = (parts: Partial<Step> = {}): Step => ({ ...PLAIN_STEP, ...parts });

const tokenOf = (place: typeof CSI | typeof FIRST_OF_OPS, keepers = 1): Edit => ({
  kind: "token",
  ...place,
  token: "prod",
  settings: { keepers, retainFor: "0s", retain: 0 },
});
const noToken: Edit = { kind: "no token", ...CSI, token: "prod" };
const userAt = (place: typeof CSI | typeof JANE | typeof JOSE, imported = false, level = 1): Edit => ({
  kind: "user",
  ...place,
  settings: { level, rights: ["vss.manage_snapshots"], imported },
});
const accountNamed = (account: "acme" | "globex", imported = false, company?: string): Edit => ({
  kind: "account",
  account,
  settings: { company, protected: false, imported },
});

const suspended = (by: "activation" | "api access"): Rival => ({
  kind: "user is suspended",
  ...CSI,
  by,
  isOver: false,
});
const janeOf = (maker: Maker): Rival => ({ kind: "user appears", ...JANE, maker });
const struck = (at: number, strike: Strike): Partial<Step> => ({ faults: [{ at, times: 1, strike }] });
const demanding = (...entries: readonly EntryKind[]): Partial<Step> => {
  const approval: ApprovalDemand = { level: "broadening", entries };
  return { approval };
};

/** Without further parts: a tenant with a user and a token of the user, applied twice. */
const history = (parts: Partial<History>): History => ({
  ...plainHistory(tokenOf(CSI)),
  steps: [step(), step()],
  ...parts,
});

/** A user with a token, and then a step. */
const then = (parts: Partial<Step>, rest: Partial<History> = {}) =>
  history({ steps: [step(), step(parts)], ...rest });

const revoking = (revokes: History["service"]["revokes"]) =>
  then({ edits: [noToken] }, { service: { ...SERVICE, revokes, suspendedStatus: 401 } });
const withJane = (parts: Partial<History>, ...steps: readonly Partial<Step>[]) =>
  history({ start: [accountNamed("acme")], ...parts, steps: [step(), ...steps.map(step)] });

/** One-time codes take a clock of their own (`one-time-codes.test.ts`). */
type Reached = Exclude<Situation, "a one-time code had been used before">;

const REACHING: Readonly<Record<Reached, History>> = {
  "a revocation was requested": revoking("as asked"),
  "a revocation was done": revoking("as asked"),
  "a revocation was refused": revoking("refuses"),
  "a revocation was ignored": revoking("ignores"),
  "a token was rotated": then({ edits: [tokenOf(CSI, 2)] }),
  "a password that the run set ended tokens": history({ service: { ...SERVICE, passwordEndsTokens: true } }),
  "a token may have been created that nobody knows": history({
    steps: [10, 11, 12, 13, 14].map((at) => step(struck(at, { kind: "kill", committed: true }))),
  }),
  "a declared user was not activated": then({ rivals: [suspended("activation")] }),
  "a declared user had no access to the API": then({ rivals: [suspended("api access")] }),
  "the account of a declared user was disabled": then({
    rivals: [{ kind: "account is disabled", account: "acme", isOver: false }],
  }),
  "the state had a token of a user who may do nothing": then({ rivals: [suspended("activation")] }),
  "a record had a forged uuid": withJane({}, { rivals: [janeOf("forger")], edits: [userAt(JANE)] }),
  "the state knew tokens under another address": then({ address: "localhost" }),
  "a token's user had a new id": then({ rivals: [{ kind: "user has a new id", ...CSI }] }),
  "the id of a token in the state was another token's": history({
    start: [userAt(CSI)],
    steps: [
      step(),
      step({ edits: [tokenOf(CSI)] }),
      step({
        rivals: [
          { kind: "service is restored", stepsBack: 1 },
          { kind: "token appears", ...CSI },
        ],
      }),
    ],
  }),
  "somebody else's record had the declared uuid": withJane(
    { uuids: "free" },
    { rivals: [janeOf("namesake")], edits: [userAt(JANE)] },
    { edits: [userAt(JANE, true)] },
    { edits: [userAt(JANE)] },
    { rivals: [{ kind: "user goes", ...JANE }, janeOf("namesake")] },
  ),
  "a record with a declared uuid was managed": withJane({ uuids: "free" }, { edits: [userAt(JANE)] }, {}),
  "the caller did not see every account": history({
    caller: "insider",
    start: [tokenOf(FIRST_OF_OPS)],
    steps: [
      step({ rivals: [{ kind: "account appears", account: "acme", maker: "nobody" }] }),
      step({ edits: [accountNamed("acme")] }),
      step({
        edits: [
          { kind: "no account", account: "acme" },
          { kind: "no user", ...FIRST_OF_OPS },
        ],
      }),
    ],
  }),
  "a token in the state was out of the caller's sight": then(
    { rivals: [{ kind: "caller sees less", isOver: false }] },
    { caller: "deployer" },
  ),
  "approval was demanded and missing": history({ steps: [step(demanding()), step()] }),
  "entries covered all that was done": history({
    steps: [step(demanding("another plan", "whole plan")), step()],
  }),
  "an entry had ended": history({
    steps: [step(demanding("ended")), step(demanding("ended", "whole plan"))],
  }),
  "entries were for other plans alone": history({
    steps: [step(demanding("another plan", "another stack", "half of the plan")), step()],
  }),
  "the service had no revocation": then({ edits: [noToken] }, { service: { ...SERVICE, revocation: false } }),
  "a declared contact was hidden by the service": history({
    start: [accountNamed("acme", true, "Acme")],
    steps: [step({ rivals: [{ kind: "account appears", account: "acme", maker: "nobody" }] })],
  }),
  "a run was refused because of a twin": withJane(
    {},
    { edits: [userAt(JOSE)] },
    { rivals: [{ kind: "twin appears", ...JOSE }], edits: [userAt(JOSE, false, 2)] },
  ),
  "a sibling stack stood in the app": history({ hasSibling: true }),
  "several provider configurations were in use": history({
    start: [accountNamed("acme"), accountNamed("globex")],
    aliases: 1,
  }),
  "a user was deleted": withJane(
    { start: [accountNamed("acme"), userAt(CSI)] },
    { edits: [userAt(JANE)] },
    { edits: [{ kind: "no user", ...JANE }] },
  ),
  "an account was deleted": then({
    edits: [{ kind: "no account", account: "acme" }],
    flags: ALL_ALLOWED,
  }),
  // An update of the primary user alone: no answer shows the account.
  "a record of others was imported": history({
    start: [{ kind: "account", account: "acme", settings: { level: 3, protected: false, imported: true } }],
    steps: [step({ verb: "plan", rivals: [{ kind: "account appears", account: "acme", maker: "nobody" }] })],
  }),
  "an imported record was deleted": history({
    start: [accountNamed("acme"), userAt(CSI)],
    steps: [
      step(),
      step({ verb: "plan", rivals: [janeOf("nobody")] }),
      step({ edits: [userAt(JANE, true)] }),
      step({ edits: [{ kind: "no user", ...JANE }] }),
    ],
  }),
  "the first run was killed after a write": history({
    isKilledFirst: true,
    steps: [step(struck(8, { kind: "kill", committed: true }))],
  }),
  "nobody read a run to its end": history({
    steps: [step({ reader: { kind: "leaves", afterLines: 1 } })],
  }),
};

test.each(Object.entries(REACHING))("%s", async (situation, one) => {
  const tally = new Tally();
  await live(one, RUNNERS.engine, tally);
  expect(tally.counts).toHaveProperty([`reached: ${situation}`], 1);
});

test("every situation that campaigns count has a history", () => {
  const others: readonly Situation[] = ["a one-time code had been used before"];
  expect([...Object.keys(REACHING), ...others].sort()).toEqual(Object.keys(SITUATIONS).sort());
});
