/** What is deleted since it is no longer declared: covers src/engine/diff/declarations.ts and src/engine/stages.ts, besides its own source. */
import { Account, Permissions, Deletion, type DeletionProps, TenancyProvider, Tenant } from "tenancy";
import { actions, changeAt, codes, findings, projects, type Build, together } from "../../support/projects";
import { exactly } from "../../support/rights";

const start = projects();

// Written past the constructs, which refuse this when the stack is synthesized.

test("a tenant that is to be removed is not created, though it is declared and not there", async () => {
  const project = await start();
  const planning = project.plan((stack) => {
    stack.addOverride("resource.tenancy_account.acme", { name: "acme" });
    new Deletion(stack, "no-acme", { account: "acme" });
  });
  expect(codes(await findings(planning))).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
});

test("a user that is to be removed is not created, though it is declared and not there", async () => {
  const project = await start();
  await project.apply((stack) => void new Tenant(stack, "acme", { name: "acme" }));
  const planning = project.plan((stack) => {
    new Tenant(stack, "acme", { name: "acme" });
    stack.addOverride("resource.tenancy_user_profile.jane", {
      username: "jane",
      account_id: "${tenancy_account.acme.id}",
    });
    new Deletion(stack, "no-jane", { login: "jane@acme" });
  });
  expect(codes(await findings(planning))).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
});

const none = Permissions.none();

/** @param tokens names of tokens, by user */
function tenant(
  name: string,
  users: readonly string[] = [],
  { tokens = {}, ...more }: { readonly tokens?: Readonly<Record<string, string>> } & object = {},
): Build {
  return (stack) => {
    new Tenant(stack, name, {
      name,
      permissions: none,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
      tokens: Object.fromEntries(Object.entries(tokens).map(([user, token]) => [token, { user }])),
      ...more,
    });
  };
}

const removing =
  (...removals: readonly DeletionProps[]): Build =>
  (stack) =>
    removals.forEach((removal, index) => new Deletion(stack, `removed${index}`, removal));

const reckless = { allowAccountDeletion: true, maxDeletes: 99 };
const open = { initState: true };

test("a user or token whose declared name is known only after apply keeps every live one that it may turn out to be", async () => {
  const project = await start();
  const acme = tenant("acme", ["jane", "joe"], { tokens: { jane: "laptop", joe: "desk" } });
  await project.apply(together(acme, tenant("globex", ["jim"])), open);
  const plan = await project.plan((stack) => {
    together(tenant("acme"), tenant("globex"), tenant("third"))(stack);
    stack.addOverride("resource.tenancy_user_profile.later", {
      username: "${tenancy_account.third.serial}",
      account_id: "${tenancy_account.acme.id}",
    });
    stack.addOverride("resource.tenancy_authorization.later", {
      login: "jane@acme",
      name: "${tenancy_account.third.serial}",
      login_with: "temporary_password",
    });
  }, reckless);
  expect(actions(plan).filter((action) => action.startsWith("delete"))).toEqual([
    'delete tenancy_authorization.undeclared["joe@acme/desk"]',
    'delete tenancy_user_profile.undeclared["jim@globex"]',
  ]);
  const why = (address: string) => `${address} may be this one: its key is known only after apply`;
  expect(plan.retained.map(({ key, reason }) => [key, reason]).sort()).toEqual([
    ["jane@acme", why("tenancy_user_profile.later")],
    ["jane@acme/laptop", why("tenancy_authorization.later")],
    ["joe@acme", why("tenancy_user_profile.later")],
  ]);
});

test("an account whose declared name is known only after apply keeps the one that it may turn out to be, whatever is allowed", async () => {
  const project = await start();
  await project.apply(together(tenant("acme", ["jane"]), tenant("other", ["jim"])));
  const plan = await project.plan((stack) => {
    together(tenant("globex"), tenant("other"))(stack);
    stack.addOverride("resource.tenancy_account.later", { name: "acme-${tenancy_account.globex.serial}" });
  }, reckless);
  expect(plan.retained.map(({ key, reason }) => [key, reason])).toEqual([
    ["acme", "tenancy_account.later may be this one: its key is known only after apply"],
  ]);
  expect(actions(plan)).toContain('delete tenancy_user_profile.undeclared["jim@other"]');
});

