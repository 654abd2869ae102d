/** What the store remembers of the last apply: covers src/credentials/last-apply.ts. */
import { randomBytes } from "node:crypto";
import {
  inheritLastApply,
  LastApply,
  NO_APPLY_YET,
  readLastApply,
  writeLastApply,
} from "../../src/credentials/last-apply";
import { type ObjectMemory, readMemory, writeMemory } from "../../src/credentials/memories";
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
  const memories = new Map<string, ObjectMemory>();
  const part = NO_APPLY_YET();
  let changes = 0;
  const last = new LastApply(memories, part, key, () => void changes++);
  return { memories, part, last, key, changes: () => changes };
};

const first = left(["jane@acme.example", 3, []], "permissions.vss.a");

test("values that are as the apply left them count as unchanged, and are not noted twice", () => {
  const { last, changes } = store();
  last.keep(jane, first, { email: "jane@acme.example" });
  expect(last.of(jane)?.departure(first)).toEqual({ paths: [], flags: [] });
  const before = changes();
  last.keep(jane, left(["jane@acme.example", 3, []], "permissions.vss.a"), { email: "jane@acme.example" });
  expect(changes()).toBe(before);
});

test("each value and each flag that differs from the note is named", () => {
  const { last } = store();
  last.keep(jane, first, {});
  const now = left(["eve@evil.example", 3, []], "permissions.vss.b");
  expect(last.of(jane)?.departure(now)).toEqual({ paths: ["email"], flags });
  expect(last.of(jane)?.hasLeft("email", "jane@acme.example")).toBe(true);
  expect(last.of(jane)?.hasLeft("email", "eve@evil.example")).toBe(false);
});

test("a value that the service did not show then, or does not show now, counts as unchanged", () => {
  const { last } = store();
  last.keep(jane, left([undefined, 3, undefined], "permissions.vss.a"), {});
  expect(last.of(jane)?.departure(left(["x", undefined, []]))).toEqual({ paths: [], flags: [] });
  expect(last.of(jane)?.hasLeft("email", "x")).toBeUndefined();
});

test("null, zero, false and nothing are told apart", () => {
  const values: readonly (Value | undefined)[] = [null, 0, false, "", "null", [], undefined];
  for (const [index, value] of values.entries()) {
    const { last } = store();
    last.keep(jane, left([value, 3, []]), {});
    for (const [other, now] of values.entries())
      expect(last.of(jane)?.departure(left([now, 3, []])).paths).toEqual(
        index === other || value === undefined || now === undefined ? [] : ["email"],
      );
  }
});

test("names that a later release adds are not compared until they are noted", () => {
  const { last } = store();
  last.keep(jane, first, {});
  const wider: AppliedValues = {
    layout: { paths: ["new", ...paths], flags },
    values: ["x", "jane@acme.example", 3, []],
    isSet: first.isSet,
  };
  expect(last.of(jane)?.departure(wider)).toEqual({ paths: [], flags: [] });
  last.keep(jane, wider, {});
  expect(last.of(jane)?.departure({ ...wider, values: ["y", "jane@acme.example", 3, []] }).paths).toEqual([
    "new",
  ]);
});

test("the declaration is remembered, too: another one, none, or one that was not wholly known", () => {
  const { last } = store();
  last.keep(jane, first, { email: "a", level: 1 });
  expect(last.of(jane)?.isDeclaredAlike({ level: 1, email: "a" })).toBe(true);
  expect(last.of(jane)?.isDeclaredAlike({ level: 2, email: "a" })).toBe(false);
  last.keep(jane, first, undefined);
  expect(last.of(jane)).toMatchObject({ wasDeclared: true });
  expect(last.of(jane)?.isDeclaredAlike({})).toBeUndefined();
  last.keep(jane, first, null);
  expect(last.of(jane)).toMatchObject({ wasDeclared: false });
});

test("an object of another uuid under the same key is another one", () => {
  const { last } = store();
  last.keep(jane, first, {});
  expect(last.of({ ...jane, uuid: "other" })).toBeUndefined();
  expect(last.hasLeft(jane.key)).toBe(true);
  last.drop(jane.key);
  expect(last.hasLeft(jane.key)).toBe(false);
});

