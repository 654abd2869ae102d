/** What the store remembers of the last apply: covers src/credentials/object-memory.ts and memory-document.ts. */
import { emptyMemory, readMemory, writeMemory } from "../../src/credentials/memory-document";
import { ObjectMemory } from "../../src/credentials/object-memory";
import type { ObjectValue, Value } from "../../src/lib/values";

const jane = { key: "user_profile:jane@acme", uuid: "6E4F46A6-b0ab-5b69-a4ff-1ac2c4f96f00" };

const store = () => {
  const part = emptyMemory();
  let changes = 0;
  const memory = new ObjectMemory(part, () => void changes++);
  const keep = (object: typeof jane, left: ObjectValue, declaration: ObjectValue | null | undefined) =>
    memory.note({ object, left, declaration });
  const isKept = (object: typeof jane, left: ObjectValue, declaration: ObjectValue | null | undefined) =>
    memory.isNoted({ object, left, declaration });
  return { part, memory, keep, isKept, changes: () => changes };
};

const first: ObjectValue = { email: "jane@acme.example", level: 3, permissions: ["vss.a"] };

test("values that are as the apply left them are not noted twice", () => {
  const { memory, keep, changes } = store();
  keep(jane, first, { email: "jane@acme.example" });
  expect(memory.leftOf(jane)).toEqual({ values: first, declaration: { email: "jane@acme.example" } });
  const before = changes();
  keep(jane, { ...first }, { email: "jane@acme.example" });
  expect(changes()).toBe(before);
});

test("the declaration is remembered, too: another one, none, or one that was not wholly known", () => {
  const { memory, keep, isKept } = store();
  const declarations = [{ email: "a", level: 1 }, { level: 2, email: "a" }, {}, undefined, null];
  for (const declaration of declarations) {
    keep(jane, first, declaration);
    expect(memory.leftOf(jane)?.declaration).toEqual(declaration);
    expect(declarations.filter((one) => isKept(jane, first, one))).toEqual([declaration]);
  }
  expect(isKept(jane, first, null)).toBe(true);
});

test("the names of sensitive values are remembered, and noted anew where they change", () => {
  const { memory, part, keep } = store();
  memory.note({ object: jane, left: first, declaration: {}, sensitive: [["email"], ["contact", "phone"]] });
  expect(part.objects.get(jane.key)?.sensitive).toEqual(["email", "contact.phone"]);
  keep(jane, first, {});
  expect(part.objects.get(jane.key)).not.toHaveProperty("sensitive");
});

test("an object of another uuid under the same key is another one", () => {
  const { memory, keep } = store();
  keep(jane, first, {});
  expect(memory.leftOf({ ...jane, uuid: "other" })).toBeUndefined();
  expect(memory.hasLeft(jane.key)).toBe(true);
  memory.forgetLeft(jane.key);
  expect(memory.hasLeft(jane.key)).toBe(false);
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

test("everything is the same after it was written and read", () => {
  const { memory, keep, part } = store();
  keep(jane, first, {});
  memory.begin("account:acme");
  memory.markComplete();
  const written = JSON.parse(JSON.stringify(writeMemory(part))) as Value;
  const again = new ObjectMemory(readMemory(written, "memory"), () => undefined);
  expect(again.leftOf(jane)).toEqual({ values: first, declaration: {} });
  expect(again.isPending("account:acme")).toBe(true);
  expect(again.isComplete).toBe(true);
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
  expect(memory.leftOf(jane)).toBeDefined();
  const draft = memory.begin(jane.key).draft({ ...jane, uuid: "another" }, "nothing");
  draft.noteLeft({ left: first, declaration: {} });
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

test("the file says what is being written, and whether all is known", () => {
  const { memory, keep, part } = store();
  const write = memory.begin("account:acme");
  const objects = { "account:acme": { uuid: "", writing: true } };
  expect(writeMemory(part)).toEqual({ complete: false, objects });
  write.undo();
  keep(jane, first, {});
  expect(writeMemory(part)).toEqual({
    complete: false,
    objects: { [jane.key]: { uuid: jane.uuid.toLowerCase(), applied: {}, shown: first } },
  });
  memory.forgetLeft(jane.key);
  expect(writeMemory(part)).toBeUndefined();
  memory.markComplete();
  expect(writeMemory(part)).toEqual({ complete: true, objects: {} });
});

test("an object that the service has renamed keeps its memory under the new name", () => {
  const { memory, keep } = store();
  keep(jane, first, { email: "jane@acme.example" });
  memory.note({ object: jane, left: first, declaration: {}, record: { id: "user_profile:1:5" } });
  const janet = { ...jane, key: "user_profile:janet@acme" };
  const draft = memory.draft(janet);
  draft.noteRecord({ id: "user_profile:1:5" });
  draft.keep();
  expect(memory.leftOf(janet)?.values).toEqual(first);
  expect(memory.hasLeft(jane.key)).toBe(false);
});

test("a damaged memory is refused", () => {
  const damaged = { complete: "yes", objects: {} };
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
