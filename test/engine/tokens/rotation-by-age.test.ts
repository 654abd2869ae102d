/** Rotations that follow from the age of a token (`rotate_after`), on a clock that the test moves: covers src/engine/tokens and src/resources/authorization. */
import { apply, approvalNeeds, drift, listTokens, report } from "../../../src/engine";
import { accessText } from "../../../src/plan";
import { clockGoesBack, moveClock } from "../../support/moved-clock";
import { broadeningIn } from "../../support/pairs";
import { actions, findings, type Project, projects, writes } from "../../support/projects";
import { csi, isGood, kept } from "./support";

const startProject = projects();
/** The service has the same clock. */
const start = () => startProject({ clock: () => Date.now() });
clockGoesBack();
beforeEach(() => moveClock("2026-03-01T12:00:00Z"));

const TOKEN = "tenancy_authorization.acme_prod";
const monthly = csi({ rotateAfter: "30d" });
const storedToken = async (project: Project) => (await kept(project)).tokens[0]!;

test("a token is rotated on its day, with overlap and without an approval, and its successor a month later", async () => {
  const project = await start();
  await project.apply(monthly);
  const first = (await storedToken(project)).record;

  // Thirty days old since noon: its day begins at midnight.
  moveClock("2026-03-31T23:59:59Z");
  expect(actions(await project.plan(monthly))).toEqual([]);
  moveClock("2026-04-01T00:00:01Z");
  const plan = await project.plan(monthly);
  expect(actions(plan)).toEqual([`update ${TOKEN}`]);
  expect(plan.access.flatMap(({ entries }) => entries.map(accessText))).toEqual([
    "due since 2026-04-01: a new token; the old one stays valid for 7d",
  ]);
  expect(approvalNeeds(plan)).toEqual([]);
  expect((await apply(plan, { requireApproval: "access" })).ok).toBe(true);
  const second = await storedToken(project);
  expect(second.previous.map(({ serial }) => serial)).toEqual([first.serial]);
  expect(await isGood(project, first)).toBe(true);
  expect(actions(await project.plan(monthly))).toEqual([]);

  // The old one ends with its time, as ever.
  moveClock("2026-04-08T00:00:02Z");
  await project.apply(monthly);
  expect(await isGood(project, first)).toBe(false);
  expect(await isGood(project, second.record)).toBe(true);

  moveClock("2026-05-02T00:00:00Z");
  expect(actions((await project.apply(monthly)).plan)).toEqual([`update ${TOKEN}`]);
  expect((await storedToken(project)).previous).toHaveLength(1);
});

test("a token that is rotated a moment before midnight is not rotated again a moment after it", async () => {
  const project = await start();
  const daily = csi({ rotateAfter: "1d", retainPreviousFor: "12h" });
  await project.apply(daily);
  moveClock("2026-03-03T23:59:59.900Z");
  expect(actions((await project.apply(daily)).plan)).toEqual([`update ${TOKEN}`]);
  moveClock("2026-03-04T00:00:00.100Z");
  expect(actions(await project.plan(daily))).toEqual([]);
  moveClock("2026-03-04T23:59:59.800Z");
  expect(actions(await project.plan(daily))).toEqual([`update ${TOKEN}`]);
  expect((await project.plan(daily)).access).toMatchObject([{ effect: "removes" }]);
  moveClock("2026-03-05T00:00:00Z");
  expect(actions((await project.apply(daily)).plan)).toEqual([`update ${TOKEN}`]);
});

test("an old token is rotated as soon as its age is declared, and a plan over midnight does what it showed", async () => {
  const project = await start();
  await project.apply(csi());
  moveClock("2026-03-31T23:59:00Z");
  const first = await project.plan(monthly);
  expect(first.changes.find(({ address }) => address === TOKEN)?.attributes).toMatchObject([
    { path: ["rotate_after"], before: null, after: "30d" },
  ]);
  moveClock("2026-04-01T00:01:00Z");
  const { serial } = (await storedToken(project)).record;
  expect((await apply(first)).ok).toBe(true);
  expect((await storedToken(project)).record.serial).toBe(serial);
  expect((await storedToken(project)).retention).toEqual({ for: "7d", count: 1, rotate_after: "30d" });
  await project.apply(monthly);
  expect((await storedToken(project)).record.serial).not.toBe(serial);
});

