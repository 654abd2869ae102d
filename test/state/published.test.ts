/** What a snapshot holds of the state, and what a plan reads in it: covers src/state/published.ts. */
import { partName, type DeclaredValues, type StatePart, openState } from "../../src/state";
import { partOfPublished } from "../../src/state/published";
import { NOT_IN_SNAPSHOT, type ObjectValue } from "../../src/lib/values";
import { temporaryFolder } from "../support/temp-folder";
import { csiToken, failedRevocation, intent, jane, ORIGIN, OWNER } from "./samples";
import { join } from "node:path";
import { remember } from "../support/memories";

const folder = temporaryFolder();

const NOTHING_DECLARED: DeclaredValues = { hasPlainKeepers: () => false, valueOf: () => undefined };

/** What is published of a state, once it was written. */
async function published(fill: (part: StatePart) => unknown, declared = NOTHING_DECLARED) {
  const path = join(folder(), "state.json");
  const state = openState({ path });
  await state.lock();
  await fill(await state.part(partName(ORIGIN, OWNER, "tenancy")));
  await state.save();
  await state.unlock();
  return openState({ path }).published([partName(ORIGIN, OWNER, "tenancy")], declared);
}

const partOf = async (...given: Parameters<typeof published>): Promise<ObjectValue> =>
  (await published(...given)).parts[0]!;

const SECRETS = /1\/|canary|digest|correct horse|41 79/i;

test("nothing of a state that is secret is published", async () => {
  const part = await partOf(async (part) => {
    part.tokens.put(csiToken);
    part.failedRevocations.put(failedRevocation);
    remember(part, jane, (draft) => draft.noteValue(["sms"], "+41 79 123 45 67"));
    await remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  });
  expect(JSON.stringify(part)).not.toMatch(SECRETS);
  expect(part["tokens"]).toEqual([
    {
      login: "csi@globex",
      name: "csi-prod",
      record: {
        id: "authorization:1:7",
        serial: csiToken.record.serial,
        user_id: "user_profile:1:9",
        created_at: "2026-01-02T03:04:05.678+00:00",
      },
      keepers: null,
      keepers_left_out: true,
      previous: [
        {
          id: "authorization:1:6",
          serial: "ATH4700000000000000",
          created_at: null,
          retired_at: "2026-01-02T03:04:05.678Z",
        },
      ],
    },
  ]);
  const { access_token: _secret, ...revocation } = failedRevocation;
  expect(part["failed_revocations"]).toEqual([revocation]);
  expect(part["objects"]).toEqual({
    [jane.key]: {
      uuid: jane.uuid,
      left_out: ["sms"],
      secrets: { password_wo: { version: 3, hash: null } },
    },
  });
  expect(part).not.toHaveProperty("temporary_passwords");
});

test("the keepers of a token are published together if the declaration shows that none is sensitive", async () => {
  const put = (part: StatePart) => {
    part.tokens.put(csiToken);
    part.tokens.put({ ...csiToken, name: "secret", keepers: { seed: "s3cret" } });
    part.tokens.put({
      ...csiToken,
      name: "none",
      keepers: null,
      record: { id: "a", serial: "b", access_token: "" },
    });
  };
  const hasPlainKeepers: DeclaredValues["hasPlainKeepers"] = ({ name }) => name !== "secret";
  const publishedPart = await partOf(put, { ...NOTHING_DECLARED, hasPlainKeepers });
  expect(publishedPart["tokens"]).toMatchObject([
    { keepers: { quarter: "2026Q1" }, keepers_left_out: false },
    { keepers: null, keepers_left_out: true },
    { keepers: null, keepers_left_out: false, record: { user_id: null, created_at: null } },
  ]);
  const part = partOfPublished({ exists: true, parts: [publishedPart] }, partName(ORIGIN, OWNER, "tenancy"));
  expect(part.tokens.list().map(({ keepers }) => keepers)).toEqual([
    { quarter: "2026Q1" },
    NOT_IN_SNAPSHOT,
    null,
  ]);
});

