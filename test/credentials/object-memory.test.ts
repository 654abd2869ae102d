/** What the store remembers of the last apply: covers src/credentials/object-memory.ts and memory-document.ts. */
import { randomBytes } from "node:crypto";
import { emptyMemory, readMemory, writeMemory } from "../../src/credentials/memory-document";
import { ObjectMemory } from "../../src/credentials/object-memory";
import type { AppliedValues, Value } from "../../src/lib/values";

const jane = { key: "user_profile:jane@acme", uuid: "6E4F46A6-b0ab-5b69-a4ff-1ac2c4f96f00" };
const paths = ["email", "level", "permissions"];
const flags = ["permissions.vss.a", "permissions.vss.b"];
const layout = { paths, flags };

const left = (values: readonly (Value | undefined)[], ...set: readonly string[]): AppliedValues => ({
  layout,
  values,
  isSet: (flag) => set.includes(flag),
});

const store = (key = randomBytes(32)) => {
  const part = emptyMemory();
  let changes = 0;
  const memory = new ObjectMemory(part, key, () => void changes++);
  const keep = (object: typeof jane, values: AppliedValues, declaration: Value | undefined) =>
    memory.note({ object, left: values, declaration });
  const isKept = (object: typeof jane, values: AppliedValues, declaration: Value | undefined) =>
    memory.isNoted({ object, left: values, declaration });
  const textOf = (name = jane.key) => part.objects.get(name)?.left ?? "";
  const damage = (text: string) => part.objects.set(jane.key, { ...part.objects.get(jane.key)!, left: text });
  return { part, memory, keep, isKept, textOf, damage, key, changes: () => changes };
};

const first = left(["jane@acme.example", 3, []], "permissions.vss.a");

test("values that are as the apply left them count as unchanged, and are not noted twice", () => {
  const { memory, keep, changes } = store();
  keep(jane, first, { email: "jane@acme.example" });
  expect(memory.leftOf(jane)?.departure(first)).toEqual({ paths: [], flags: [] });
  const before = changes();
  keep(jane, left(["jane@acme.example", 3, []], "permissions.vss.a"), { email: "jane@acme.example" });
  expect(changes()).toBe(before);
});

test("each value and each flag that differs from the note is named", () => {
  const { memory, keep } = store();
  keep(jane, first, {});
  const now = left(["eve@evil.example", 3, []], "permissions.vss.b");
  expect(memory.leftOf(jane)?.departure(now)).toEqual({ paths: ["email"], flags });
  expect(memory.leftOf(jane)?.hasLeft("email", "jane@acme.example")).toBe(true);
  expect(memory.leftOf(jane)?.hasLeft("email", "eve@evil.example")).toBe(false);
});

test("a value that the service did not show then, or does not show now, counts as unchanged", () => {
  const { memory, keep } = store();
  keep(jane, left([undefined, 3, undefined], "permissions.vss.a"), {});
  expect(memory.leftOf(jane)?.departure(left(["x", undefined, []]))).toEqual({ paths: [], flags: [] });
  expect(memory.leftOf(jane)?.hasLeft("email", "x")).toBeUndefined();
});

test("null, zero, false and nothing are told apart", () => {
  const values: readonly (Value | undefined)[] = [null, 0, false, "", "null", [], undefined];
  for (const [index, value] of values.entries()) {
    const { memory, keep } = store();
    keep(jane, left([value, 3, []]), {});
    for (const [other, now] of values.entries())
      expect(memory.leftOf(jane)?.departure(left([now, 3, []])).paths).toEqual(
        index === other || value === undefined || now === undefined ? [] : ["email"],
      );
  }
});

test("names that a later release adds are not compared until they are noted", () => {
  const { memory, keep } = store();
  keep(jane, first, {});
  const wider: AppliedValues = {
    layout: { paths: ["new", ...paths], flags },
    values: ["x", "jane@acme.example", 3, []],
    isSet: first.isSet,
  };
  expect(memory.leftOf(jane)?.departure(wider)).toEqual({ paths: [], flags: [] });
  keep(jane, wider, {});
  expect(
    memory.leftOf(jane)?.departure({ ...wider, values: ["y", "jane@acme.example", 3, []] }).paths,
  ).toEqual(["new"]);
});

