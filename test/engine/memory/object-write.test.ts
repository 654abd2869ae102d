/** What the store remembers of the writes of an apply, before, while and after they are made. */
import { join } from "node:path";
import { openStore, type CredentialStore, type Ledger } from "../../../src/credentials";
import { declarationIn, rememberedToken, removeToken } from "../../../src/engine/memory/names";
import { noteRecorded, ObjectWrites } from "../../../src/engine/memory/object-write";
import { forbidden, passwordLeft } from "../../../src/problems";
import { resource as token } from "../../../src/resources/authorization";
import { resource as userProfile } from "../../../src/resources/user-profile";
import { UNKNOWN, type ObjectValue, type Path } from "../../../src/lib/values";
import { csiToken, jane, ORIGIN, OWNER } from "../../credentials/samples";
import { remember } from "../../support/memories";
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

const [SMS, PASSWORD, XREF] = [["sms"], ["password_wo"], ["xref"]];
const NUMBER = "+41 79 123 45 67";
const NAME = jane.key.slice(jane.key.indexOf(":") + 1);

/** As the service shows the user: the number masked, and no `xref`. */
const RECORDS = { self: { id: "user_profile:1:5", uuid: jane.uuid, sms: { number: "*** 67" }, email: "" } };
const CONFIG: ObjectValue = { sms: NUMBER, password_wo: "correct horse", password_wo_version: 3 };

/** A planned update of the user, which sends a number and a password. */
const planned = (facts: object = {}) => {
  const before = { sms: "+41 79 000 00 00", password_wo_version: 2, xref: "a" };
  return {
    resource: userProfile,
    change: change({ kind: "user_profile", name: NAME, before, after: { ...CONFIG, xref: "a" } }),
    config: CONFIG,
    block: { lifecycle: { ignoreChanges: [] } },
    remembered: jane,
    recorded: [],
    lookup: { kind: "live", records: RECORDS },
    target: { ledger },
    rotation: undefined,
    sensitive: [],
    ...facts,
  };
};

function begin(object: object, prunes: readonly object[] = []) {
  const targets = new Map([["tenancy", { target: { provider: "tenancy" }, ledger }]]);
  return new ObjectWrites({ objects: [object], prunes } as never, targets as never);
}

interface Written {
  readonly object?: object;
  readonly state?: ObjectValue;
  readonly records?: { readonly self: ObjectValue } | undefined;
  readonly findings?: readonly object[];
}

async function write({ object = planned(), findings = [], ...more }: Written = {}): Promise<void> {
  const writing = begin(object).writeOf(object as never);
  writing.started();
  const { state = (object as { readonly config: ObjectValue }).config, records = RECORDS } = more;
  await writing.finished(object as never, { state, records, findings } as never);
}

/** An update of these attributes alone. */
const updating = (config: ObjectValue, ...changed: readonly Path[]) => {
  const { attributes } = userProfile.description;
  const changes = changed.map((path) => ({
    path,
    attribute: attributes[String(path[0])],
    before: null,
    after: null,
  }));
  return planned({ config, change: { ...planned().change, attributes: changes } });
};

const remembers = (path: Path, value: string | null) => ledger.memory.isSameValue(jane, path, value);
const left = () => ledger.memory.leftOf(jane);