test("an account that goes takes a user along, though one that is declared may turn out to be that user", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane"]));
  const { id } = project.service.records.account("acme");
  const plan = await project.plan((stack) => {
    tenant("globex")(stack);
    stack.addOverride("resource.tenancy_user_profile.later", {
      username: "${tenancy_account.globex.serial}",
      account_id: id,
    });
  }, reckless);
  expect(changeAt(plan, 'tenancy_user_profile.undeclared["jane@acme"]').reason).toBe("cascade");
});

test("a user that is to be removed is deleted for that reason in a partial run, too", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane", "bob", "eve"]));
  const build = together(tenant("acme", ["jane", "eve"]), removing({ login: "bob@acme" }));
  const address = 'tenancy_user_profile.undeclared["bob@acme"]';
  expect(changeAt(await project.plan(build, { only: [address] }), address).reason).toBe("removed");
});

test("the tokens of a retained account's users are neither revoked nor listed by themselves", async () => {
  const project = await start();
  const rest = tenant("globex", ["jim"], { tokens: { jim: "ci" } });
  await project.apply(together(tenant("acme", ["csi"], { tokens: { csi: "prod" } }), rest), open);
  const plan = await project.plan(rest);
  expect(actions(plan)).toEqual([]);
  const { id } = project.service.records.account("acme");
  expect(plan.retained.map(({ key, reason }) => [key, reason])).toEqual([
    ["acme", `no longer declared; new Deletion(…, { account: "acme", id: "${id}" }) deletes it`],
  ]);
});

test("with --no-prune a token stays whose user stays, and goes with a user or an account that is removed", async () => {
  const project = await start();
  const all = together(
    tenant("acme", ["jane", "bob"], { tokens: { jane: "laptop", bob: "desk" } }),
    tenant("globex", ["jim"], { tokens: { jim: "ci" } }),
  );
  await project.apply(all, open);
  const build = together(tenant("acme", ["jane"]), removing({ login: "bob@acme" }, { account: "globex" }));
  const plan = await project.plan(build, { ...reckless, noPrune: true });
  expect(plan.changes.filter(({ action }) => action === "delete").map(({ key }) => key)).toEqual([
    "bob@acme/desk",
    "jim@globex/ci",
    "bob@acme",
    "jim@globex",
    "globex",
  ]);
  expect(changeAt(plan, 'tenancy_user_profile.undeclared["bob@acme"]').reason).toBe("removed");
  expect(changeAt(plan, 'tenancy_authorization.undeclared["jim@globex/ci"]').reason).toBe("cascade");
  expect(plan.retained.map(({ key }) => key)).toEqual(["jane@acme/laptop"]);
});

