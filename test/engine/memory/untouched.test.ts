/** Objects that an apply leaves without writing them: covers names.ts in src/engine/memory, too. */
import { join } from "node:path";
import { openStore, type CredentialStore, type Ledger } from "../../../src/credentials";
import { isProvenAbsent, rememberedToken } from "../../../src/engine/memory/names";
import { hasSomethingToNote, noteUntouched } from "../../../src/engine/memory/untouched";
import { NOTHING_LEFT } from "../../../src/plan";
import { resource as account } from "../../../src/resources/account";
import { resource as token } from "../../../src/resources/authorization";
import { resource as userProfile } from "../../../src/resources/user-profile";
import type { ObjectValue } from "../../../src/lib/values";
import { csiToken, jane, ORIGIN, OWNER } from "../../credentials/samples";
import { connected } from "../../support/connections";
import { change } from "../../support/plans";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
let store: CredentialStore;
let ledger: Ledger;

beforeEach(async () => {
  store = openStore({ path: join(folder(), "credentials.json") });
  await store.lock();
  ledger = await store.ledger(ORIGIN, OWNER);
});
afterEach(() => store.unlock());

/** As the service shows the user: the number masked, and no `xref`. */
const RECORDS = { self: { id: "user_profile:1:5", uuid: jane.uuid, sms: { number: "*** 67" }, email: "" } };
const CONFIG: ObjectValue = { sms: "+41 79 123 45 67", password_wo: "correct horse", password_wo_version: 3 };

const NAME = jane.key.slice(jane.key.indexOf(":") + 1);

/** A planned update of the user, which sends a number and a password. */
const planned = (facts: object = {}) => {
  const before = { sms: "+41 79 000 00 00", password_wo_version: 2, xref: "a" };
  return {
    resource: userProfile,
    change: change({ kind: "user_profile", name: NAME, before, after: { ...CONFIG, xref: "a" } }),
    config: CONFIG,
    block: { lifecycle: { ignoreChanges: [] } },
    remembered: jane,
    lookup: { kind: "live", records: RECORDS },
    rotation: undefined,
    ...facts,
  };
};

test("only complete lists prove that nothing is live any more, but of tokens the store itself knows", async () => {
  const { connection } = await connected();
  const snapshot = await connection.directory.snapshot();
  const proves = (key: string, incomplete?: string) => isProvenAbsent(key, { snapshot, incomplete } as never);
  expect(proves("account:globex")).toBe(true);
  expect(proves("account:globex", "the list was cut off")).toBe(false);
  expect(proves("authorization:csi@globex/csi-prod", "the list was cut off")).toBe(true);
});