describe("after a write the store remembers", () => {
  test("the value that an answer masks, and the secret with its version", async () => {
    await write();
    expect(remembers(SMS, NUMBER)).toBe(true);
    expect(remembers(SMS, "+41 79 765 43 21")).toBe(false);
    expect(ledger.memory.sentVersion(jane, PASSWORD)).toMatchObject({ version: 3 });
    expect(await ledger.memory.isSameSecret(jane, PASSWORD, "correct horse")).toBe(true);
  });

  test("a value that it has sent in place of another one, and nothing of one that was never there", async () => {
    remember(ledger, jane, (draft) => draft.noteValue(SMS, "+41 79 000 00 00"));
    await write();
    expect(remembers(SMS, NUMBER)).toBe(true);
    ledger.memory.forget(jane.key);
    await write({ object: planned({ ...updating({ sms: null }, SMS), remembered: jane }) });
    expect(remembers(SMS, null)).toBeUndefined();
  });

  test("nothing of what was not written", async () => {
    await write({ state: { ...CONFIG, sms: "+41 79 000 00 00", password_wo_version: 2 } });
    expect(remembers(SMS, NUMBER)).toBeUndefined();
    expect(ledger.memory.sentVersion(jane, PASSWORD)).toBeUndefined();
  });

  test("that a user has no password of ours, so that declaring one sends it", async () => {
    await write({ object: updating({ sms: NUMBER }, SMS) });
    expect(ledger.memory.sentVersion(jane, PASSWORD)).toEqual({ version: null, hash: null });
  });

  test("that a value was taken away, so that the same one is sent when it is declared again", async () => {
    await write();
    await write({ object: updating({ sms: null }) });
    expect(remembers(SMS, NUMBER)).toBe(true);
    await write({ object: updating({ sms: null }, SMS) });
    expect(remembers(SMS, NUMBER)).toBe(false);
    expect(remembers(SMS, null)).toBe(true);
  });

  test("that there was nothing where neither the declaration nor an answer says anything", async () => {
    await write();
    expect(remembers(XREF, null)).toBe(true);
    remember(ledger, jane, (draft) => draft.noteValue(XREF, "a"));
    await write();
    expect(remembers(XREF, "a")).toBe(true);
    expect(remembers(["email"], null)).toBeUndefined();
  });

  test("of a new object nothing that was remembered of an earlier one, be it of the same uuid", async () => {
    remember(ledger, jane, (draft) => draft.noteValue(XREF, "a"));
    await write({
      object: planned({ change: { ...planned().change, action: "create" }, lookup: undefined }),
    });
    expect(remembers(XREF, "a")).toBe(false);
    expect(remembers(XREF, null)).toBe(true);
  });

  test("a new object under the name that it turned out to have", async () => {
    const change = { ...planned().change, action: "create", key: "jane@(known after apply)" };
    const state = { ...CONFIG, login: NAME, uuid: jane.uuid };
    const object = planned({ change, lookup: undefined, remembered: undefined });
    await write({ object, state });
    expect(left()).toMatchObject({ wasDeclared: true });
    expect(ledger.memory.isPending(`user_profile:${change.key}`)).toBe(false);
  });
});

test("what a plan takes as declared is remembered without a write, as far as it is known", async () => {
  const recorded = [SMS, ["password_wo_version"], ["two_factor_security_email"], ["email"]];
  const config = { ...CONFIG, two_factor_security_email: null, email: UNKNOWN };
  await remember(ledger, jane, (draft) => noteRecorded(draft, { recorded, config }));
  expect(remembers(SMS, NUMBER)).toBe(true);
  expect(ledger.memory.isOnlyRecorded(jane, SMS)).toBe(true);
  expect(ledger.memory.sentVersion(jane, PASSWORD)).toMatchObject({ version: 3 });
  for (const path of [["two_factor_security_email"], ["email"]])
    expect(remembers(path, null)).toBeUndefined();
  expect(ledger.memory.sentVersion(jane, SMS)).toBeUndefined();
  // A write that sends something else leaves the mark, and one that sends the value takes it away.
  await write({ object: updating(CONFIG, ["email"]) });
  expect([SMS, PASSWORD].map((path) => ledger.memory.isOnlyRecorded(jane, path))).toEqual([true, true]);
  await write();
  expect([SMS, PASSWORD].map((path) => ledger.memory.isOnlyRecorded(jane, path))).toEqual([false, false]);
});

const pending = () => ledger.memory.isPending(jane.key);

