/** What an apply notes in the store of each object, before and after it is written: covers src/engine/drift/memory.ts, besides the histories. */
import { join } from "node:path";
import { openStore, type CredentialStore, type Ledger } from "../../../src/credentials";
import {
  declarationIn,
  hasSomethingToNote,
  isProvenAbsent,
  noteIntended,
  recordApplied,
  noteRecorded,
  noteUntouched,
  noteUnwritten,
  noteWritten,
  removeToken,
  rememberedToken,
} from "../../../src/engine/drift/memory";
import { resource as account } from "../../../src/resources/account";
import { resource as token } from "../../../src/resources/authorization";
import { resource as userProfile } from "../../../src/resources/user-profile";
import { UNKNOWN, type ObjectValue, type Path } from "../../../src/lib/values";
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

const { attributes } = userProfile.description;
const [SMS, PASSWORD, XREF] = [["sms"], ["password_wo"], ["xref"]];
const NUMBER = "+41 79 123 45 67";

/** As the service shows the user: the number masked, and no `xref`. */
const RECORDS = { self: { id: "user_profile:1:5", uuid: jane.uuid, sms: { number: "*** 67" }, email: "" } };
const CONFIG: ObjectValue = { sms: NUMBER, password_wo: "correct horse", password_wo_version: 3 };

const written = (more: { config?: ObjectValue; state?: ObjectValue; changed?: readonly Path[] } = {}) => {
  const { config = CONFIG, state = config, changed = [] } = more;
  return noteWritten(ledger, jane, { attributes, config, state, records: RECORDS, changed });
};
const remembers = (path: Path, value: string | null) => ledger.objects.isSameValue(jane, path, value);

describe("after a write the store remembers", () => {
  test("the value that an answer masks, and the secret with its version", async () => {
    await written();
    expect(remembers(SMS, NUMBER)).toBe(true);
    expect(remembers(SMS, "+41 79 765 43 21")).toBe(false);
    expect(ledger.objects.sentVersion(jane, PASSWORD)).toMatchObject({ version: 3 });
    expect(await ledger.objects.isSameSecret(jane, PASSWORD, "correct horse")).toBe(true);
  });

  test("a value that it has sent in place of another one, and nothing of one that was never there", async () => {
    ledger.objects.rememberValue(jane, SMS, "+41 79 000 00 00");
    await written({ changed: [SMS] });
    expect(remembers(SMS, NUMBER)).toBe(true);
    ledger.objects.forget(jane.key);
    await written({ config: { sms: null }, changed: [SMS] });
    expect(remembers(SMS, null)).toBeUndefined();
  });

  test("nothing of what was not written", async () => {
    await written({ state: { ...CONFIG, sms: "+41 79 000 00 00", password_wo_version: 2 } });
    expect(remembers(SMS, NUMBER)).toBeUndefined();
    expect(ledger.objects.sentVersion(jane, PASSWORD)).toBeUndefined();
  });

  test("that a user has no password of ours, so that declaring one sends it", async () => {
    await written({ config: { sms: NUMBER } });
    expect(ledger.objects.sentVersion(jane, PASSWORD)).toEqual({ version: null, hash: null });
  });

  test("that a value was taken away, so that the same one is sent when it is declared again", async () => {
    await written();
    await written({ config: { sms: null } });
    expect(remembers(SMS, NUMBER)).toBe(true);
    await written({ config: { sms: null }, changed: [SMS] });
    expect(remembers(SMS, NUMBER)).toBe(false);
    expect(remembers(SMS, null)).toBe(true);
  });

  test("that there was nothing where neither the declaration nor an answer says anything", async () => {
    await written();
    expect(remembers(XREF, null)).toBe(true);
    ledger.objects.rememberValue(jane, XREF, "a");
    await written();
    expect(remembers(XREF, "a")).toBe(true);
    expect(remembers(["email"], null)).toBeUndefined();
  });
});

test("what a plan takes as declared is remembered without a write, as far as it is known", async () => {
  const paths = [SMS, ["password_wo_version"], ["two_factor_security_email"], ["email"]];
  await noteRecorded(ledger, jane, paths, { ...CONFIG, two_factor_security_email: null, email: UNKNOWN });
  expect(remembers(SMS, NUMBER)).toBe(true);
  expect(ledger.objects.sentVersion(jane, PASSWORD)).toMatchObject({ version: 3 });
  for (const path of [["two_factor_security_email"], ["email"]])
    expect(remembers(path, null)).toBeUndefined();
  expect(ledger.objects.sentVersion(jane, SMS)).toBeUndefined();
});

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