describe("at the end of an apply", () => {
  const target = (more: object = {}) => ({
    provider: "tenancy",
    origin: ORIGIN,
    owners: { current: OWNER, previous: [] },
    ledger,
    incomplete: undefined,
    managed: () => [],
    snapshot,
    ...more,
  });
  let snapshot: object;
  beforeEach(async () => {
    snapshot = await (await connected()).connection.directory.snapshot();
  });

  interface Run {
    readonly object?: object;
    readonly plan?: object;
    readonly unread?: readonly string[];
    readonly here?: object;
  }

  /** A run about one user who stays as she is. */
  function run({ object = {}, plan = {}, unread = [], here = target() }: Run = {}) {
    const kept = planned({ change: { ...planned().change, action: "none" }, target: here, ...object });
    const evaluation = { objects: [kept], unread };
    const opened = new Map([["tenancy", { target: here, ledger }]]);
    return [
      {
        plan: { partial: false, destroy: false, ...plan },
        objects: [kept],
        prunes: [],
        released: [],
        evaluation,
      },
      opened,
    ];
  }
  const note = (given?: Run, changed: readonly ObjectValue[] = []) => {
    const [applied, opened] = run(given);
    noteUntouched(applied as never, opened as never, changed);
  };
  const isToNote = (given?: Run) => {
    const [applied, opened] = run(given);
    return hasSomethingToNote(applied as never, opened as never);
  };

  test("what stays as it is is noted once, and then all is known", () => {
    expect(isToNote()).toBe(true);
    note();
    expect(ledger.memory.leftOf(jane)?.hasLeft("email", "")).toBe(true);
    expect(ledger.memory.isComplete).toBe(true);
    expect(isToNote()).toBe(false);
  });

  test.each<readonly [string, Run]>([
    ["a part of the stack", { plan: { partial: true } }],
    ["the end of all", { plan: { destroy: true } }],
    ["what could not all be read", { unread: ["tenancy_account.acme"] }],
  ])("not all is known where the run was about %s", (_what, given) => {
    note(given);
    expect(ledger.memory.hasLeft(jane.key)).toBe(true);
    expect(ledger.memory.isComplete).toBe(false);
  });

  test("not all is known while it is not known what was left of an object that was to be written", () => {
    const written = { change: planned().change };
    note({ object: written });
    expect(ledger.memory.hasLeft(jane.key)).toBe(false);
    expect(ledger.memory.isComplete).toBe(false);
    ledger.memory.begin(jane.key);
    note({ object: written });
    expect(ledger.memory.isComplete).toBe(true);
  });

  test("a user whose left password was taken away is noted as the user is since", () => {
    const now = { ...RECORDS.self, email: "now" };
    note({ object: { change: planned().change } }, [{ id: "user_profile:1:9" }, now]);
    expect(ledger.memory.leftOf(jane)?.hasLeft("email", "now")).toBe(true);
  });

  test("what is gone is forgotten, if lists that are whole prove it, and the run is about all", () => {
    const gone = { key: "user_profile:joe@acme", uuid: "2d5c0e1e-0000-4000-8000-000000000000" };
    note();
    ledger.memory.note({ object: gone, left: NOTHING_LEFT, declaration: {} });
    const isKept = () => ledger.memory.hasLeft(gone.key);
    expect(isToNote()).toBe(true);
    note({ plan: { partial: true } });
    note({ here: target({ incomplete: "the list was cut off" }) });
    expect(isKept()).toBe(true);
    note();
    expect(isKept()).toBe(false);
    expect(ledger.memory.hasLeft(jane.key)).toBe(true);
    expect(isToNote()).toBe(false);
  });

  test("a run about a part makes no store only to note something, and one about all does", () => {
    expect(ledger.exists).toBe(false);
    expect(isToNote({ plan: { partial: true } })).toBe(false);
    expect(isToNote()).toBe(true);
  });

  test("nothing is noted of an object that is not live, or whose uuid nobody knows", () => {
    note({ object: { lookup: { kind: "absent" } } });
    note({ object: { remembered: undefined } });
    expect(ledger.memory.leftObjects()).toEqual([]);
  });

  test("a token is noted by its declaration, and one that is not declared as left", () => {
    ledger.tokens.put(csiToken);
    const key = "csi@globex/other";
    note({
      object: { resource: token, lookup: undefined, change: { ...planned().change, action: "none", key } },
    });
    expect(ledger.memory.leftOf(rememberedToken(key))).toMatchObject({ wasDeclared: true });
    expect(ledger.memory.leftOf(rememberedToken("csi@globex/csi-prod"))).toMatchObject({
      wasDeclared: false,
    });
  });
});