test("a note that is damaged is as good as none", () => {
  const { last, memories } = store();
  last.keep(jane, first, {});
  const [memory] = memories.values();
  for (const text of ["", "x", `${memory?.left ?? ""}A`, "AAAAAAAA AAAA -"]) {
    if (memory !== undefined) memory.left = text;
    expect(last.of(jane)).toBeUndefined();
  }
});

test("everything is the same after it was written and read", () => {
  const { last, memories, part, key } = store();
  last.keep(jane, first, {});
  last.markPending(["account:acme"]);
  last.markWhole();
  const written = writeLastApply(part, memories.values());
  const read = readLastApply(JSON.parse(JSON.stringify(written)) as Value, "last_apply");
  const objects = new Map([...memories].map(([name, one]) => [name, readMemory(writeMemory(one), "object")]));
  const again = new LastApply(objects, read, key, () => undefined);
  expect(again.of(jane)?.departure(first)).toEqual({ paths: [], flags: [] });
  expect(again.isPending("account:acme")).toBe(true);
  expect(again.isWhole).toBe(true);
});

test("nothing is written where nothing was applied", () => {
  const { part, memories } = store();
  expect(writeLastApply(part, memories.values())).toBeUndefined();
});

test("the file holds no value, and without the key equal values look different", () => {
  const texts = [store(), store()].map(({ last, memories }) => {
    last.keep(jane, first, { email: "jane@acme.example" });
    last.keep({ ...jane, key: "user_profile:joe@acme" }, first, { email: "jane@acme.example" });
    return [...memories.values()].map(({ left: text }) => text ?? "");
  });
  expect(new Set(texts.flat().map((text) => text.slice(text.indexOf(" ")))).size).toBe(4);
  expect(texts.flat().join("\n")).not.toContain("acme");
});

test("a flag alone is named, unless the group that it is a part of was not shown then, or is not shown now", () => {
  const { last } = store();
  last.keep(jane, first, {});
  const [changed] = flags;
  expect(last.of(jane)?.departure(left(["jane@acme.example", 3, []])).flags).toEqual([changed]);
  expect(last.of(jane)?.departure(left(["jane@acme.example", 3, undefined])).flags).toEqual([]);
  last.keep(jane, { ...first, layout: { paths: ["email", "level"], flags } }, {});
  expect(last.of(jane)?.departure(left(["jane@acme.example", 3, []])).flags).toEqual([]);
});

test("each of hundreds of flags is told by itself, and what is kept of them does not show which were set", () => {
  const { last, memories } = store();
  const many = Array.from({ length: 600 }, (_, index) => `permissions.vss.r${index}`);
  const of = (...set: readonly string[]): AppliedValues => ({
    ...left([null, null, []], ...set),
    layout: { paths, flags: many },
  });
  const changed = [0, 255, 256, 511, 512, 599].map((index) => `permissions.vss.r${index}`);
  last.keep(jane, of(), {});
  const kept = (memories.get(jane.key)?.left ?? "").split(" ")[1] ?? "";
  const bytes = Buffer.from(kept.slice(-100), "base64");
  for (const start of [0, 32, 64])
    expect(bytes.subarray(start, start + 32).some((byte) => byte !== 0)).toBe(true);
  expect(last.of(jane)?.departure(of(...changed)).flags).toEqual(changed);
  last.keep(jane, of(...many), {});
  expect(last.of(jane)?.departure(of(...many.filter((flag) => !changed.includes(flag)))).flags).toEqual(
    changed,
  );
});

test("a whole number of any size is remembered", () => {
  const { last } = store();
  last.keep(jane, left(["", 10n ** 20n, []]), {});
  expect(last.of(jane)?.departure(left(["", 10n ** 20n, []])).paths).toEqual([]);
  expect(last.of(jane)?.departure(left(["", 10n ** 20n + 1n, []])).paths).toEqual(["level"]);
});

