/**
 * What is deleted, retained, imported or left alone: covers src/engine/diff/prune.ts and src/resources/record/inventory.ts in whole runs. Also
 * covers src/engine/diff/record.ts and src/resources/index.ts.
 */
import { rm } from "node:fs/promises";
import { Account, Authorization, Permissions, Deletion, Tenant, UserProfile } from "tenancy";
import { close, planSaved, savePlan } from "../../src/engine";
import {
  actions,
  changeAt,
  codes,
  findings,
  projects,
  writes,
  type Build,
  tenant,
  together,
} from "../support/projects";

const start = projects();

const empty: Build = () => undefined;

describe("what is no longer declared", () => {
  test("a user is deleted", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "bob", "eve"]));
    const { plan, requests } = await project.apply(tenant("acme", ["jane", "eve"]));
    expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["bob@acme"]']);
    expect(writes(requests)).toHaveLength(1);
    expect(project.service.records.profiles.map(({ login }) => login).sort()).toEqual([
      "acme",
      "eve@acme",
      "jane@acme",
      "system",
    ]);
  });

  test("an account stays with all that is in it, and is listed", async () => {
    const project = await start();
    await project.apply(together(tenant("acme", ["jane"]), tenant("globex", ["jim"])));
    const { plan } = await project.apply(tenant("globex", ["jim"]));
    expect(actions(plan)).toEqual([]);
    expect(plan.retained).toMatchObject([{ type: "tenancy_account", key: "acme" }]);
    expect(project.service.records.profile("jane@acme")).toBeDefined();
  });

  test("an account goes when its deletion is allowed by name, its users before it", async () => {
    const project = await start();
    await project.apply(together(tenant("acme", ["jane"]), tenant("globex", ["jim", "joe", "jack"])));
    const { plan, requests } = await project.apply(tenant("globex", ["jim", "joe", "jack"]), {
      allowAccountDeletion: ["acme"],
    });
    expect(actions(plan)).toEqual([
      'delete tenancy_user_profile.undeclared["jane@acme"]',
      'delete tenancy_account.undeclared["acme"]',
    ]);
    expect(changeAt(plan, 'tenancy_user_profile.undeclared["jane@acme"]').reason).toBe("cascade");
    expect(writes(requests).map((line) => line.replace(/:.*/, ""))).toEqual([
      "DELETE /api/user-profile/user_profile",
      "DELETE /api/account/account",
    ]);
  });

  test("an account goes when it is removed by name, and the line may go then", async () => {
    const project = await start();
    const removed: Build = (stack) => new Deletion(stack, "left", { account: "acme" });
    const rest = tenant("globex", ["jim", "joe", "jack"]);
    await project.apply(together(tenant("acme", ["jane"]), rest));
    await project.apply(together(rest, removed));
    expect(project.service.records.accounts.map(({ name }) => name).sort()).toEqual(["globex", "system"]);
    const after = await project.plan(together(rest, removed));
    expect(actions(after)).toEqual([]);
    expect(codes(after.warnings)).toEqual(["TENANCY_REMOVAL_DONE"]);
  });

  test("a user goes when removed by login, although the uuid is not ours, with the id besides", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "joe", "jack"]));
    const eve = project.service.records.createProfile("acme", { username: "eve" });
    const withId = (id?: string): Build =>
      together(tenant("acme", ["jane", "joe", "jack"]), (stack) => {
        new Deletion(stack, "eve-left", { login: "eve@acme", ...(id !== undefined && { id }) });
      });
    expect(codes(await findings(project.plan(withId())))).toEqual(["TENANCY_DELETION_UNMANAGED"]);
    expect(codes(await findings(project.plan(withId("user_profile:1:999"))))).toEqual([
      "TENANCY_DELETION_UNMANAGED",
    ]);
    await project.apply(withId(eve.id));
    expect(project.service.records.profiles.map(({ login }) => login)).not.toContain("eve@acme");
  });

  test("an account goes with a user in it who is not managed by this owner, where both are removed", async () => {
    const project = await start();
    const rest = tenant("globex", ["jim", "joe", "jack"]);
    await project.apply(together(tenant("acme", ["jane"]), rest));
    const { id } = project.service.records.createProfile("acme", { username: "eve" });
    const removed: Build = (stack) => {
      new Deletion(stack, "left", { account: "acme" });
    };
    expect(codes(await findings(project.plan(together(rest, removed))))).toEqual([
      "TENANCY_ACCOUNT_NOT_EMPTY",
    ]);
    const eve: Build = (stack) => {
      new Deletion(stack, "eve-left", { login: "eve@acme", id });
    };
    await project.apply(together(rest, together(removed, eve)));
    expect(project.service.records.accounts.map(({ name }) => name).sort()).toEqual(["globex", "system"]);
  });

  test("a renamed user stays known when a stranger goes who has got the name", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "joe"]));
    const { records } = project.service;
    records.patchProfile("jane@acme", { login: "janet@acme" } as never);
    const { id } = records.createProfile("acme", { username: "jane" });
    const stranger: Build = (stack) => void new Deletion(stack, "left", { login: "jane@acme", id });
    await project.apply(together(tenant("acme", ["joe"]), stranger));
    const { retained } = await project.plan(tenant("acme", ["joe"]));
    expect(retained.map(({ key }) => key)).toEqual(["janet@acme"]);
  });

  test("what is declared cannot be removed", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane"]));
    const removed: Build = (stack) => {
      // Written past the constructs, which refuse this when the stack is synthesized.
      stack.addOverride("resource.tenancy_account.acme", { name: "acme" });
      new Deletion(stack, "left", { account: "acme" });
    };
    const refused = await findings(project.plan(removed));
    expect(codes(refused)).toContain("TENANCY_REMOVED_AND_DECLARED");
  });

  test("an account is not deleted around a user who is declared in it", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane"]));
    const { id } = project.service.records.account("acme");
    const jane: Build = (stack) => {
      new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {} });
    };
    const refused = await findings(project.plan(jane, { allowAccountDeletion: true, maxDeletes: 9 }));
    expect(codes(refused)).toContain("TENANCY_REMOVED_AND_DECLARED");
  });
});

