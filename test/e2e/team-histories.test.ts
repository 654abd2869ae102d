/**
 * The state on a branch under histories of two people and a pipeline (test/torture/team): a few that chance draws, one at each request and each
 * push of an apply, and those that chance seldom draws. `npm run torture -- --runner team` draws many.
 */
import { campaign } from "../torture/campaign";
import { Tally } from "../torture/runs/tally";
import type { Act, TeamStep } from "../torture/team/history";
import { liveAsTeam, TeamLife } from "../torture/team/life";
import { Team } from "../torture/team/team";

jest.setTimeout(1_500_000);

const DECLARED = { "csi/prod": 1, "csi/spare": 1 };
const ACT: Act = { who: "jane", verb: "apply", kill: undefined, lockTimeout: "0s" };
const STEP: TeamStep = {
  declared: DECLARED,
  acts: [ACT],
  pushFaults: [],
  unlockedAt: undefined,
  isUnlockLate: false,
};

test("histories that are drawn break no promise", async () => {
  const tally = await campaign({ runner: "team", runs: 3, seed: 30 });
  expect(tally.histories).toBe(3);
});

/** Two tokens are created, or one of them is rotated: the first apply makes their user without tokens. */
async function afterFirstApply(step: Partial<TeamStep>): Promise<Tally["counts"]> {
  const tally = new Tally();
  await liveAsTeam(
    {
      steps: [
        { ...STEP, declared: {} },
        { ...STEP, ...step },
      ],
    },
    tally,
  );
  return tally.counts;
}

test.each([true, false])(
  "an apply that is killed at any request leaves no token of which the next run does not know (done: %s)",
  async (committed) => {
    // The campaign kills at each request in both ways; here each request is killed in one of them, which takes half the time.
    for (let at = committed ? 0 : 1; ; at += 2) {
      const counts = await afterFirstApply({
        acts: [{ ...ACT, kill: { at, by: "request", committed } }],
        isUnlockLate: at % 5 === 0,
      });
      if (counts["apply: killed"] !== undefined) continue;
      expect(at).toBeGreaterThan(15);
      return;
    }
  },
);

test.each([true, false])("so does one that is killed at any push (done: %s)", async (committed) => {
  for (let at = 1; ; at++) {
    const counts = await afterFirstApply({ acts: [{ ...ACT, kill: { at, by: "push", committed } }] });
    if (counts["apply: killed"] !== undefined) continue;
    expect(at).toBeGreaterThan(5);
    return;
  }
});

test.each([
  ["refused", 1],
  ["refused", 100],
  ["lost", 1],
] as const)("so does one any of whose pushes is %s (%d times)", async (kind, times) => {
  let hasFailed = 0;
  for (let at = 1; at < 10; at += 2) {
    const counts = await afterFirstApply({ pushFaults: [{ at, times, kind }] });
    hasFailed += (counts["apply: failed"] ?? 0) + (counts["apply: refused"] ?? 0);
  }
  if (times === 100) expect(hasFailed).toBeGreaterThan(2);
  else expect(hasFailed).toBe(0);
});

test("the second push names every token that is to be created, before the first of them is", async () => {
  const team = await Team.open();
  try {
    const life = new TeamLife(team, new Tally());
    await life.step({ ...STEP, declared: {} });
    team.declare(DECLARED);
    const { end } = await team.run({
      who: "jane",
      verb: "apply",
      kill: { at: 2, by: "push", committed: true },
    });
    expect(end).toBe("killed");
    const { intents, tokens } = await team.part();
    expect(intents.list().map(({ login, name }) => `${login}/${name}`)).toEqual([
      "csi@acme/prod",
      "csi@acme/spare",
    ]);
    expect(tokens.list()).toEqual([]);
  } finally {
    await team.close();
  }
});

test("of two applies at once one waits, and the other one is refused where it may not wait", async () => {
  for (const lockTimeout of ["0s", "3s"] as const) {
    const counts = await afterFirstApply({
      acts: [ACT, { ...ACT, who: "pipeline", lockTimeout }],
    });
    expect(counts["apply: ok"]).toBeGreaterThanOrEqual(3);
  }
});

test("a run that was ended by hand while it was alive keeps its tokens beside the branch, and says so", async () => {
  let isReached = false;
  for (let at = 4; at < 16; at += 2)
    isReached ||= Object.hasOwn(
      await afterFirstApply({ unlockedAt: at }),
      "reached: a run's versions were kept beside the branch",
    );
  expect(isReached).toBe(true);
});
