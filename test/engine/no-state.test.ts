/** Runs that keep nothing know their objects by derived uuids: covers src/state/no-backend.ts and src/engine/entries/records.ts. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions, Secret, Tenant } from "tenancy";
import { takeSnapshot } from "../../src/engine";
import { derivedUuid } from "../../src/ownership";
import {
  actions,
  type Build,
  codes,
  findings,
  projects,
  RECKLESS,
  tenant,
  writes,
} from "../support/projects";

const start = projects();
const none = { state: { path: "none" } };

const acme =
  (email: string): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: {
        jane: {
          permissions: Permissions.none(),
          email,
          sms: "+491511234567",
        },
      },
    });

test("what a run has created is managed by the next run, and nothing is kept", async () => {
  const project = await start();
  await project.apply(acme("jane@acme.example"), none);
  expect(existsSync(join(project.folder, ".tenancy"))).toBe(false);
  expect(project.service.records.accounts.find(({ name }) => name === "acme")?.uuid).toBe(
    derivedUuid("acme-platform", { kind: "account", names: ["acme"] }),
  );
  const again = await project.apply(acme("jane@acme.example"), none);
  expect([actions(again.plan), writes(again.requests)]).toEqual([[], []]);
  const changed = await project.apply(acme("jane@globex.example"), none);
  expect(writes(changed.requests)).toEqual([expect.stringMatching(/^PATCH .*user-profile/)]);
  const removed = await project.apply(tenant("acme"), none);
  expect(actions(removed.plan)).toEqual(['delete tenancy_user_profile.undeclared["jane@acme"]']);
});

test("a password is sent at the create alone", async () => {
  const project = await start();
  const declared = tenant("acme", [], {
    users: { jane: { permissions: Permissions.none(), password: Secret.variable("pw", { version: 1 }) } },
  });
  const withPassword = (password: string) => ({ ...none, environment: { TF_VAR_pw: password } });
  await project.apply(declared, withPassword("a-long-Password-1"));
  const again = await project.apply(declared, withPassword("another-Password-2"));
  expect(writes(again.requests)).toEqual([]);
});

test("an object with another uuid is not managed, and an import line holds while it is there", async () => {
  const project = await start();
  const { id } = project.service.records.createAccount({ name: "acme", password: "secret" });
  expect(codes(await findings(project.plan(tenant("acme"), none)))).toEqual(["TENANCY_UNMANAGED"]);
  const imported: Build = (stack) =>
    void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() }).importFrom(id);
  await project.apply(imported, none);
  expect(actions((await project.apply(imported, none)).plan)).toEqual([]);
  const nothing = await project.apply((stack) => void stack.addOverride("locals.nothing", 1), {
    ...none,
    ...RECKLESS,
  });
  expect(actions(nothing.plan)).toEqual([]);
});

test("a plan from a snapshot knows the objects, too", async () => {
  const project = await start();
  await project.apply(acme("jane@acme.example"), none);
  const file = join(project.folder, "snapshot.json");
  const source = project.synthesize(acme("jane@globex.example"));
  await writeFile(file, await takeSnapshot([source], project.options(none)));
  const offline = await project.plan(source, { ...none, fromSnapshot: { file } });
  expect(actions(offline)).toEqual(["update tenancy_user_profile.acme_jane"]);
});

test("a CI job without a key or a state keeps nothing, and creates no token", async () => {
  const project = await start();
  const ci = { environment: { CI: "true" } };
  await project.apply(tenant("acme", ["jane"]), ci);
  expect(actions(await project.plan(tenant("acme", ["jane"]), ci))).toEqual([]);
  expect(existsSync(project.state)).toBe(false);
  const withToken: Build = (stack) => {
    const tokens = { "jane-token": { user: "jane", loginWith: "temporary_password" as const } };
    tenant("acme", ["jane"], { tokens })(stack);
  };
  expect(codes(await findings(project.plan(withToken, ci)))).toEqual(["TENANCY_TOKEN_CREATION_REFUSED"]);
});
