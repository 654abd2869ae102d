/** What makes two plans the same, or another: covers src/plan/fingerprint.ts. */
import { differences, fingerprint, isSameChange, type Change } from "../../src/plan";
import { UNKNOWN, type ObjectValue, type Path, type Value } from "../../src/lib/values";
import { change, plan, type ChangeFacts } from "../support/plans";

const tagged = (...tags: (string | typeof UNKNOWN)[]) =>
  change({
    kind: "account",
    name: "acme",
    before: { name: "acme" },
    after: { name: "acme", provisioning_tags_include: tags },
  });

test("what is known of a value counts, though a part of it is not known yet", () => {
  expect(isSameChange(tagged("gold", UNKNOWN), tagged("gold", UNKNOWN))).toBe(true);
  expect(isSameChange(tagged("gold", UNKNOWN), tagged("silver", UNKNOWN))).toBe(false);
  const kept = (keepers: ObjectValue) => change({ kind: "authorization", name: "ci", after: { keepers } });
  const half = kept({ cluster: "a", node: UNKNOWN });
  expect(isSameChange(half, kept({ cluster: "a", node: UNKNOWN }))).toBe(true);
  expect(isSameChange(half, kept({ cluster: "b", node: UNKNOWN }))).toBe(false);
  expect(isSameChange(half, kept({ cluster: "a" }))).toBe(false);
});

/** Stands for a keyed digest. */
const digest = (text: string) => `digest of ${text.length} characters, ${[...text].reverse().join("")}`;

const differing = (
  one: readonly Change[],
  other: readonly Change[],
  key: typeof digest | undefined = digest,
) => differences(fingerprint(plan(one), key), fingerprint(plan(other), key));

const ACME = "tenancy_account.acme";
const JANE = "tenancy_user_profile.jane";

describe("an object is told by its address", () => {
  const SIGHTING = {
    id: "user_profile:1:1",
    uuid: "u-1",
    accountId: undefined,
    seq: 1,
    key: "jane@acme",
    readAt: 1,
  };
  const jane = (facts: Partial<ChangeFacts> = {}) =>
    change({
      kind: "user_profile",
      name: "jane",
      before: { username: "jane", xref: "a" },
      after: { username: "jane", xref: "b" },
      observedRecord: SIGHTING,
      ...facts,
    });

  test.each<readonly [string, Partial<ChangeFacts>]>([
    ["is replaced instead of updated", { action: "replace" }],
    ["has another key", { title: "jane@initech" }],
    ["is another record", { observedRecord: { ...SIGHTING, id: "user_profile:1:2" } }],
    ["has another uuid", { observedRecord: { ...SIGHTING, uuid: "u-2" } }],
    ["has no uuid any more", { observedRecord: { ...SIGHTING, uuid: undefined } }],
    ["gets another value", { after: { username: "jane", xref: "c" } }],
    ["had another value", { before: { username: "jane", xref: "d" } }],
    ["gets a value that is not known yet", { after: { username: "jane", xref: UNKNOWN } }],
    ["gets no value", { after: { username: "jane", xref: null } }],
    ["has a further value changed", { after: { username: "jane", xref: "b", email_notify: true } }],
  ])("where it %s", (_what, facts) => {
    expect(differing([jane()], [jane(facts)])).toEqual([JANE]);
  });

  test.each<readonly [string, Partial<ChangeFacts>]>([
    ["was read at another time, in another version", { observedRecord: { ...SIGHTING, seq: 2, readAt: 2 } }],
    ["has other notes", { notes: ["password version 1 recorded, not sent"] }],
  ])("but not where it only %s", (_what, facts) => {
    expect(differing([jane()], [jane(facts)])).toEqual([]);
  });

  test("where only one of two plans has it, and the others are not told", () => {
    expect(differing([jane(), tagged("gold")], [jane()])).toEqual([ACME]);
    expect(differing([jane()], [tagged("gold"), jane()])).toEqual([ACME]);
  });
});