describe("a tenant or user that is to be removed", () => {
  test("is looked for at its own provider's service", async () => {
    const [project, second] = [await start(), await start()];
    const build =
      (names: readonly string[], removed: readonly string[] = []): Build =>
      (stack) => {
        for (const name of names) tenant(name)(stack);
        const alias = { alias: "second", owner: "acme-platform", baseUrl: second.service.baseUrl };
        const provider = new TenancyProvider(stack, "second", alias);
        for (const name of names) new Account(stack, `${name}2`, { name, permissions: {}, provider });
        for (const account of removed) new Deletion(stack, `${account}-left`, { account, provider });
      };
    await project.apply(build(["acme", "globex"]));
    await project.apply(build(["globex"], ["acme"]));
    expect(second.service.records.accounts.map(({ name }) => name)).toEqual(["system", "globex"]);
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system", "acme", "globex"]);
  });

  test("is not another object that has the given id, and a stranger of that name is told with the stranger's own id", async () => {
    const project = await start();
    const { records } = project.service;
    await project.apply(tenant("acme", ["jane"]));
    const eve = records.createProfile("acme", { username: "eve" });
    const bob = records.createProfile("acme", { username: "bob" });
    const refused = async (removal: DeletionProps) =>
      findings(project.plan(together(tenant("acme", ["jane"]), removing(removal))));
    const found = [
      ...(await refused({ login: "eve@acme", id: bob.id })),
      ...(await refused({ login: "eve@acme", id: "user_profile:1:999" })),
      ...(await refused({ login: "eve@acme" })),
    ];
    expect(codes(found)).toEqual(Array.from({ length: 3 }, () => "TENANCY_DELETION_UNMANAGED"));
    const [other, gone, nameless] = found;
    expect(other?.summary).toContain("belongs to another object");
    for (const one of [gone, nameless]) expect(JSON.stringify(one)).toContain(eve.id);
    expect(gone?.constructPath).toBe("prod/removed0");
  });

  test("may be named by its serial number in place of its id, and is shown as somebody else's", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "joe", "jack"]));
    const eve = project.service.records.createProfile("acme", { username: "eve" });
    const build = together(
      tenant("acme", ["jane", "joe"]),
      removing({ login: "eve@acme", serial: eve.serial }),
    );
    const plan = await project.plan(build);
    const claims = plan.changes
      .filter(({ action }) => action === "delete")
      .map(({ key, claim }) => [key, claim]);
    expect(claims).toEqual([
      ["eve@acme", "unmanaged"],
      ["jack@acme", "managed"],
    ]);
  });

  test("is told as gone where nobody has its id, though its name is ours again, and only where the lists are whole", async () => {
    const project = await start();
    const { records } = project.service;
    await project.apply(tenant("acme", ["jane"]));
    const build = together(tenant("acme"), removing({ login: "jane@acme", id: "user_profile:1:999" }));
    expect(codes((await project.plan(build)).warnings)).toEqual(["TENANCY_REMOVAL_DONE"]);

    const nobody = together(tenant("acme", ["jane"]), removing({ login: "nobody@acme" }));
    expect(codes((await project.plan(nobody)).warnings)).toEqual(["TENANCY_REMOVAL_DONE"]);
    records.createAccount({ name: "initech" });
    const initech = records.account("initech").id;
    const short = (body: unknown) =>
      Array.isArray(body) ? body.filter((one: { readonly id: string }) => one.id !== initech) : body;
    const fault = project.service.fail({ path: "/api/account", times: 9, alter: short });
    expect(codes((await project.plan(nobody)).warnings)).not.toContain("TENANCY_REMOVAL_DONE");
    fault.remove();

    const reader = { username: "reader", password: "secret" };
    records.createProfile("initech", { ...reader, ...exactly(none) });
    const environment = { TENANCY_USERNAME: "reader@initech", TENANCY_PASSWORD: "secret" };
    const seen = await project.plan(removing({ login: "nobody@acme" }), { environment });
    expect(codes(seen.warnings)).not.toContain("TENANCY_REMOVAL_DONE");
  });

  test("is not the primary user profile of an account", async () => {
    const project = await start();
    await project.apply(tenant("acme"));
    const refused = (removal: DeletionProps) =>
      findings(project.plan(together(tenant("acme"), removing(removal))));
    for (const id of [undefined, "user_profile:1:999"])
      expect(codes(await refused({ login: "acme", ...(id !== undefined && { id }) }))).toEqual([
        "TENANCY_PRIMARY_PROFILE",
      ]);
  });
});