test("keepers that were sensitive when they were stored are not published, whatever the declaration shows now", async () => {
  const part = await partOf(({ tokens }) => tokens.put({ ...csiToken, sensitive_keepers: true }), {
    ...NOTHING_DECLARED,
    hasPlainKeepers: () => true,
  });
  expect(part["tokens"]).toMatchObject([{ keepers: null, keepers_left_out: true }]);
});

test("of a value that the service hides, a plan can tell whether it is the declared one, if that is not sensitive", async () => {
  const hidden = { sms: "+41", pin: "1234", email: "jane@acme.example" };
  const fill = (part: StatePart) =>
    Object.entries(hidden).forEach(([name, value]) =>
      remember(part, jane, (draft) => draft.noteValue([name], value)),
    );
  const declared: Record<string, string> = { sms: "+41", email: "jane@home.example" };
  const valueOf: DeclaredValues["valueOf"] = (object, path) => {
    expect(object).toBe(jane.key);
    return declared[path];
  };
  const part = await partOf(fill, { ...NOTHING_DECLARED, valueOf });
  expect(part["objects"]).toMatchObject({
    [jane.key]: { uuid: jane.uuid, sent: { sms: "+41" }, left_out: ["pin"], pending: ["email"] },
  });
  const { objects } = partOfPublished({ exists: true, parts: [part] }, partName(ORIGIN, OWNER, "tenancy"));
  expect(objects.isSameValue(jane, ["sms"], "+41")).toBe(true);
  expect(objects.isSameValue(jane, ["sms"], "+42")).toBe(false);
  expect(objects.isSameValue(jane, ["pin"], "1234")).toBe("hidden");
  expect(objects.isSameValue(jane, ["email"], "jane@home.example")).toBe(false);
  expect(objects.isSameValue(jane, ["level"], 1)).toBeUndefined();
});

test("an object is published that the last apply left, without what it left; not one that a run set out to write since", async () => {
  const named = (login: string) => ({ ...jane, key: `user_profile:${login}` });
  const left = { email: "jane@acme.example" };
  const part = await partOf(({ objects }) => {
    for (const login of ["jane@globex", "joe@globex", "jim@globex", "jill@globex"])
      objects.note({ object: named(login), left, declaration: {} });
    objects.begin("user_profile:joe@globex");
    objects.begin("user_profile:jill@globex");
    objects.forgetLeft("user_profile:jim@globex");
    remember({ objects }, named("jill@globex"), (draft) => draft.noteValue(["sms"], "+41"));
  });
  const { uuid } = jane;
  expect(part["objects"]).toEqual({
    [jane.key]: { uuid, shown: null },
    "user_profile:jill@globex": { uuid, left_out: ["sms"] },
  });
  const { objects } = partOfPublished({ exists: true, parts: [part] }, partName(ORIGIN, OWNER, "tenancy"));
  expect(objects.hasLeft(jane.key)).toBe(true);
  expect(objects.hasLeft("user_profile:jill@globex")).toBe(false);
  expect(objects.leftOf(jane)).toBeUndefined();
});

test("an object is published of which something is remembered; no text in place of a version", async () => {
  const other = { ...jane, key: "user_profile:joe@globex" };
  const part = await partOf(async ({ objects }) => {
    await remember({ objects }, jane, (draft) => draft.noteVersion(["password_wo"], 3));
    await remember({ objects }, jane, (draft) => draft.noteVersion(["sms_wo"], "s3cret"));
    remember({ objects }, other, (draft) => draft.noteValue(["sms"], "+41"));
  });
  expect(part["objects"]).toEqual({
    [jane.key]: {
      uuid: jane.uuid,
      secrets: { password_wo: { version: 3, hash: null }, sms_wo: { version: null, hash: null } },
    },
    [other.key]: { uuid: jane.uuid, left_out: ["sms"] },
  });
});