describe("with noPrune", () => {
  const withTokens =
    (users: readonly string[], tokens: readonly string[]): Build =>
    (stack) => {
      new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: Object.fromEntries(users.map((user) => [user, { permissions: Permissions.none() }])),
        tokens: Object.fromEntries(tokens.map((user) => [`${user}-prod`, { user }])),
      });
    };
  const keeping = { noPrune: true, allowAccountDeletion: true, maxDeletes: 99 };

  test("nothing that is undeclared is deleted or revoked: it is listed", async () => {
    const project = await start();
    const all = together(withTokens(["jane", "bob"], ["jane", "bob"]), tenant("globex", ["jim"]));
    await project.apply(all, { initState: true });
    const { plan, requests } = await project.apply(withTokens(["jane"], []), keeping);
    expect(actions(plan)).toEqual([]);
    expect(writes(requests)).toEqual([]);
    expect(plan.retained.map(({ key }) => key).sort()).toEqual([
      "bob@acme",
      "bob@acme/bob-prod",
      "globex",
      "jane@acme/jane-prod",
    ]);
    expect(new Set(plan.retained.map(({ reason }) => reason))).toEqual(
      new Set(["not declared; it stays because of --no-prune"]),
    );
    const told = await project.plan(withTokens(["jane"], []), { ...keeping, reader: "library" });
    expect(new Set(told.retained.map(({ reason }) => reason))).toEqual(
      new Set(["not declared; it stays because of `noPrune`"]),
    );
    expect(plan.summary).toMatchObject({ delete: 0, retained: 4 });
    expect(project.service.records.profile("jim@globex")).toBeDefined();
    // The next run without it deletes them.
    expect(actions(await project.plan(withTokens(["jane"], []), { maxDeletes: 99 }))).toHaveLength(3);
  });

  test("what is declared to be removed goes, with its tokens and all that is in it", async () => {
    const project = await start();
    const all = together(withTokens(["jane", "bob"], ["jane", "bob"]), tenant("globex", ["jim"]));
    await project.apply(all, { initState: true });
    const { plan } = await project.apply(
      together(withTokens(["jane"], ["jane"]), (stack) => {
        new Deletion(stack, "bob-left", { login: "bob@acme" });
        new Deletion(stack, "globex-left", { account: "globex" });
      }),
      keeping,
    );
    expect([...actions(plan)].sort()).toEqual([
      'delete tenancy_account.undeclared["globex"]',
      'delete tenancy_authorization.undeclared["bob@acme/bob-prod"]',
      'delete tenancy_user_profile.undeclared["bob@acme"]',
      'delete tenancy_user_profile.undeclared["jim@globex"]',
    ]);
    expect(plan.retained).toEqual([]);
  });

  test("destroy deletes what is declared alone, and no account around what stays", async () => {
    const project = await start();
    await project.apply(together(tenant("acme", ["jane"]), tenant("globex", ["jim"])));
    const plan = await project.plan(tenant("acme", ["jane"]), { ...keeping, destroy: true });
    expect([...actions(plan)].sort()).toEqual([
      "delete tenancy_account.acme",
      "delete tenancy_user_profile.acme_jane",
    ]);
    expect(plan.retained.map(({ key }) => key)).toEqual(["globex"]);
    const refused = await findings(project.plan(tenant("acme"), { ...keeping, destroy: true }));
    expect(codes(refused)).toEqual(["TENANCY_ACCOUNT_NOT_EMPTY"]);
  });

  test("a saved plan keeps it", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "bob", "eve"]));
    const source = project.synthesize(tenant("acme", ["jane", "eve"]));
    const text = savePlan(await project.plan(source, { noPrune: true }));
    const made = await planSaved(text, source, project.options());
    expect(actions(made)).toEqual([]);
    expect(made.retained.map(({ key }) => key)).toEqual(["bob@acme"]);
    await close(made);
  });
});