test("the declaration is remembered, too: another one, none, or one that was not wholly known", () => {
  const { memory, keep } = store();
  keep(jane, first, { email: "a", level: 1 });
  expect(memory.leftOf(jane)?.isDeclaredAlike({ level: 1, email: "a" })).toBe(true);
  expect(memory.leftOf(jane)?.isDeclaredAlike({ level: 2, email: "a" })).toBe(false);
  keep(jane, first, undefined);
  expect(memory.leftOf(jane)).toMatchObject({ wasDeclared: true });
  expect(memory.leftOf(jane)?.isDeclaredAlike({})).toBeUndefined();
  keep(jane, first, null);
  expect(memory.leftOf(jane)).toMatchObject({ wasDeclared: false });
});

test("an object of another uuid under the same key is another one", () => {
  const { memory, keep } = store();
  keep(jane, first, {});
  expect(memory.leftOf({ ...jane, uuid: "other" })).toBeUndefined();
  expect(memory.hasLeft(jane.key)).toBe(true);
  memory.forgetLeft(jane.key);
  expect(memory.hasLeft(jane.key)).toBe(false);
});

test("a flag alone is named, unless the group that it is a part of was not shown then, or is not shown now", () => {
  const { memory, keep } = store();
  keep(jane, first, {});
  const [changed] = flags;
  expect(memory.leftOf(jane)?.departure(left(["jane@acme.example", 3, []])).flags).toEqual([changed]);
  expect(memory.leftOf(jane)?.departure(left(["jane@acme.example", 3, undefined])).flags).toEqual([]);
  keep(jane, { ...first, layout: { paths: ["email", "level"], flags } }, {});
  expect(memory.leftOf(jane)?.departure(left(["jane@acme.example", 3, []])).flags).toEqual([]);
});

test("a whole number of any size is remembered", () => {
  const { memory, keep } = store();
  keep(jane, left(["", 10n ** 20n, []]), {});
  expect(memory.leftOf(jane)?.departure(left(["", 10n ** 20n, []])).paths).toEqual([]);
  expect(memory.leftOf(jane)?.departure(left(["", 10n ** 20n + 1n, []])).paths).toEqual(["level"]);
});

test("equal values under other names are noted anew", () => {
  const { memory, keep, isKept } = store();
  keep(jane, first, {});
  const renamed = { ...first, layout: { paths: ["mail", "level", "permissions"], flags } };
  expect(isKept(jane, renamed, {})).toBe(false);
  keep(jane, renamed, {});
  expect(memory.leftOf(jane)?.hasLeft("mail", "jane@acme.example")).toBe(true);
});

test("the objects that an apply left are those that are not gone", () => {
  const { memory, keep } = store();
  const joe = { key: "user_profile:joe@acme", uuid: "2d5c0e1e-0000-4000-8000-000000000000" };
  keep(jane, first, {});
  keep(joe, first, {});
  expect(memory.leftObjects().map(({ key }) => key)).toEqual([jane.key, joe.key]);
  memory.forgetLeft(jane.key);
  expect(memory.leftObjects()).toEqual([joe]);
});

test("a note that is damaged, or has too few digests, is as good as none", () => {
  const { memory, keep, textOf, damage } = store();
  keep(jane, first, {});
  const short = textOf().replace(/[\w+/]{4}(=* [^ ]+)$/, "$1");
  expect(short).toMatch(/^[\w-]{8} [\w+/=]+ [\w+/=]{12}$/);
  for (const text of ["", "x", `${textOf()}A`, "AAAAAAAA AAAA -", short]) {
    damage(text);
    expect(memory.leftOf(jane)).toBeUndefined();
  }
});

test("everything is the same after it was written and read", () => {
  const { memory, keep, part, key } = store();
  keep(jane, first, {});
  memory.begin("account:acme");
  memory.markComplete();
  const written = JSON.parse(JSON.stringify(writeMemory(part))) as Value;
  const again = new ObjectMemory(readMemory(written, "memory"), key, () => undefined);
  expect(again.leftOf(jane)?.departure(first)).toEqual({ paths: [], flags: [] });
  expect(again.isPending("account:acme")).toBe(true);
  expect(again.isComplete).toBe(true);
});

test("nothing is written where nothing is remembered, and nothing is read there", () => {
  expect(writeMemory(emptyMemory())).toBeUndefined();
  expect(readMemory(undefined, "memory")).toEqual(emptyMemory());
});

test("the file holds no value, and equal values of two objects or under two keys look different", () => {
  const texts = [store(), store()].flatMap(({ keep, part }) => {
    keep(jane, first, { email: "jane@acme.example" });
    keep({ ...jane, key: "user_profile:joe@acme" }, first, { email: "jane@acme.example" });
    return [...part.objects.values()].map(({ left: text }) => text ?? "");
  });
  expect(new Set(texts.map((text) => text.slice(text.indexOf(" ")))).size).toBe(4);
  expect(texts.join("\n")).not.toContain("acme");
});