function intend(object: object, prunes: readonly object[] = []): void {
  const target = { target: { provider: "tenancy" }, ledger };
  noteIntended({ objects: [object], prunes } as never, new Map([["tenancy", target]]) as never);
}

const pending = () => ledger.lastApply.isPending(jane.key);

describe("a write that is about to begin", () => {
  const remember = async () => {
    ledger.objects.rememberValue(jane, SMS, NUMBER);
    ledger.objects.rememberValue(jane, XREF, "a");
    await ledger.objects.recordVersion(jane, PASSWORD, 3, "correct horse");
  };
  const isForgotten = () => [
    remembers(SMS, NUMBER) === false,
    ledger.objects.sentVersion(jane, PASSWORD)?.version === null,
  ];

  test("leaves no memory of what it sends, in case nobody learns how it ends, and the memory of the rest", async () => {
    await remember();
    intend(planned());
    expect(pending()).toBe(true);
    expect(isForgotten()).toEqual([true, true]);
    expect(remembers(XREF, "a")).toBe(true);
  });

  test("has all memories back where nothing was written after all", async () => {
    await remember();
    intend(planned());
    noteUnwritten(planned(), ledger);
    expect(pending()).toBe(false);
    expect(isForgotten()).toEqual([false, false]);
  });

  test.each<readonly [string, object, boolean]>([
    ["makes an object", { change: { ...planned().change, action: "create" } }, true],
    ["is about an object of which nothing is remembered", { remembered: undefined }, true],
    ["is about an object that is not live", { lookup: { kind: "absent" } }, true],
    ["leaves the object as it is", { change: { ...planned().change, action: "none" } }, false],
    ["goes through another provider", { change: { ...planned().change, provider: "tenancy.b" } }, false],
  ])("forgets nothing where it %s", async (_what, facts, isPending) => {
    await remember();
    intend(planned(facts));
    expect(isForgotten()).toEqual([false, false]);
    expect(pending()).toBe(isPending);
  });

  test("forgets no password that it does not send", async () => {
    await remember();
    const change = planned().change;
    const others = change.attributes.filter(({ path }) => path[0] !== "password_wo_version");
    intend(planned({ change: { ...change, attributes: others } }));
    expect(isForgotten()).toEqual([true, false]);
  });

  test("is noted for what is deleted as well, and not for tokens, which the store keeps by themselves", () => {
    intend(planned({ change: { ...planned().change, action: "none" } }), [planned()]);
    expect(pending()).toBe(true);
    const change = { ...planned().change, key: "csi@globex/csi-prod" };
    intend(planned({ change, resource: token, remembered: undefined }));
    expect(ledger.lastApply.isPending(rememberedToken(change.key).key)).toBe(false);
  });
});

describe("what an apply leaves", () => {
  test("is noted with its values and its declaration", () => {
    recordApplied(ledger, planned() as never, jane, RECORDS);
    const left = ledger.lastApply.of(jane);
    expect(left).toMatchObject({ wasDeclared: true });
    expect(left?.hasLeft("email", "")).toBe(true);
    expect(left?.isDeclaredAlike(declarationIn(planned() as never) ?? null)).toBe(true);
    recordApplied(ledger, planned({ lookup: undefined }) as never, jane, {
      self: { ...RECORDS.self, email: "a" },
    });
    expect(ledger.lastApply.of(jane)?.hasLeft("email", "a")).toBe(true);
  });

  test("is as the plan saw it where the answer to the write does not show it, and unknown of what is new", () => {
    const { email: _notShown, ...self } = RECORDS.self;
    const before = { self: { ...RECORDS.self, email: "a" } };
    const hasLeft = () => ledger.lastApply.of(jane)?.hasLeft("email", "a");
    recordApplied(ledger, planned({ lookup: { kind: "live", records: before } }) as never, jane, { self });
    expect(hasLeft()).toBe(true);
    recordApplied(ledger, planned({ lookup: { kind: "absent" } }) as never, jane, { self });
    expect(hasLeft()).toBeUndefined();
  });

  test("has no values where there is no record, and is not noted where a token is only rotated", () => {
    recordApplied(ledger, planned({ rotation: {} }) as never, jane, RECORDS);
    expect(ledger.lastApply.of(jane)).toBeUndefined();
    recordApplied(ledger, planned() as never, jane);
    expect(ledger.lastApply.of(jane)?.hasLeft("email", "")).toBeUndefined();
    expect(ledger.lastApply.hasLeft(jane.key)).toBe(true);
  });
});