test("what others made is neither touched nor shown", async () => {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "initech" });
  records.createProfile("initech", { username: "bill" });
  await project.apply(tenant("acme", ["jane"]));
  records.createProfile("acme", { username: "byhand" });
  const { plan, requests } = await project.apply(tenant("acme", ["jane"]), { allowAccountDeletion: true });
  expect(plan.changes.map(({ key }) => key).sort()).toEqual(["acme", "jane@acme"]);
  expect(plan.retained).toEqual([]);
  expect(writes(requests)).toEqual([]);
});

describe("what is declared, and was made by others", () => {
  test("is an error that names both ways out", async () => {
    const project = await start();
    const { id } = project.service.records.createAccount({ name: "acme" });
    const [finding, ...others] = await findings(project.plan(tenant("acme")));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: "TENANCY_UNMANAGED",
      address: "tenancy_account.acme",
      constructPath: "prod/acme/Resource",
    });
    expect(finding?.detail).toContain(id);
    expect(finding?.advice).toBe(
      'Either import it with `importFrom("acme")`, or choose another name. If the state was lost, record what is declared with `tenancy recover`.',
    );
  });

  const imported: Build = (stack) => {
    const acme = new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      limits: { vssNum: 3 },
      users: { jane: { email: "jane@acme.example", permissions: Permissions.none() } },
    }).importFrom();
    acme.user("jane").importFrom();
  };

  test("is taken in by import blocks, and deleted when it is no longer declared", async () => {
    const project = await start();
    const { records } = project.service;
    records.createAccount({ name: "acme", password: "its own" });
    records.createProfile("acme", { username: "jane", password: "her own" });
    const before = records.profile("jane@acme").password;
    const first = await project.apply(imported);
    expect([...actions(first.plan)].sort()).toEqual([
      "update tenancy_account.acme",
      "update tenancy_user_profile.acme_jane",
    ]);
    expect(changeAt(first.plan, "tenancy_account.acme")).toMatchObject({
      claim: "imported",
      importId: "acme",
    });
    expect(first.plan.summary.imported).toBe(2);
    expect(records.profile("jane@acme").password).toEqual(before);
    expect(actions(await project.plan(imported))).toEqual([]);
    expect(records.profile("jane@acme").email).toBe("jane@acme.example");
    const { plan } = await project.apply(empty, { allowAccountDeletion: true, maxDeletes: 3 });
    expect(plan.changes.map(({ key, action, claim }) => `${action} ${claim} ${key}`)).toEqual([
      "delete managed jane@acme",
      "delete managed acme",
    ]);
  });

  test("is taken in by id and by serial as well", async () => {
    const project = await start();
    const { id, serial } = project.service.records.createAccount({ name: "acme" });
    for (const name of [id, serial]) {
      const build: Build = (stack) => void new Tenant(stack, "acme", { name: "acme" }).importFrom(name);
      expect(actions(await project.plan(build))).toEqual([]);
    }
  });
});

