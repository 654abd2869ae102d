/** Tokens of users who are suspended, or whose access has ended: covers src/engine/tokens and src/resources/authorization. */
import { Permissions, Tenant, type TokenProps, type UserProps } from "tenancy";
import { drift, listTokens, planRotation } from "../../../src/engine";
import { tokenWaits } from "../../../src/problems";
import { clockGoesBack, moveClock } from "../../support/moved-clock";
import { actions, type Build, codes, findings, type Project, projects } from "../../support/projects";
import { creations, csi, isGood, kept } from "./support";

const startProject = projects();
/** The service has the same clock. */
const start = () => startProject({ clock: () => Date.now() });
clockGoesBack();
beforeEach(() => moveClock("2026-12-01T12:00:00Z"));

const TOKEN = "tenancy_authorization.acme_prod";
const SUSPENDED = { suspended: true };
const warned = (plan: {
  readonly warnings: readonly { readonly code: string; readonly address?: string }[];
}) => plan.warnings.filter(({ code }) => code === tokenWaits.code).map(({ address }) => address);
const storedToken = async (project: Project) => (await kept(project)).tokens[0];
const look = (project: Project, build: Build) => drift(project.synthesize(build), project.options());

test("a token of a suspended user is not created, without an error, and comes once the user has access", async () => {
  const project = await start();
  const first = await project.apply(csi({}, SUSPENDED));
  expect(creations(first)).toBe(0);
  expect(warned(first.plan)).toEqual([TOKEN]);
  expect(actions(first.plan)).not.toContain(`create ${TOKEN}`);
  expect(await storedToken(project)).toBeUndefined();
  expect(actions(await project.plan(csi({}, SUSPENDED)))).toEqual([]);
  expect((await look(project, csi({}, SUSPENDED))).status).toBe("none");
  expect((await listTokens([project.synthesize(csi({}, SUSPENDED))], project.options()))[0]?.tokens).toEqual(
    [],
  );

  const { plan } = await project.apply(csi({}, { suspended: false }));
  expect(actions(plan)).toContain(`create ${TOKEN}`);
  expect(warned(plan)).toEqual([]);
  expect(await isGood(project, (await storedToken(project))!.record)).toBe(true);
});

test("a token of a user whose access ends is not rotated by keepers or age, and is rotated once, later", async () => {
  const project = await start();
  const at = (day: string, week: number): Build =>
    csi({ rotateAfter: "30d", keepers: { week: String(week) } }, { until: day });
  await project.apply(at("2026-12-31", 1));
  const before = (await storedToken(project))!.record;

  moveClock("2027-01-15T12:00:00Z");
  const ended = await project.apply(at("2026-12-31", 2));
  expect(creations(ended)).toBe(0);
  expect(warned(ended.plan)).toEqual([TOKEN]);
  expect((await storedToken(project))?.record).toEqual(before);
  expect(actions(await project.plan(at("2026-12-31", 2)))).toEqual([]);
  expect(await look(project, at("2026-12-31", 2))).toMatchObject({ status: "none", rotations: { due: 0 } });

  const { plan } = await project.apply(at("2027-02-28", 2));
  expect(actions(plan)).toContain(`update ${TOKEN}`);
  const after = (await storedToken(project))!;
  expect(after.keepers).toEqual({ week: "2" });
  expect(after.previous.map(({ serial }) => serial)).toEqual([before.serial]);
  expect(actions(await project.plan(at("2027-02-28", 2)))).toEqual([]);
});

test("replaced tokens of a suspended user end with their time, and another overlap is taken", async () => {
  const project = await start();
  await project.apply(csi({ keepers: { week: "1" } }));
  await project.apply(csi({ keepers: { week: "2" } }));
  const [previous] = (await storedToken(project))!.previous;
  expect(previous).toBeDefined();
  const longer = csi({ keepers: { week: "3" }, retainPreviousFor: "8d" }, SUSPENDED);
  await project.apply(longer);
  expect(await storedToken(project)).toMatchObject({ retention: { for: "8d" }, keepers: { week: "2" } });
  moveClock("2026-12-10T12:00:00Z");
  await project.apply(longer);
  expect((await storedToken(project))?.previous).toEqual([]);
});

test("keepers that only the apply tells rotate no token of a suspended user", async () => {
  const project = await start();
  const build =
    (isSuspended: boolean, week: string): Build =>
    (stack) => {
      const user: UserProps = { permissions: Permissions.none(), suspended: isSuspended };
      const other: TokenProps<"ci"> = { user: "ci", keepers: { week } };
      const tenant = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { csi: user, ci: { permissions: Permissions.none() } },
        tokens: { other },
      });
      tenant.addToken("prod", {
        user: "csi",
        keepers: { serial: tenant.token("other").authorization.serial },
      });
    };
  await project.apply(build(false, "1"));
  const serialOf = async () =>
    (await kept(project)).tokens.find(({ name }) => name === "prod")?.record.serial;
  const before = await serialOf();
  await project.apply(build(true, "2"));
  expect(await serialOf()).toBe(before);
  await project.apply(build(false, "2"));
  expect(await serialOf()).not.toBe(before);
});

test("a rotation that somebody asks for is refused, and so is a token of a user who has web access alone", async () => {
  const project = await start();
  await project.apply(csi());
  await project.apply(csi({}, SUSPENDED));
  const asked = planRotation(project.synthesize(csi({}, SUSPENDED)), "prod", project.options());
  expect(codes(await findings(asked))).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
  const other = await start();
  expect(codes(await findings(other.plan(csi({}, { access: { api: false } }))))).toEqual([
    "TENANCY_TOKEN_CREATION_IMPOSSIBLE",
  ]);
});

test("suspending a tenant keeps its tokens from being created, that of its primary user too", async () => {
  const project = await start();
  await project.apply(csi(null));
  const build: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      suspended: true,
      users: { csi: { permissions: Permissions.none() } },
      tokens: { prod: { user: "csi" }, own: { loginWith: "temporary_password" } },
    });
  const applied = await project.apply(build);
  expect(creations(applied)).toBe(0);
  expect(warned(applied.plan)).toEqual(["tenancy_authorization.acme_own", TOKEN]);
});