describe("at the end of an apply of more than one object", () => {
  /** One of the services of the run, with the part of the store that is about it. */
  interface Service {
    readonly ledger: Ledger;
    readonly target: object;
  }

  let snapshot: object;
  beforeEach(async () => {
    snapshot = await (await connected()).connection.directory.snapshot();
  });

  function serviceOf(part: Ledger, facts: object = {}): Service {
    const target = {
      provider: "tenancy",
      origin: ORIGIN,
      owners: { current: OWNER, previous: [] },
      ledger: part,
      incomplete: undefined,
      managed: () => [],
      snapshot,
      ...facts,
    };
    return { ledger: part, target };
  }
  const here = (facts: object = {}) => serviceOf(ledger, facts);
  const there = async (facts: object = {}) => {
    const origin = "https://archive.example";
    return serviceOf(await store.ledger(origin, OWNER), { provider: "tenancy.archive", origin, ...facts });
  };

  const rememberedAs = (username: string) => ({
    key: `user_profile:${username}@globex`,
    uuid: `00000000-0000-5000-8000-${username.padStart(12, "0")}`,
  });
  const recordOf = (username: string, more: object = {}) => {
    const { uuid } = rememberedAs(username);
    return { id: `user_profile:1:${username}`, uuid, email: "", ...more };
  };

  /** A declared user who stays as she is. */
  function user(username: string, { target }: Service, facts: object = {}) {
    const self = recordOf(username);
    const name = `${username}@globex`;
    const after = { email: "" };
    const observedRecord = { id: self.id, uuid: self.uuid };
    return {
      resource: userProfile,
      change: change({
        kind: "user_profile",
        name,
        action: "none",
        before: after,
        after,
        observedRecord,
      } as never),
      config: after,
      block: { lifecycle: { ignoreChanges: [] } },
      remembered: rememberedAs(username),
      lookup: { kind: "live", records: { self } },
      rotation: undefined,
      target,
      ...facts,
    };
  }
  /** The same, with a change that the apply was to make. */
  const changing = (username: string, service: Service, facts: object = {}) =>
    user(username, service, {
      change: change({
        kind: "user_profile",
        name: `${username}@globex`,
        before: { email: "" },
        after: { email: "a" },
      }),
      ...facts,
    });
  /** A token of csi@globex that stays as it is. */
  const tokenOf = (name: string, service: Service) => ({
    ...user("csi", service, { lookup: undefined, remembered: undefined }),
    resource: token,
    change: change({
      kind: "authorization",
      name: `csi@globex/${name}`,
      action: "none",
      before: {},
      after: {},
    }),
  });

  interface Run {
    readonly objects?: readonly object[];
    readonly prunes?: readonly object[];
    readonly partial?: boolean;
  }

  function planOf(services: readonly Service[], { objects = [], prunes = [], partial = false }: Run) {
    const evaluation = { objects, unread: [] };
    const opened = new Map(
      services.map((service) => [(service.target as { readonly provider: string }).provider, service]),
    );
    return [
      { plan: { partial, destroy: false }, objects, prunes, released: [], evaluation } as never,
      opened as never,
    ] as const;
  }
  const note = (services: readonly Service[], run: Run, changed: readonly ObjectValue[] = []) =>
    noteUntouched(...planOf(services, run), changed);
  const isToNote = (services: readonly Service[], run: Run) => hasSomethingToNote(...planOf(services, run));
  const keysIn = (part: Ledger) =>
    part.memory
      .leftObjects()
      .map(({ key }) => key)
      .sort();

  test("there is something to note if one of several users is new to the store, or a user of one of several services", async () => {
    const [one, other] = [here(), await there()];
    const objects = [user("ann", one), user("bob", one)];
    note([one], { objects: objects.slice(0, 1) });
    expect(isToNote([one], { objects })).toBe(true);
    note([one], { objects });
    expect(isToNote([one], { objects })).toBe(false);
    expect(isToNote([one, other], { objects })).toBe(false);
    const all = [...objects, user("ann", other)];
    expect(isToNote([one, other], { objects: all })).toBe(true);
    expect(isToNote([], { objects: all })).toBe(false);
    expect(isToNote([one, other], { objects: all, partial: true })).toBe(false);
    note([one, other], { objects: all });
    await store.save();
    await store.unlock();
    await store.lock();
    const part = serviceOf(await store.ledger(ORIGIN, OWNER));
    expect(isToNote([part], { objects: [user("eve", part)], partial: true })).toBe(true);
  });

  test("each service's part of the store has that service's users alone, and forgets who is another one's now", async () => {
    const [one, other] = [here(), await there()];
    note([one], { objects: [user("ann", one), user("bob", one), user("joe", one)] });
    const objects = [user("ann", one), user("bob", other), changing("eve", other)];
    const prunes = [user("joe", other)];
    note([one, other], { objects, prunes });
    expect(keysIn(one.ledger)).toEqual(["user_profile:ann@globex"]);
    expect(keysIn(other.ledger)).toEqual(["user_profile:bob@globex"]);
    expect(one.ledger.memory.isComplete).toBe(true);
    expect(other.ledger.memory.isComplete).toBe(false);
  });

  test("all is known once every live user is, whoever is not live", () => {
    const one = here();
    const absent = { lookup: { kind: "absent" }, remembered: undefined };
    note([one], { objects: [user("ann", one), changing("bob", one), changing("eve", one, absent)] });
    expect(ledger.memory.isComplete).toBe(false);
    note([one], { objects: [user("ann", one), user("bob", one), changing("eve", one, absent)] });
    expect(keysIn(ledger)).toEqual(["user_profile:ann@globex", "user_profile:bob@globex"]);
    expect(ledger.memory.isComplete).toBe(true);
  });

  test("a user whose left password was taken away is noted anew, and nobody who failed to be made or changed", () => {
    const one = here();
    const absent = { lookup: { kind: "absent" }, remembered: undefined };
    const objects = [changing("ann", one), changing("bob", one), changing("eve", one, absent)];
    const changed = ["joe", "ann"].map((username) => recordOf(username, { email: username }));
    note([one], { objects, prunes: [] }, changed);
    expect(keysIn(ledger)).toEqual(["user_profile:ann@globex"]);
    expect(ledger.memory.leftOf(rememberedAs("ann"))?.hasLeft("email", "ann")).toBe(true);
  });

  test("an account whose primary user's left password was taken away is noted as both are since", () => {
    const one = here();
    const remembered = { ...rememberedAs("globex"), key: "account:globex" };
    const primary = recordOf("globex", { level: 1 });
    const records = { self: { id: "account:1:1", uuid: remembered.uuid, name: "globex" }, primary };
    const globex = user("globex", one, {
      resource: account,
      change: change({ kind: "account", name: "globex", action: "none", before: {}, after: {} }),
      remembered,
      lookup: { kind: "live", records },
    });
    const isLeft = (level: number) => ledger.memory.leftOf(remembered)?.hasLeft("level", level);
    note([one], { objects: [globex] });
    expect(isLeft(1)).toBe(true);
    note([one], { objects: [globex] }, [{ ...primary, level: 2 }]);
    expect(isLeft(2)).toBe(true);
  });

  test("what is still to be deleted is not forgotten, and what was left is noted as not declared", () => {
    const [gone, left] = ["joe", "kim"].map((username) => ({
      records: { self: recordOf(username) },
      key: { kind: "user_profile", names: ["globex", username] },
    })) as [object, { readonly records: object }];
    const managed = (family: unknown, isAsked: (record: object) => boolean) =>
      family === userProfile
        ? [gone, left, { ...left, records: { self: recordOf("ann") } }].filter((one) =>
            isAsked((one as { readonly records: { readonly self: object } }).records.self),
          )
        : [];
    const one = here({ managed });
    const objects = [user("ann", one), user("bob", one, { change: changing("bob", one).change })];
    note([one], { objects: ["ann", "bob", "joe", "leo"].map((username) => user(username, here())) });
    note([one], { objects, prunes: [user("joe", one)] }, [recordOf("kim", { email: "now" })]);
    expect(keysIn(ledger)).toEqual(
      ["ann", "bob", "joe", "kim"].map((username) => `user_profile:${username}@globex`),
    );
    const declared = (username: string) => ledger.memory.leftOf(rememberedAs(username))?.wasDeclared;
    expect(["ann", "bob", "joe", "kim"].map(declared)).toEqual([true, true, true, false]);
    expect(ledger.memory.leftOf(rememberedAs("kim"))?.hasLeft("email", "now")).toBe(true);
  });

  test("a run about a part of the stack notes nothing of what nobody declares", () => {
    const kim = {
      records: { self: recordOf("kim") },
      key: { kind: "user_profile", names: ["globex", "kim"] },
    };
    const one = here({ managed: (family: unknown) => (family === userProfile ? [kim] : []) });
    note([one], { partial: true });
    expect(keysIn(ledger)).toEqual([]);
    note([one], {});
    expect(keysIn(ledger)).toEqual(["user_profile:kim@globex"]);
  });

  test("a token that is declared, or is still to be revoked, is not noted as undeclared, beside one that is", () => {
    const one = here();
    for (const name of ["kept", "left", "going"]) ledger.tokens.put({ ...csiToken, name });
    const wasDeclared = (name: string) =>
      ledger.memory.leftOf(rememberedToken(`csi@globex/${name}`))?.wasDeclared;
    note([one], { objects: [tokenOf("kept", one)], prunes: [tokenOf("going", one)] });
    expect(["kept", "left", "going"].map(wasDeclared)).toEqual([true, false, undefined]);
  });

  test("nobody is forgotten whom the caller might not see", async () => {
    const { simulator, anew } = await connected();
    simulator.records.createAccount({ name: "globex" });
    const rights = { manage_users: false };
    const permissions = { user: { rights }, realm: { rights: { manage_accounts: false } } };
    simulator.records.createProfile("globex", { username: "csi", password: "of csi", permissions });
    const { directory } = anew({ username: "csi@globex", password: "of csi" });
    const one = here();
    note([one], { objects: [user("ann", one), user("bob", one)] });
    const blind = here({ snapshot: await directory.snapshot() });
    note([blind], { objects: [user("ann", blind)] });
    expect(keysIn(ledger)).toEqual(["user_profile:ann@globex", "user_profile:bob@globex"]);
    note([one], { objects: [user("ann", one)] });
    expect(keysIn(ledger)).toEqual(["user_profile:ann@globex"]);
  });
});