describe("an import block", () => {
  test("that names nothing live is an error, until the object is ours", async () => {
    const project = await start();
    const build: Build = (stack) =>
      void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() }).importFrom(
        "account:1:99",
      );
    expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_NO_SUCH_OBJECT"]);
    await project.apply(tenant("acme"));
    expect(actions(await project.plan(build))).toEqual([]);
  });

  test("that names another object than is declared is an error", async () => {
    const project = await start();
    const { records } = project.service;
    records.createAccount({ name: "acme" });
    const other = records.createAccount({ name: "globex" });
    const build: Build = (stack) =>
      void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() }).importFrom(other.id);
    expect(await findings(project.plan(build))).toMatchObject([
      { code: "TENANCY_IMPORT_MISMATCH", detail: 'The declared object, "acme", exists, too.' },
    ]);
  });

  test("cannot take in a token", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { csi: { permissions: Permissions.none() } },
        tokens: { prod: { user: "csi" } },
      });
      stack.addOverride("import", [
        { to: `tenancy_authorization.${acme.token("prod").authorization.friendlyUniqueId}`, id: "ATH1" },
      ]);
    };
    expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_NOT_IMPORTABLE"]);
  });

  test("for an instance that is not declared is an error", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme" });
    const build: Build = (stack) => {
      const account = new Account(stack, "acme", { name: "acme" });
      account.addOverride("count", 1);
      stack.addOverride("import", [{ to: "tenancy_account.acme[3]", id: "acme" }]);
    };
    expect(codes(await findings(project.plan(build)))).toContain("TENANCY_UNKNOWN_NAME");
  });
});

describe("a uuid that is declared for a live user (V2)", () => {
  const uuid = "6ba7b812-9dad-11d1-80b4-00c04fd430c8";
  const withJane =
    (options: { readonly uuid?: string; readonly isImported?: boolean } = {}): Build =>
    (stack) => {
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { jane: { uuid: options.uuid ?? uuid, permissions: Permissions.operator() } },
      });
      if (options.isImported) acme.user("jane").importFrom();
    };

  /** Somebody else has made jane under the uuid that is about to be declared. */
  async function withRival() {
    const project = await start();
    await project.apply(tenant("acme"));
    const { records } = project.service;
    const rival = () => records.createProfile("acme", { username: "jane", uuid });
    return { project, records, rival, live: rival() };
  }

  test("takes nobody over without an import block", async () => {
    const { project } = await withRival();
    const before = project.service.requests.length;
    expect(await findings(project.plan(withJane()))).toMatchObject([
      { code: "TENANCY_UNMANAGED", address: "tenancy_user_profile.acme_jane" },
    ]);
    expect(writes(project.service.requests.slice(before))).toEqual([]);
  });

  test("is imported, recorded by the apply, and managed from then on, by that state alone", async () => {
    const { project } = await withRival();
    const { plan } = await project.apply(withJane({ isImported: true }));
    expect(changeAt(plan, "tenancy_user_profile.acme_jane").claim).toBe("imported");
    const after = await project.plan(withJane());
    expect(actions(after)).toEqual([]);
    expect(changeAt(after, "tenancy_user_profile.acme_jane").claim).toBe("managed");
    await rm(project.state);
    expect(codes(await findings(project.plan(withJane())))).toEqual([
      "TENANCY_UNMANAGED",
      "TENANCY_UNMANAGED",
    ]);
  });

  test("does not count for another user who has got the uuid since", async () => {
    const { project, records, live, rival } = await withRival();
    await project.apply(withJane({ isImported: true }));
    records.deleteProfile("jane@acme");
    expect(rival().serial).not.toBe(live.serial);
    expect(codes(await findings(project.plan(withJane())))).toEqual(["TENANCY_UNMANAGED"]);
  });

  test("is recorded of an account whose primary user alone was written to", async () => {
    const project = await start();
    const { records } = project.service;
    const rival = () => records.createAccount({ name: "acme", uuid });
    const withAcme =
      (isImported: boolean): Build =>
      (stack) => {
        const acme = new Account(stack, "acme", { name: "acme", uuid, level: 3, permissions: {} });
        if (isImported) acme.importFrom("acme");
      };
    rival();
    await project.apply(withAcme(true));
    expect(actions(await project.plan(withAcme(false)))).toEqual([]);
    records.deleteAccount("acme");
    rival();
    expect(codes(await findings(project.plan(withAcme(false))))).toEqual(["TENANCY_UNMANAGED"]);
  });

  test("is recorded where we create the user", async () => {
    const project = await start();
    await project.apply(withJane());
    expect(actions(await project.plan(withJane()))).toEqual([]);
    await rm(project.state);
    expect(codes(await findings(project.plan(withJane())))).toEqual([
      "TENANCY_UNMANAGED",
      "TENANCY_UNMANAGED",
    ]);
  });
});

