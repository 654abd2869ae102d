/** A credential that only reads is enough to plan and to take snapshots: covers what plans leave to the apply. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Authorization, Permissions, Tenant } from "tenancy";
import { apply, takeSnapshot } from "../../../src/engine";
import {
  actions,
  type Build,
  changeAt,
  codes,
  findings,
  type Project,
  projects,
  writes,
} from "../../support/projects";

const start = projects();

const tenants =
  (...names: readonly string[]): Build =>
  (stack) => {
    for (const name of names) new Tenant(stack, name, { name, permissions: Permissions.none() });
  };

/** From now on the service says that the caller may change nothing, and still shows everything. */
function readOnly(project: Project): { over(): void } {
  const pending = project.service.fail({
    method: "GET",
    path: "/api/status/authorization",
    times: 100,
    alter: (body) => ({
      ...(body as object),
      permissions: {
        realm: { rights: { manage_accounts: false } },
        user: { rights: { manage_users: false } },
      },
    }),
  });
  return { over: () => pending.remove() };
}

test("a create that such a caller cannot prove is shown as unproven, and the apply of that plan is refused", async () => {
  const project = await start();
  await project.apply(tenants("acme"));
  const reading = readOnly(project);
  const made = await project.plan(tenants("acme", "globex"));
  expect(actions(made)).toEqual(["create tenancy_account.globex"]);
  expect(changeAt(made, "tenancy_account.globex").notes).toEqual([
    "not verified: may exist: the caller lacks the right realm.manage_accounts, so it may exist unseen",
  ]);
  expect(made.warnings).toMatchObject([
    { code: "TENANCY_NOT_VERIFIED", severity: "warning", address: "tenancy_account.globex" },
  ]);
  const sent = project.service.requests.length;
  expect(codes(await findings(apply(made)))).toEqual(["TENANCY_NOT_VERIFIED"]);
  expect(writes(project.service.requests.slice(sent))).toEqual([]);
  reading.over();
  await project.apply(tenants("acme", "globex"));
});

test("changes of what is live are planned as for any other caller", async () => {
  const project = await start();
  await project.apply(tenants("acme"));
  readOnly(project);
  const made = await project.plan((stack) => {
    new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), limits: { vssNum: 3 } });
  });
  expect(actions(made)).toEqual(["update tenancy_account.acme"]);
  expect(made.warnings).toEqual([]);
});

test("a token that only the apply's own caller can create is planned, with a warning", async () => {
  const project = await start();
  const own: Build = (stack) => void new Authorization(stack, "own", { login: "deployer", name: "ci" });
  expect(codes(await findings(project.plan(own)))).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
  readOnly(project);
  const made = await project.plan(own);
  expect(actions(made)).toEqual(["create tenancy_authorization.own"]);
  expect(codes(made.warnings)).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
  expect(codes(await findings(apply(made)))).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
});

test("a snapshot that such a caller takes gives the same plan, as unproven as that of the service", async () => {
  const project = await start();
  await project.apply(tenants("acme"));
  readOnly(project);
  const source = project.synthesize(tenants("acme", "globex"));
  const file = join(project.folder, "live.json");
  await writeFile(file, await takeSnapshot([source], project.options()));
  const ofService = await project.plan(source);
  const made = await project.plan(source, { fromSnapshot: { file } });
  expect(actions(made)).toEqual(actions(ofService));
  expect(made.warnings).toEqual(ofService.warnings);
  expect(made.notVerified).toEqual(ofService.notVerified);
});