test("an object is published that the state has recorded, and a plan finds its record again", async () => {
  const record = { id: "user:1:2", serial: "USR2", ctime: 1_700_000_000_000, account_id: "account:1:2" };
  const part = await partOf(({ objects }) => {
    remember({ objects }, jane, (draft) => draft.noteRecord(record));
  });
  expect(part["objects"]).toEqual({ [jane.key]: { uuid: jane.uuid, record } });
  const { objects } = partOfPublished({ exists: true, parts: [part] }, partName(ORIGIN, OWNER, "tenancy"));
  expect(objects.recordAt(jane.key)).toEqual({ ...record, uuid: jane.uuid });
});

test("what is published is read again as the state's own, without its secrets", async () => {
  const refused = [{ serial: csiToken.record.serial, refused_at: "2026-01-03T00:00:00Z" }];
  const doubtful = { login: "csi@globex", name: null, user_id: "user_profile:1:9" };
  const password = { login: "csi@globex", user_id: "user_profile:1:9", set_at: "2026-01-03T00:00:00Z" };
  const state = await published(async (part) => {
    part.tokens.put({ ...csiToken, refused });
    part.intents.put(intent);
    part.failedRevocations.put({ ...failedRevocation, user_id: "user_profile:1:9" });
    part.make([doubtful]);
    part.temporaryPasswords.put(password);
    await remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  });
  expect(state.exists).toBe(true);
  expect(JSON.stringify(state)).not.toMatch(SECRETS);
  const part = partOfPublished(state, partName(`${ORIGIN}/path`, OWNER, "tenancy"));
  expect([part.exists, part.isStateThere, part.name.origin]).toEqual([true, true, ORIGIN]);
  const [token] = part.tokens.list();
  expect(token).toMatchObject({
    login: "csi@globex",
    name: "csi-prod",
    record: { serial: csiToken.record.serial, user_id: "user_profile:1:9", access_token: "" },
    refused,
  });
  expect(token?.previous).toMatchObject([{ serial: "ATH4700000000000000", access_token: "" }]);
  expect(part.intents.list()).toEqual([intent]);
  expect(() => part.intents.remove(intent)).toThrow("must not be changed");
  expect(part.failedRevocations.list()).toMatchObject([
    { serial: failedRevocation.serial, user_id: "user_profile:1:9", access_token: "" },
  ]);
  expect(part.possiblyIssued.list()).toEqual([doubtful]);
  expect(part.temporaryPasswords.list()).toEqual([password]);
  expect(part.objects.sentVersion(jane, ["password_wo"])).toEqual({ version: 3, hash: null });
});

test("a token without a known time or user is read again as one", async () => {
  const record = { id: "a", serial: "b", access_token: "1/a" };
  const state = await published(({ tokens }) =>
    tokens.put({ ...csiToken, record, keepers: null, previous: [] }),
  );
  const publishedPart = state.parts[0]!;
  const [token] = publishedPart["tokens"] as readonly ObjectValue[];
  const { keepers: _keepers, ...bare } = token!;
  const { user_id: _user, created_at: _created, ...known } = bare["record"] as ObjectValue;
  const part = partOfPublished(
    { exists: true, parts: [{ ...publishedPart, tokens: [{ ...bare, record: known }] }] },
    partName(ORIGIN, OWNER, "tenancy"),
  );
  expect(part.tokens.list()).toMatchObject([{ record: { user_id: null, created_at: null }, keepers: null }]);
});

test("of no state nothing is read, and what is no part of one is refused", async () => {
  const none = partOfPublished({ exists: false, parts: [] }, partName(ORIGIN, OWNER, "tenancy"));
  expect([none.exists, none.isStateThere]).toEqual([false, false]);
  expect(() => none.intents.put(intent)).toThrow("must not be changed");
  const part = await partOf((part) => part.failedRevocations.put(failedRevocation));
  const broken = { ...part, failed_revocations: ["ATH4700000000000009"] };
  expect(() =>
    partOfPublished({ exists: true, parts: [broken] }, partName(ORIGIN, OWNER, "tenancy")),
  ).toThrow("failed_revocations[0] is not an object");
});