test("a token is rotated no more where the age is removed, and the change is shown", async () => {
  const project = await start();
  await project.apply(monthly);
  moveClock("2026-06-01T00:00:00Z");
  const { plan, requests } = await project.apply(csi());
  expect(plan.changes.find(({ address }) => address === TOKEN)?.attributes).toMatchObject([
    { path: ["rotate_after"], before: "30d", after: null },
  ]);
  expect(writes(requests)).toEqual([]);
  expect(actions(await project.plan(csi()))).toEqual([]);
});

test("keepers beside an age are asked about, and so is a longer overlap", async () => {
  const project = await start();
  await project.apply(monthly);
  moveClock("2026-05-01T00:00:00Z");
  const pairs = async (token: object) =>
    broadeningIn(approvalNeeds(await project.plan(csi({ rotateAfter: "30d", ...token }))));
  expect(await pairs({})).toEqual([]);
  expect(await pairs({ keepers: { a: "b" } })).toEqual(["user: csi@acme, rotates: prod, until: never"]);
  expect(await pairs({ retainPreviousFor: "8d" })).toEqual([
    "user: csi@acme, token: prod, retain_previous_for: 8d, until: never",
  ]);
});

test("a rotation that is due is drift of its own kind, and report, list and metrics know the day", async () => {
  const project = await start();
  await project.apply(monthly);
  const look = async () => drift(project.synthesize(monthly), project.options());
  expect(await look()).toMatchObject({ status: "none", rotations: { due: 0, nextInDays: 31 } });
  const users = async () => {
    const { services } = await report([project.synthesize(monthly)], project.options());
    return services.flatMap((service) => service.users.flatMap(({ tokens }) => tokens));
  };
  expect(await users()).toMatchObject([{ age_days: 0, rotates_on: "2026-04-01" }]);
  const [listed] = await listTokens([project.synthesize(monthly)], project.options());
  expect(listed?.tokens).toMatchObject([{ rotatesOn: "2026-04-01" }]);

  moveClock("2026-04-02T12:00:00Z");
  const { status, drift: rows, rotations } = await look();
  expect({ status, rotations }).toEqual({ status: "declared", rotations: { due: 1, nextInDays: null } });
  expect(rows).toMatchObject([
    { kind: "due", address: TOKEN, path: ["rotate_after"], to: "2026-04-01", undone: true },
  ]);
  await project.apply(monthly);
  expect(await look()).toMatchObject({ status: "none", rotations: { due: 0, nextInDays: 31 } });
});

test("an age that is too short is an error before anything is asked", async () => {
  const project = await start();
  expect(await findings(project.plan(csi({ rotateAfter: "7d" })))).toMatchObject([
    { address: TOKEN, attribute: ["rotate_after"] },
  ]);
});

test.each<readonly [string, string | null | undefined]>([
  ["no time", undefined],
  ["null", null],
  ["no readable time", "yesterday"],
  ["a time in the future", "2099-01-01T00:00:00Z"],
  ["a time long ago", "1970-01-01T00:00:00Z"],
])(
  "a token is rotated by its age once, also where the service shows %s of its creation",
  async (_what, time) => {
    const project = await start();
    project.service.fail({
      method: "POST",
      path: "/api/authorization",
      times: 9,
      alter: (record) => ({ ...(record as object), created_at: time }),
    });
    await project.apply(monthly);
    moveClock("2026-03-31T23:59:59Z");
    expect(actions(await project.plan(monthly))).toEqual([]);
    moveClock("2026-04-01T00:00:01Z");
    expect(actions((await project.apply(monthly)).plan)).toEqual([`update ${TOKEN}`]);
    expect(actions(await project.plan(monthly))).toEqual([]);
  },
);