test("each of hundreds of flags is told by itself, and what is kept of them does not show which were set", () => {
  const { memory, keep, textOf } = store();
  const many = Array.from({ length: 600 }, (_, index) => `permissions.vss.r${index}`);
  const of = (...set: readonly string[]): AppliedValues => ({
    ...left([null, null, []], ...set),
    layout: { paths, flags: many },
  });
  const changed = [0, 255, 256, 511, 512, 599].map((index) => `permissions.vss.r${index}`);
  keep(jane, of(), {});
  const bytes = Buffer.from((textOf().split(" ")[1] ?? "").slice(-100), "base64");
  for (const start of [0, 32, 64])
    expect(bytes.subarray(start, start + 32).some((byte) => byte !== 0)).toBe(true);
  expect(memory.leftOf(jane)?.departure(of(...changed)).flags).toEqual(changed);
  keep(jane, of(...many), {});
  const others = many.filter((flag) => !changed.includes(flag));
  expect(memory.leftOf(jane)?.departure(of(...others)).flags).toEqual(changed);
});

test("an object that a run set out to write is pending until it is known what is left of it", () => {
  const { memory, keep, isKept } = store();
  keep(jane, first, {});
  memory.begin(jane.key);
  const others = ["account:acme", "account:globex"] as const;
  const [write] = others.map((key) => memory.begin(key));
  expect([jane.key, ...others].map((key) => memory.isPending(key))).toEqual([true, true, true]);
  // It is noted again, though it is as it was.
  expect(isKept(jane, first, {})).toBe(false);
  keep(jane, first, {});
  expect(isKept(jane, first, {})).toBe(true);
  write?.undo();
  memory.forget(others[1]);
  expect([jane.key, ...others].map((key) => memory.isPending(key))).toEqual([false, false, false]);
});

test("a write of a new object leaves what is remembered of an earlier one of its name until it is made", () => {
  const { memory, keep } = store();
  keep(jane, first, {});
  memory.begin(jane.key).undo();
  expect(memory.leftOf(jane)?.wasDeclared).toBe(true);
  const draft = memory.begin(jane.key).draft({ ...jane, uuid: "another" }, "nothing");
  draft.noteLeft(first, {});
  draft.keep();
  expect(memory.leftOf(jane)).toBeUndefined();
  expect(memory.leftOf({ ...jane, uuid: "another" })).toBeDefined();
});

test("the store does not change where everything is noted already", () => {
  const { memory, keep, changes } = store();
  keep(jane, first, {});
  keep({ ...jane, key: "account:gone" }, first, {});
  memory.forgetLeft("account:gone");
  memory.markComplete();
  const before = changes();
  memory.markComplete();
  memory.forgetLeft("account:gone");
  memory.forgetLeft("account:nobody");
  memory.forget("account:nobody");
  keep(jane, first, {});
  expect(changes()).toBe(before);
});

test("the file says what is pending, whether all is known, and only the layouts that are used", () => {
  const { memory, keep, part, textOf } = store();
  const write = memory.begin("account:acme");
  const pending = { uuid: "", pending: true };
  expect(writeMemory(part)).toEqual({ complete: false, layouts: {}, objects: { "account:acme": pending } });
  write.undo();
  keep(jane, first, {});
  expect(writeMemory(part)).toEqual({
    complete: false,
    layouts: { [textOf().slice(0, 8)]: { values: paths, flags } },
    objects: { [jane.key]: { uuid: jane.uuid.toLowerCase(), left: textOf() } },
  });
  memory.forgetLeft(jane.key);
  expect(writeMemory(part)).toBeUndefined();
  memory.markComplete();
  expect(writeMemory(part)).toEqual({ complete: true, layouts: {}, objects: {} });
});

test("a damaged memory is refused", () => {
  const damaged = { complete: "yes", layouts: {}, objects: {} };
  expect(() => readMemory(damaged, "memory")).toThrow("memory.complete is not true or false");
});

test("what is kept without the last apply's values stays when these are forgotten", () => {
  const { memory, keep } = store();
  const record = { id: "user_profile:1:5", serial: "USR5" };
  memory.note({ object: jane, left: first, declaration: {}, record });
  keep(jane, first, {});
  memory.forgetLeft(jane.key);
  expect(memory.hasLeft(jane.key)).toBe(false);
  expect(memory.recordedObject(jane)?.record).toEqual({
    ...record,
    past: true,
    uuid: jane.uuid.toLowerCase(),
  });
});