test("equal values under other names are noted anew", () => {
  const { last } = store();
  last.keep(jane, first, {});
  const renamed = { ...first, layout: { paths: ["mail", "level", "permissions"], flags } };
  expect(last.isKept(jane, renamed, {})).toBe(false);
  last.keep(jane, renamed, {});
  expect(last.of(jane)?.hasLeft("mail", "jane@acme.example")).toBe(true);
});

test("a note with too few digests is as good as none", () => {
  const { last, memories } = store();
  last.keep(jane, first, {});
  const [memory] = memories.values();
  if (memory?.left !== undefined) memory.left = memory.left.replace(/[\w+/]{4}(=* [^ ]+)$/, "$1");
  expect(memory?.left).toMatch(/^[\w-]{8} [\w+/=]+ [\w+/=]{12}$/);
  expect(last.of(jane)).toBeUndefined();
});

test("an object that a killed run was about to write stays pending until it is known what is left of it", () => {
  const { last } = store();
  const others = ["account:acme", "account:globex"];
  last.markPending([jane.key, ...others]);
  last.keep(jane, first, {});
  expect(last.isPending(jane.key)).toBe(false);
  last.unmarkPending([others[0] ?? ""]);
  last.drop(others[1] ?? "");
  expect(others.map((key) => last.isPending(key))).toEqual([false, false]);
});

test("an object that is pending is noted again, though it is as it was", () => {
  const { last } = store();
  last.keep(jane, first, {});
  last.markPending([jane.key]);
  expect(last.isKept(jane, first, {})).toBe(false);
  last.keep(jane, first, {});
  expect(last.isPending(jane.key)).toBe(false);
  expect(last.isKept(jane, first, {})).toBe(true);
});

test("the store does not change where everything is noted already", () => {
  const { last, changes } = store();
  last.keep(jane, first, {});
  last.keep({ ...jane, key: "account:gone" }, first, {});
  last.drop("account:gone");
  last.markPending(["account:acme"]);
  last.markWhole();
  const before = changes();
  last.markWhole();
  last.markPending([]);
  last.markPending(["account:acme"]);
  last.unmarkPending(["account:globex"]);
  last.drop("account:gone");
  last.drop("account:nobody");
  expect(changes()).toBe(before);
});

test("the objects that an apply left are those that are not gone", () => {
  const { last } = store();
  const joe = { key: "user_profile:joe@acme", uuid: "2d5c0e1e-0000-4000-8000-000000000000" };
  last.keep(jane, first, {});
  last.keep(joe, first, {});
  expect(last.objects().map(({ key }) => key)).toEqual([jane.key, joe.key]);
  last.drop(jane.key);
  expect(last.objects()).toEqual([joe]);
});

test("the file says what is pending, whether all is known, and only the layouts that are used", () => {
  const { last, memories, part } = store();
  const written = () => writeLastApply(part, memories.values());
  last.markPending(["account:acme"]);
  expect(written()).toEqual({ whole: false, pending: ["account:acme"], layouts: {} });
  last.unmarkPending(["account:acme"]);
  last.keep(jane, first, {});
  expect(written()).toEqual({
    whole: false,
    pending: [],
    layouts: { [(memories.get(jane.key)?.left ?? "").slice(0, 8)]: { values: paths, flags } },
  });
  last.drop(jane.key);
  expect(written()).toBeUndefined();
  last.markWhole();
  expect(written()).toEqual({ whole: true, pending: [], layouts: {} });
});

test("a file of an earlier release says nothing of an apply, and one that is damaged is refused", () => {
  expect(readLastApply(undefined, "last_apply")).toEqual(NO_APPLY_YET());
  expect(() => readLastApply({ whole: "yes", pending: [], layouts: {} }, "last_apply")).toThrow(
    "last_apply.whole is not a boolean",
  );
});

test("a part that takes over a former one knows what is pending there, and no more that it knows all", () => {
  const [{ part, last }, former] = [store(), store()];
  last.markPending(["account:acme"]);
  last.markWhole();
  former.last.markPending(["account:globex"]);
  inheritLastApply(part, former.part);
  expect(["account:acme", "account:globex"].every((key) => last.isPending(key))).toBe(true);
  expect(last.isWhole).toBe(false);
});