describe("a write that is about to begin", () => {
  const rememberAll = async () => {
    remember(ledger, jane, (draft) => draft.noteValue(SMS, NUMBER));
    remember(ledger, jane, (draft) => draft.noteValue(XREF, "a"));
    await remember(ledger, jane, (draft) => draft.noteVersion(PASSWORD, 3, "correct horse"));
  };
  const isForgotten = () => [
    remembers(SMS, NUMBER) === false,
    ledger.memory.sentVersion(jane, PASSWORD)?.version === null,
  ];

  test("leaves no memory of what it sends, in case nobody learns how it ends, and the memory of the rest", async () => {
    await rememberAll();
    begin(planned());
    expect(pending()).toBe(true);
    expect(isForgotten()).toEqual([true, true]);
    expect(remembers(XREF, "a")).toBe(true);
  });

  test("has all memories back where the run does not reach it", async () => {
    await rememberAll();
    begin(planned()).endUnstarted();
    expect(pending()).toBe(false);
    expect(isForgotten()).toEqual([false, false]);
  });

  test.each<readonly [string, boolean, Error, readonly boolean[]]>([
    ["all back where it was not started", false, new Error("connection reset"), [false, false]],
    ["all back where it was refused", true, forbidden.error({} as never), [false, false]],
    ["none back where nobody knows how it ended", true, new Error("connection reset"), [true, true]],
  ])("has %s", async (_what, isStarted, error, expected) => {
    await rememberAll();
    const object = planned();
    const writes = begin(object);
    const writing = writes.writeOf(object as never);
    if (isStarted) writing.started();
    writing.failed(error);
    writes.endUnstarted();
    expect(isForgotten()).toEqual(expected);
    expect(pending()).toBe(expected[0]);
  });

  test("has the rest back where a part of it ended with an error that leaves something open", async () => {
    await rememberAll();
    const state = { ...CONFIG, sms: "+41 79 000 00 00", password_wo_version: 2 };
    await write({ state, findings: [{ severity: "error", code: "TENANCY_API_TIMEOUT" }] });
    expect(isForgotten()).toEqual([true, true]);
    await rememberAll();
    await write({
      state,
      findings: [passwordLeft.warning({} as never), forbidden.error({} as never).toFindings()[0]!],
    });
    expect(isForgotten()).toEqual([false, false]);
  });

  test.each<readonly [string, object, boolean]>([
    ["makes an object", { change: { ...planned().change, action: "create" } }, true],
    ["is about an object of which nothing is remembered", { remembered: undefined }, true],
    ["is about an object that is not live", { lookup: { kind: "absent" } }, true],
    ["leaves the object as it is", { change: { ...planned().change, action: "none" } }, false],
  ])("forgets nothing where it %s", async (_what, facts, isPending) => {
    await rememberAll();
    begin(planned(facts));
    expect(isForgotten()).toEqual([false, false]);
    expect(pending()).toBe(isPending);
  });

  test("forgets no password that it does not send", async () => {
    await rememberAll();
    const change = planned().change;
    const others = change.attributes.filter(({ path }) => path[0] !== "password_wo_version");
    begin(planned({ change: { ...change, attributes: others } }));
    expect(isForgotten()).toEqual([true, false]);
  });

  test("is noted for what is deleted as well, and not for tokens, which the store keeps by themselves", () => {
    const prune = planned({ change: { ...planned().change, action: "delete" } });
    const writes = begin(planned({ change: { ...planned().change, action: "none" } }), [prune]);
    expect(pending()).toBe(true);
    writes.writeOf(prune as never).deleted("user_profile:1:4");
    expect(pending()).toBe(false);
    const change = { ...planned().change, key: "csi@globex/csi-prod" };
    begin(planned({ change, resource: token, remembered: undefined }));
    expect(ledger.memory.isPending(rememberedToken(change.key).key)).toBe(false);
  });
});

describe("what an apply leaves", () => {
  test("is noted with its values and its declaration", async () => {
    await write();
    expect(left()).toMatchObject({ wasDeclared: true });
    expect(left()?.hasLeft("email", "")).toBe(true);
    expect(left()?.isDeclaredAlike(declarationIn(planned() as never) ?? null)).toBe(true);
    await write({
      object: planned({ lookup: undefined }),
      records: { self: { ...RECORDS.self, email: "a" } },
    });
    expect(left()?.hasLeft("email", "a")).toBe(true);
  });

  test("is as the plan saw it where the answer to the write does not show it, and unknown of what is new", async () => {
    const { email: _notShown, ...self } = RECORDS.self;
    const before = { self: { ...RECORDS.self, email: "a" } };
    await write({ object: planned({ lookup: { kind: "live", records: before } }), records: { self } });
    expect(left()?.hasLeft("email", "a")).toBe(true);
    await write({ object: planned({ lookup: { kind: "absent" } }), records: { self } });
    expect(left()?.hasLeft("email", "a")).toBeUndefined();
  });

  test("of a token is its declaration, but not where it is only rotated", async () => {
    const remembered = rememberedToken("csi@globex/csi-prod");
    const change = { ...planned().change, key: "csi@globex/csi-prod" };
    const object = (facts: object) => planned({ change, resource: token, remembered: undefined, ...facts });
    const state = { ...csiToken.record, login: csiToken.login, name: csiToken.name, previous: [] };
    await write({ object: object({ rotation: {} }), state });
    expect(ledger.tokens.list()).toHaveLength(1);
    expect(ledger.memory.hasLeft(remembered.key)).toBe(false);
    await write({ object: object({}), state });
    expect(ledger.memory.leftOf(remembered)).toMatchObject({ wasDeclared: true });
    removeToken(ledger, csiToken);
    expect(ledger.tokens.list()).toEqual([]);
    expect(ledger.memory.hasLeft(remembered.key)).toBe(false);
  });
});