test("a token that is taken out of the store leaves no memory of its declaration", () => {
  ledger.tokens.put(csiToken);
  const remembered = rememberedToken("csi@globex/csi-prod");
  recordApplied(ledger, planned({ resource: token }) as never, remembered);
  removeToken(ledger, csiToken);
  expect(ledger.tokens.list()).toEqual([]);
  expect(ledger.lastApply.hasLeft(remembered.key)).toBe(false);
});

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
    ours: () => [],
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
    const walked = { objects: [kept], unread };
    const opened = new Map([["tenancy", { target: here, ledger }]]);
    return [
      { plan: { partial: false, destroy: false, ...plan }, objects: [kept], prunes: [], walked },
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
    expect(ledger.lastApply.of(jane)?.hasLeft("email", "")).toBe(true);
    expect(ledger.lastApply.isWhole).toBe(true);
    expect(isToNote()).toBe(false);
  });

  test.each<readonly [string, Run]>([
    ["a part of the stack", { plan: { partial: true } }],
    ["the end of all", { plan: { destroy: true } }],
    ["what could not all be read", { unread: ["tenancy_account.acme"] }],
  ])("not all is known where the run was about %s", (_what, given) => {
    note(given);
    expect(ledger.lastApply.hasLeft(jane.key)).toBe(true);
    expect(ledger.lastApply.isWhole).toBe(false);
  });

  test("not all is known while it is not known what was left of an object that was to be written", () => {
    const written = { change: planned().change };
    note({ object: written });
    expect(ledger.lastApply.hasLeft(jane.key)).toBe(false);
    expect(ledger.lastApply.isWhole).toBe(false);
    ledger.lastApply.markPending([jane.key]);
    note({ object: written });
    expect(ledger.lastApply.isWhole).toBe(true);
  });

  test("a user whose left password was taken away is noted as the user is since", () => {
    const now = { ...RECORDS.self, email: "now" };
    note({ object: { change: planned().change } }, [{ id: "user_profile:1:9" }, now]);
    expect(ledger.lastApply.of(jane)?.hasLeft("email", "now")).toBe(true);
  });

  test("what is gone is forgotten, if lists that are whole prove it, and the run is about all", () => {
    const gone = { key: "user_profile:joe@acme", uuid: "2d5c0e1e-0000-4000-8000-000000000000" };
    note();
    recordApplied(ledger, planned() as never, gone, RECORDS);
    const isKept = () => ledger.lastApply.hasLeft(gone.key);
    expect(isToNote()).toBe(true);
    note({ plan: { partial: true } });
    note({ here: target({ incomplete: "the list was cut off" }) });
    expect(isKept()).toBe(true);
    note();
    expect(isKept()).toBe(false);
    expect(ledger.lastApply.hasLeft(jane.key)).toBe(true);
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
    expect(ledger.lastApply.objects()).toEqual([]);
  });

  test("a token is noted by its declaration, and one that is not declared as left", () => {
    ledger.tokens.put(csiToken);
    const key = "csi@globex/other";
    note({
      object: { resource: token, lookup: undefined, change: { ...planned().change, action: "none", key } },
    });
    expect(ledger.lastApply.of(rememberedToken(key))).toMatchObject({ wasDeclared: true });
    expect(ledger.lastApply.of(rememberedToken("csi@globex/csi-prod"))).toMatchObject({ wasDeclared: false });
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
      ours: () => [],
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
    const walked = { objects, unread: [] };
    const opened = new Map(
      services.map((service) => [(service.target as { readonly provider: string }).provider, service]),
    );
    return [
      { plan: { partial, destroy: false }, objects, prunes, walked } as never,
      opened as never,
    ] as const;
  }
  const note = (services: readonly Service[], run: Run, changed: readonly ObjectValue[] = []) =>
    noteUntouched(...planOf(services, run), changed);
  const isToNote = (services: readonly Service[], run: Run) => hasSomethingToNote(...planOf(services, run));
  const keysIn = (part: Ledger) =>
    part.lastApply
      .objects()
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
    expect(one.ledger.lastApply.isWhole).toBe(true);
    expect(other.ledger.lastApply.isWhole).toBe(false);
  });

  test("all is known once every live user is, whoever is not live", () => {
    const one = here();
    const absent = { lookup: { kind: "absent" }, remembered: undefined };
    note([one], { objects: [user("ann", one), changing("bob", one), changing("eve", one, absent)] });
    expect(ledger.lastApply.isWhole).toBe(false);
    note([one], { objects: [user("ann", one), user("bob", one), changing("eve", one, absent)] });
    expect(keysIn(ledger)).toEqual(["user_profile:ann@globex", "user_profile:bob@globex"]);
    expect(ledger.lastApply.isWhole).toBe(true);
  });

  test("a user whose left password was taken away is noted anew, and nobody who failed to be made or changed", () => {
    const one = here();
    const absent = { lookup: { kind: "absent" }, remembered: undefined };
    const objects = [changing("ann", one), changing("bob", one), changing("eve", one, absent)];
    const changed = ["joe", "ann"].map((username) => recordOf(username, { email: username }));
    note([one], { objects, prunes: [] }, changed);
    expect(keysIn(ledger)).toEqual(["user_profile:ann@globex"]);
    expect(ledger.lastApply.of(rememberedAs("ann"))?.hasLeft("email", "ann")).toBe(true);
  });

  test("an account whose primary user's left password was taken away is noted as both are since", () => {
    const one = here();
    const remembered = { ...rememberedAs("globex"), key: "account:globex" };
    const primary = recordOf("globex", { activated: false });
    const records = { self: { id: "account:1:1", uuid: remembered.uuid, name: "globex" }, primary };
    const globex = user("globex", one, {
      resource: account,
      change: change({ kind: "account", name: "globex", action: "none", before: {}, after: {} }),
      remembered,
      lookup: { kind: "live", records },
    });
    const isLeft = (activated: boolean) => ledger.lastApply.of(remembered)?.hasLeft("activated", activated);
    note([one], { objects: [globex] });
    expect(isLeft(false)).toBe(true);
    note([one], { objects: [globex] }, [{ ...primary, activated: true }]);
    expect(isLeft(true)).toBe(true);
  });

  test("what is still to be deleted is not forgotten, and what was left is noted as not declared", () => {
    const [gone, left] = ["joe", "kim"].map((username) => ({
      records: { self: recordOf(username) },
      key: { kind: "user_profile", names: ["globex", username] },
    })) as [object, { readonly records: object }];
    const ours = (family: unknown, isAsked: (record: object) => boolean) =>
      family === userProfile
        ? [gone, left, { ...left, records: { self: recordOf("ann") } }].filter((one) =>
            isAsked((one as { readonly records: { readonly self: object } }).records.self),
          )
        : [];
    const one = here({ ours });
    const objects = [user("ann", one), user("bob", one, { change: changing("bob", one).change })];
    note([one], { objects: ["ann", "bob", "joe", "leo"].map((username) => user(username, here())) });
    note([one], { objects, prunes: [user("joe", one)] }, [recordOf("kim", { email: "now" })]);
    expect(keysIn(ledger)).toEqual(
      ["ann", "bob", "joe", "kim"].map((username) => `user_profile:${username}@globex`),
    );
    const declared = (username: string) => ledger.lastApply.of(rememberedAs(username))?.wasDeclared;
    expect(["ann", "bob", "joe", "kim"].map(declared)).toEqual([true, true, true, false]);
    expect(ledger.lastApply.of(rememberedAs("kim"))?.hasLeft("email", "now")).toBe(true);
  });

  test("a run about a part of the stack notes nothing of what nobody declares", () => {
    const kim = {
      records: { self: recordOf("kim") },
      key: { kind: "user_profile", names: ["globex", "kim"] },
    };
    const one = here({ ours: (family: unknown) => (family === userProfile ? [kim] : []) });
    note([one], { partial: true });
    expect(keysIn(ledger)).toEqual([]);
    note([one], {});
    expect(keysIn(ledger)).toEqual(["user_profile:kim@globex"]);
  });

  test("a token that is declared, or is still to be revoked, is not noted as undeclared, beside one that is", () => {
    const one = here();
    for (const name of ["kept", "left", "going"]) ledger.tokens.put({ ...csiToken, name });
    const wasDeclared = (name: string) =>
      ledger.lastApply.of(rememberedToken(`csi@globex/${name}`))?.wasDeclared;
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