describe("a uuid of the user's", () => {
  const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  const withUuid =
    (value = uuid): Build =>
    (stack) => {
      new Account(stack, "acme", { name: "acme", uuid: value, permissions: {} });
    };

  test("makes the object ours, and it is retained or deleted like any other when it is no longer declared", async () => {
    const project = await start();
    await project.apply(withUuid());
    expect(project.service.records.account("acme").uuid).toBe(uuid);
    expect(actions(await project.plan(withUuid()))).toEqual([]);
    expect(actions(await project.plan(withUuid(uuid.toUpperCase())))).toEqual([]);
    const { id } = project.service.records.account("acme");
    const reason = `no longer declared; new Deletion(…, { account: "acme", id: "${id}" }) deletes it`;
    expect((await project.plan(empty)).retained).toMatchObject([{ key: "acme", reason }]);
    const { plan } = await project.apply(empty, { allowAccountDeletion: true, maxDeletes: 2 });
    expect(actions(plan)).toEqual(['delete tenancy_account.undeclared["acme"]']);
  });

  test("that is not the live one's is an error", async () => {
    const project = await start();
    await project.apply(withUuid());
    const other = withUuid("6ba7b811-9dad-11d1-80b4-00c04fd430c8");
    expect(codes(await findings(project.plan(other)))).toEqual(["TENANCY_OTHER_UUID"]);
  });

  test("of the primary user profile that is not the live one's is an error too", async () => {
    const project = await start();
    const build =
      (user: string): Build =>
      (stack) => {
        new Account(stack, "acme", { name: "acme", userUuid: user, permissions: {} });
      };
    await project.apply(build(uuid));
    expect(actions(await project.plan(build(uuid)))).toEqual([]);
    const refused = await findings(project.plan(build("6ba7b811-9dad-11d1-80b4-00c04fd430c8")));
    expect(refused).toMatchObject([{ code: "TENANCY_OTHER_UUID", attribute: ["user_uuid"] }]);
  });
});

test("a user who is called like the account is not the primary user profile, and is created", async () => {
  const project = await start();
  await project.apply(tenant("acme"));
  const build: Build = (stack) => {
    const { account } = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() });
    new UserProfile(stack, "primary", { username: "acme", accountId: account.id, permissions: {} });
  };
  const { id } = project.service.records.profile("acme");
  await project.apply(build);
  expect(actions(await project.plan(build))).toEqual([]);
  expect(project.service.records.profile("acme").id).toBe(id);
  expect(project.service.records.profile("acme@acme").id).not.toBe(id);
});