test.each([
  ["the service", { origin: "https://other.example" }, false],
  ["the caller alone", { caller: "jane@acme" }, true],
])("two plans are compared by their service: %s is another", (_what, facts, isSame) => {
  const one = plan([tagged("gold")]);
  const other = plan([tagged("silver")], { targets: one.targets.map((target) => ({ ...target, ...facts })) });
  expect(differences(fingerprint(one, digest), fingerprint(other, digest))).toEqual([
    isSame ? ACME : "the service",
  ]);
});

describe("what is deleted", () => {
  const gone = (more: ObjectValue) =>
    change({ kind: "user_profile", name: "jane", before: { username: "jane", xref: "a", ...more } });

  test("counts with each value that could be declared", () => {
    expect(differing([gone({})], [gone({})])).toEqual([]);
    expect(differing([gone({})], [gone({ xref: "b" })])).toEqual([JANE]);
    expect(differing([gone({})], [gone({ app_default: "storage" })])).toEqual([JANE]);
  });

  test("does not count with what the service computes, or what no answer shows", () => {
    expect(differing([gone({ activated: false })], [gone({ activated: true })])).toEqual([]);
    expect(differing([gone({ password_wo: "a" })], [gone({ password_wo: "b" })])).toEqual([]);
  });
});

describe("what may not be shown", () => {
  const updated = (before: Value, after: Value, sensitive: readonly Path[] = [["xref"]]) =>
    change({
      kind: "user_profile",
      name: "jane",
      before: { xref: before },
      after: { xref: after },
      sensitive,
    });
  const token = (secret: string) =>
    change({
      kind: "authorization",
      name: "ci",
      before: { previous: [{ serial: "ATH1", access_token: secret }] },
      after: { previous: [] },
    });

  test("stands in no fingerprint, and differs all the same where there is a key", () => {
    const written = JSON.stringify(
      fingerprint(plan([updated("hush", "whisper"), token("tell-nobody")]), digest),
    );
    expect(written).not.toMatch(/hush|whisper|tell-nobody/);
    expect(written).toContain(digest('"whisper"').slice(0, 22));
    expect(differing([updated("a", "b")], [updated("a", "c")])).toEqual([JANE]);
    expect(differing([token("a")], [token("b")])).toEqual(["tenancy_authorization.ci"]);
  });

  test("counts only as being there where there is no key", () => {
    const written = JSON.stringify(fingerprint(plan([updated("hush", "whisper"), token("tell")]), undefined));
    expect(written).not.toMatch(/hush|whisper|tell/);
    expect(written).toContain("(sensitive value)");
    const same = differences(
      fingerprint(plan([updated("a", "b")]), undefined),
      fingerprint(plan([updated("a", "c")]), undefined),
    );
    expect(same).toEqual([]);
  });

  test.each([digest, undefined])(
    "counts as absent or as not known yet, with a key and without one",
    (key) => {
      const marks = [updated("a", null), updated("a", UNKNOWN), updated("a", "b")].map((one) =>
        JSON.stringify(fingerprint(plan([one]), key)),
      );
      expect(new Set(marks).size).toBe(3);
      expect(marks[1]).toContain("(known after apply)");
    },
  );

  test.each<readonly [string, Path]>([
    ["is sensitive", ["primary_contact"]],
    ["has a part that is sensitive", ["primary_contact", "company"]],
    ["is a part of something sensitive", []],
  ])("is a value that %s, and what stands beside it may be shown", (_what, path) => {
    const contact = change({
      kind: "account",
      name: "acme",
      before: { primary_contact: { company: "old" }, provisioning_tags_include: ["old"] },
      after: { primary_contact: { company: "hush" }, provisioning_tags_include: ["beside"] },
      sensitive: [path, ["disabled"]],
    });
    const written = JSON.stringify(fingerprint(plan([contact]), digest));
    expect(written).not.toContain("hush");
    // The empty path is the whole object, beside which there is nothing.
    expect(written.includes("beside")).toBe(path.length > 0);
  });

  test("is the whole of a list of which an element is sensitive", () => {
    const hushed = change({
      kind: "account",
      name: "acme",
      before: { provisioning_tags_include: [] },
      after: { provisioning_tags_include: ["gold", "hush"] },
      sensitive: [["provisioning_tags_include", "1"]],
    });
    expect(JSON.stringify(fingerprint(plan([hushed]), digest))).not.toMatch(/hush|gold/);
  });
});