describe("destroy", () => {
  const free = { deletionProtection: false };
  const importing: Build = (stack) => {
    const acme = new Tenant(stack, "acme", {
      name: "acme",
      permissions: none,
      users: { jane: { permissions: none }, eve: { permissions: none } },
      tokens: { prod: { user: "jane" } },
      ...free,
    });
    acme.user("eve").importFrom();
  };

  test("deletes an imported user whom the state has recorded", async () => {
    const project = await start();
    await project.apply(tenant("acme", [], free));
    project.service.records.createProfile("acme", { username: "eve" });
    await project.apply(importing, open);
    const all = await project.plan(importing, { destroy: true, maxDeletes: 9 });
    expect(all.retained).toEqual([]);
    expect(actions(all)).toEqual([
      "delete tenancy_authorization.acme_prod",
      "delete tenancy_user_profile.acme_eve",
      "delete tenancy_user_profile.acme_jane",
      "delete tenancy_account.acme",
    ]);
  });

  test("leaves a user alone whom no apply has imported yet, lists it, and so keeps the account around it", async () => {
    const project = await start();
    const { records } = project.service;
    await project.apply(tenant("acme", ["jane"], free));
    const { id } = records.createProfile("acme", { username: "eve" });
    expect(codes(await findings(project.plan(importing, { destroy: true })))).toEqual([
      "TENANCY_ACCOUNT_NOT_EMPTY",
    ]);
    const only = ["tenancy_user_profile.acme_jane", "tenancy_user_profile.acme_eve"];
    const some = await project.plan(importing, { destroy: true, only });
    expect(actions(some)).toEqual(["delete tenancy_user_profile.acme_jane"]);
    const all = await project.plan(importing, { destroy: true, allowNonempty: true });
    expect(all.retained).toMatchObject([
      { key: "eve@acme", id, reason: "to be imported, and the state has not recorded it, so it stays" },
    ]);
    expect(all.deletedWithAccount).toMatchObject([{ key: "eve@acme" }]);
  });

  test("deletes an imported user with the declared token, though another token may turn out to have its name", async () => {
    const project = await start();
    const { records } = project.service;
    records.createAccount({ name: "acme" });
    records.createProfile("acme", { username: "eve" });
    const build =
      (more: Build): Build =>
      (stack) => {
        const acme = new Tenant(stack, "acme", {
          name: "acme",
          users: { eve: {} },
          tokens: { prod: { user: "eve", loginWith: "temporary_password" } },
          ...free,
        }).importFrom();
        acme.user("eve").importFrom();
        more(stack);
      };
    await project.apply(
      build(() => undefined),
      open,
    );
    const later: Build = (stack) => {
      tenant("globex")(stack);
      stack.addOverride("resource.tenancy_authorization.later", {
        login: "eve@acme",
        name: "${tenancy_account.globex.serial}",
        login_with: "temporary_password",
      });
    };
    for (const noPrune of [false, true]) {
      const plan = await project.plan(build(later), { destroy: true, noPrune, maxDeletes: 9 });
      expect(actions(plan)).toEqual([
        "delete tenancy_authorization.acme_prod",
        "delete tenancy_user_profile.acme_eve",
        "delete tenancy_account.acme",
      ]);
    }
  });

  test("takes what is to be removed, too, though it is declared besides", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane"], free));
    const build: Build = (stack) => {
      for (const [type, members] of Object.entries({
        tenancy_account: { name: "acme", deletion_protection: false },
      }))
        stack.addOverride(`resource.${type}.acme`, members);
      removing({ account: "acme" })(stack);
    };
    const plan = await project.plan(build, { destroy: true });
    expect(plan.changes.map(({ key }) => key)).toEqual(["jane@acme", "acme"]);
  });

  test("of some objects says for each whether it goes with its account", async () => {
    const project = await start();
    const build = together(
      tenant("acme", ["jane"], { tokens: { jane: "prod" }, ...free }),
      tenant("globex", ["jim"], free),
    );
    await project.apply(build, open);
    const reasons = async (...only: readonly string[]) => {
      const { changes } = await project.plan(build, { destroy: true, only });
      return Object.fromEntries(changes.map(({ key, reason }) => [key, reason]));
    };
    const [jane, token] = ["tenancy_user_profile.acme_jane", "tenancy_authorization.acme_prod"];
    expect(await reasons(jane, token)).toEqual({ "jane@acme": "destroy", "jane@acme/prod": "destroy" });
    expect(await reasons(jane, "tenancy_account.globex")).toMatchObject({
      "jane@acme": "destroy",
      "jim@globex": "cascade",
    });
    // The account that goes is not the one that the token's user is in.
    expect(await reasons(jane, token, "tenancy_account.globex")).toEqual({
      "jane@acme/prod": "destroy",
      "jane@acme": "destroy",
      "jim@globex": "cascade",
      globex: "destroy",
    });
    expect(await reasons("tenancy_account.acme")).toEqual({
      "jane@acme/prod": "cascade",
      "jane@acme": "cascade",
      acme: "destroy",
    });
  });
});