test("all that is foreign is reported at once: the account, and each of its users", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "initech" });
  project.service.records.createProfile("initech", { username: "peter" });
  const found = await findings(
    project.plan((stack) => {
      new Tenant(stack, "initech", {
        name: "initech",
        permissions: Permissions.none(),
        users: { peter: { permissions: Permissions.none() }, samir: { permissions: Permissions.none() } },
      });
    }),
  );
  expect(found.map(({ code, address }) => `${code} ${address}`)).toEqual([
    "TENANCY_UNMANAGED tenancy_account.initech",
    "TENANCY_UNMANAGED tenancy_user_profile.initech_peter",
  ]);
});

describe("two records that cannot be told apart", () => {
  const none = Permissions.none();
  const users = (names: readonly string[], permissions = none): Build => {
    const declared = names.map((name) => [name, { permissions }] as const);
    return (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: none,
        users: Object.fromEntries(declared),
      });
  };

  /** A tenant's user whose name has two Unicode forms. The tenant has made a twin in the other form. */
  async function withTwin() {
    const project = await start();
    const { records } = project.service;
    await project.apply(users(["jos\u00e9", "jane", "joe", "jack"]));
    const jose = records.profile("jos\u00e9@acme");
    const twin = records.createProfile("acme", { username: "jose\u0301" });
    return { project, records, jose, twin };
  }

  test("are refused with both ids, and nothing is granted", async () => {
    const { project, jose, twin } = await withTwin();
    const build = users(["jos\u00e9", "jane", "joe", "jack"], Permissions.operator());
    const [finding, ...others] = await findings(project.plan(build));
    expect(finding).toMatchObject({ code: "TENANCY_TWIN_RECORDS" });
    expect(others).toEqual([]);
    expect(finding?.summary).toContain(jose.id);
    expect(finding?.summary).toContain(twin.id);
    // The others are granted what is declared where the run leaves that one out.
    const rest = { exclude: [finding?.address ?? ""] };
    const { plan } = await project.apply(build, rest);
    expect(actions(plan)).toHaveLength(3);
    expect(project.service.records.profile(twin.id).permissions).toEqual(twin.permissions);
    expect(project.service.records.profile(jose.id).permissions).toEqual(jose.permissions);
  });

  test("are not deleted where neither is declared any more, and no account goes with them", async () => {
    const { project, records, jose, twin } = await withTwin();
    const { plan } = await project.apply(users(["joe", "jack"]));
    expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["jane@acme"]']);
    const ids = records.profiles.map(({ id }) => id);
    expect(ids).toContain(jose.id);
    expect(ids).toContain(twin.id);
    const removed: Build = (stack) => {
      new Deletion(stack, "left", { account: "acme" });
    };
    const gone = project.plan(removed, { maxDeletes: 99 });
    expect(codes(await findings(gone))).toEqual(["TENANCY_ACCOUNT_NOT_EMPTY"]);
    const byId: Build = together(users(["joe", "jack"]), (stack) => {
      new Deletion(stack, "jose", { login: "jos\u00e9@acme", id: jose.id });
    });
    expect(codes(await findings(project.plan(byId)))).toEqual(["TENANCY_TWIN_RECORDS"]);
  });

  test("keep a token that works, and get no new one", async () => {
    const project = await start();
    const { records } = project.service;
    records.createAccount({ name: "acme" });
    records.createProfile("acme", { username: "jos\u00e9", password: "of jose alone" });
    const token = (keepers: Record<string, string>): Build => {
      const config = { login: "jos\u00e9@acme", name: "prod", passwordWo: "of jose alone", keepers };
      return (stack) => void new Authorization(stack, "token", config);
    };
    await project.apply(token({ at: "1" }), { initState: true });
    records.createProfile("acme", { username: "jose\u0301" });
    expect(actions(await project.plan(token({ at: "1" })))).toEqual([]);
    expect(codes(await findings(project.plan(token({ at: "2" }))))).toContain("TENANCY_TWIN_RECORDS");
  });
});
