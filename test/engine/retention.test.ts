/** `lifecycle.destroy = false`: an object outlives its declaration, as under OpenTofu. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Deletion, Permissions, Tenant } from "tenancy";
import { apply, takeSnapshot } from "../../src/engine";
import type { Plan } from "../../src/plan";
import { actions, type Build, type Project, projects } from "../support/projects";

const start = projects();
const none = Permissions.none();

interface Declared {
  /** Users who are declared, and whether each is destroyed with its declaration; null says nothing. */
  readonly users?: Readonly<Record<string, boolean | null>>;
  readonly account?: boolean;
  readonly tokens?: Readonly<Record<string, boolean | null>>;
}

/** A tenant with users and tokens of `csi`. */
const acme =
  ({ users = {}, account, tokens = {} }: Declared, more?: Build): Build =>
  (stack) => {
    const tenant = new Tenant(stack, "acme", {
      name: "acme",
      permissions: none,
      deletionProtection: false,
      users: Object.fromEntries(
        Object.keys({ ...users, csi: null }).map((user) => [user, { permissions: none }]),
      ),
    });
    if (account !== undefined) tenant.account.addOverride("lifecycle.destroy", account);
    for (const [user, destroy] of Object.entries(users))
      if (destroy !== null) tenant.user(user).userProfile.addOverride("lifecycle.destroy", destroy);
    for (const [token, destroy] of Object.entries(tokens)) {
      const { authorization } = tenant.addToken(token, { user: "csi" });
      if (destroy !== null) authorization.addOverride("lifecycle.destroy", destroy);
    }
    more?.(stack);
  };

const usersOf = ({ service }: Project) => service.records.profiles.map(({ login }) => login).sort();
const retained = ({ retained: objects }: Plan) => objects.map(({ key, reason }) => `${key}: ${reason}`);
const deletes = (plan: Plan) => actions(plan).filter((one) => one.startsWith("delete "));

describe("a user with destroy = false", () => {
  test("stays after its declaration has gone, and the plan says how it is deleted", async () => {
    const project = await start();
    await project.apply(acme({ users: { jane: false, joe: null } }));
    const { plan } = await project.apply(acme({}));
    expect(deletes(plan)).toEqual([expect.stringContaining("joe@acme")]);
    const [line, ...others] = retained(plan);
    expect(line).toMatch(
      /^jane@acme: no longer declared, not deleted: it was declared with destroy = false; .*new Deletion\(.* deletes it$/,
    );
    expect(others).toEqual([]);
    expect(usersOf(project)).toEqual(expect.arrayContaining(["csi@acme", "jane@acme"]));

    // It is declared so by the last apply, also where nothing else was to be done.
    const later = await project.plan(acme({}));
    expect([deletes(later), retained(later)]).toEqual([[], [line]]);
    const removed = acme({}, (stack) => void new Deletion(stack, "jane", { login: "jane@acme" }));
    await project.apply(removed);
    expect(usersOf(project)).not.toContain("jane@acme");
  });

  test("is deleted with its declaration once an apply has seen it declared otherwise", async () => {
    const project = await start();
    await project.apply(acme({ users: { jane: null } }));
    await project.apply(acme({ users: { jane: false } }));
    expect(deletes(await project.plan(acme({})))).toEqual([]);
    await project.apply(acme({ users: { jane: true } }));
    expect(deletes(await project.plan(acme({})))).toEqual([expect.stringContaining("jane@acme")]);
  });

  test("stays in a plan from a snapshot", async () => {
    const project = await start();
    const both = acme({ users: { jane: false, joe: null } });
    await project.apply(both);
    const file = join(project.folder, "live.json");
    await writeFile(file, await takeSnapshot([project.synthesize(both)], project.options()));
    const options = { fromSnapshot: { file }, environment: project.environment };
    const [fromSnapshot, fromService] = [await project.plan(acme({}), options), await project.plan(acme({}))];
    expect(deletes(fromSnapshot)).toEqual([expect.stringContaining("joe@acme")]);
    expect(retained(fromSnapshot)).toEqual(retained(fromService));
  });
});

describe("a destroy", () => {
  const destroy = { destroy: true } as const;

  test("leaves such a user, and the account around it", async () => {
    const project = await start();
    const build = acme({ users: { jane: false, joe: null } });
    await project.apply(build);
    const { plan } = await project.apply(build, destroy);
    expect(retained(plan)).toEqual([
      "acme: a user in it is retained, so it stays",
      "jane@acme: declared with destroy = false, so it stays",
    ]);
    expect(usersOf(project).filter((login) => login.includes("acme"))).toEqual(["acme", "jane@acme"]);
  });

  test("leaves such an account, and deletes the users in it", async () => {
    const project = await start();
    const build = acme({ users: { jane: null }, account: false });
    await project.apply(build);
    const { plan } = await project.apply(build, destroy);
    expect(retained(plan)).toEqual(["acme: declared with destroy = false, so it stays"]);
    expect(usersOf(project).filter((login) => login.includes("acme"))).toEqual(["acme"]);
  });
});

test("a token with destroy = false is not revoked when its declaration goes, unless its user goes", async () => {
  const project = await start();
  await project.apply(acme({ tokens: { prod: false, test: null } }));
  const { plan } = await project.apply(acme({}));
  expect(deletes(plan)).toEqual([expect.stringContaining("test")]);
  expect(retained(plan)).toEqual([
    expect.stringContaining("no longer declared, not revoked: it was declared with destroy = false"),
  ]);
  expect(project.service.records.authorizations).toHaveLength(1);
  await project.apply(acme({}), { destroy: true });
  expect(project.service.records.authorizations).toHaveLength(0);
});

test("a saved plan keeps what the plan showed", async () => {
  const project = await start();
  await project.apply(acme({ users: { jane: false } }));
  const plan = await project.plan(acme({}));
  const { failed } = await apply(plan);
  expect(failed).toEqual([]);
  expect(usersOf(project)).toContain("jane@acme");
});
