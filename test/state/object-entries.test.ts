/** What the state remembers of the last apply: covers src/state/object-entries.ts and object-document.ts. */
import { noObjects, readObjects, writeObjects } from "../../src/state/object-document";
import { ObjectEntries } from "../../src/state/object-entries";
import type { ObjectValue, Value } from "../../src/lib/values";

const jane = { key: "user_profile:jane@acme", uuid: "6E4F46A6-b0ab-5b69-a4ff-1ac2c4f96f00" };

const state = () => {
  const part = noObjects();
  let changes = 0;
  const objects = new ObjectEntries(part, () => void changes++);
  const keep = (object: typeof jane, left: ObjectValue, declaration: ObjectValue | null | undefined) =>
    objects.note({ object, left, declaration });
  const isKept = (object: typeof jane, left: ObjectValue, declaration: ObjectValue | null | undefined) =>
    objects.isNoted({ object, left, declaration });
  return { part, objects, keep, isKept, changes: () => changes };
};

const first: ObjectValue = { email: "jane@acme.example", level: 3, permissions: ["vss.a"] };

test("values that are as the apply left them are not noted twice", () => {
  const { objects, keep, changes } = state();
  keep(jane, first, { email: "jane@acme.example" });
  expect(objects.leftOf(jane)).toEqual({ values: first, declaration: { email: "jane@acme.example" } });
  const before = changes();
  keep(jane, { ...first }, { email: "jane@acme.example" });
  expect(changes()).toBe(before);
});

test("the declaration is remembered, too: another one, none, or one that was not wholly known", () => {
  const { objects, keep, isKept } = state();
  const declarations = [{ email: "a", level: 1 }, { level: 2, email: "a" }, {}, undefined, null];
  for (const declaration of declarations) {
    keep(jane, first, declaration);
    expect(objects.leftOf(jane)?.declaration).toEqual(declaration);
    expect(declarations.filter((one) => isKept(jane, first, one))).toEqual([declaration]);
  }
  expect(isKept(jane, first, null)).toBe(true);
});

test("the names of sensitive values are remembered, and noted anew where they change", () => {
  const { objects, part, keep } = state();
  objects.note({ object: jane, left: first, declaration: {}, sensitive: [["email"], ["contact", "phone"]] });
  expect(part.objects.get(jane.key)?.sensitive).toEqual(["email", "contact.phone"]);
  keep(jane, first, {});
  expect(part.objects.get(jane.key)).not.toHaveProperty("sensitive");
});

test("an object of another uuid under the same key is another one", () => {
  const { objects, keep } = state();
  keep(jane, first, {});
  expect(objects.leftOf({ ...jane, uuid: "other" })).toBeUndefined();
  expect(objects.hasLeft(jane.key)).toBe(true);
  objects.forgetLeft(jane.key);
  expect(objects.hasLeft(jane.key)).toBe(false);
});

test("the objects that an apply left are those that are not gone", () => {
  const { objects, keep } = state();
  const joe = { key: "user_profile:joe@acme", uuid: "2d5c0e1e-0000-4000-8000-000000000000" };
  keep(jane, first, {});
  keep(joe, first, {});
  expect(objects.leftObjects().map(({ key }) => key)).toEqual([jane.key, joe.key]);
  objects.forgetLeft(jane.key);
  expect(objects.leftObjects()).toEqual([joe]);
});

test("everything is the same after it was written and read", () => {
  const { objects, keep, part } = state();
  keep(jane, first, {});
  objects.begin("account:acme");
  objects.markComplete();
  const written = JSON.parse(JSON.stringify(writeObjects(part))) as Value;
  const again = new ObjectEntries(readObjects(written, "objects"), () => undefined);
  expect(again.leftOf(jane)).toEqual({ values: first, declaration: {} });
  expect(again.isPending("account:acme")).toBe(true);
  expect(again.isComplete).toBe(true);
});

test("an object that a run set out to write is pending until it is known what is left of it", () => {
  const { objects, keep, isKept } = state();
  keep(jane, first, {});
  objects.begin(jane.key);
  const others = ["account:acme", "account:globex"] as const;
  const [write] = others.map((key) => objects.begin(key));
  expect([jane.key, ...others].map((key) => objects.isPending(key))).toEqual([true, true, true]);
  // It is noted again, though it is as it was.
  expect(isKept(jane, first, {})).toBe(false);
  keep(jane, first, {});
  expect(isKept(jane, first, {})).toBe(true);
  write?.undo();
  objects.forget(others[1]);
  expect([jane.key, ...others].map((key) => objects.isPending(key))).toEqual([false, false, false]);
});

test("a write of a new object leaves what is remembered of an earlier one of its name until it is made", () => {
  const { objects, keep } = state();
  keep(jane, first, {});
  objects.begin(jane.key).undo();
  expect(objects.leftOf(jane)).toBeDefined();
  const draft = objects.begin(jane.key).draft({ ...jane, uuid: "another" }, "nothing");
  draft.noteLeft({ left: first, declaration: {} });
  draft.keep();
  expect(objects.leftOf(jane)).toBeUndefined();
  expect(objects.leftOf({ ...jane, uuid: "another" })).toBeDefined();
});

test("the state does not change where everything is noted already", () => {
  const { objects, keep, changes } = state();
  keep(jane, first, {});
  keep({ ...jane, key: "account:gone" }, first, {});
  objects.forgetLeft("account:gone");
  objects.markComplete();
  const before = changes();
  objects.markComplete();
  objects.forgetLeft("account:gone");
  objects.forgetLeft("account:nobody");
  objects.forget("account:nobody");
  keep(jane, first, {});
  expect(changes()).toBe(before);
});

test("the file says what is being written, and whether all is known", () => {
  const { objects, keep, part } = state();
  const write = objects.begin("account:acme");
  const written = { "account:acme": { uuid: "", writing: true } };
  expect(writeObjects(part)).toEqual({ complete: false, objects: written });
  write.undo();
  keep(jane, first, {});
  expect(writeObjects(part)).toEqual({
    complete: false,
    objects: { [jane.key]: { uuid: jane.uuid.toLowerCase(), applied: {}, shown: first } },
  });
  objects.forgetLeft(jane.key);
  expect(writeObjects(part)).toBeUndefined();
  objects.markComplete();
  expect(writeObjects(part)).toEqual({ complete: true, objects: {} });
});

test("an object that the service has renamed keeps its objects under the new name", () => {
  const { objects, keep } = state();
  keep(jane, first, { email: "jane@acme.example" });
  objects.note({ object: jane, left: first, declaration: {}, record: { id: "user_profile:1:5" } });
  const janet = { ...jane, key: "user_profile:janet@acme" };
  const draft = objects.draft(janet);
  draft.noteRecord({ id: "user_profile:1:5" });
  draft.keep();
  expect(objects.leftOf(janet)?.values).toEqual(first);
  expect(objects.hasLeft(jane.key)).toBe(false);
});

test("a damaged objects is refused", () => {
  const damaged = { complete: "yes", objects: {} };
  expect(() => readObjects(damaged, "objects")).toThrow("objects.complete is not true or false");
});

test("what is kept without the last apply's values stays when these are forgotten", () => {
  const { objects, keep } = state();
  const record = { id: "user_profile:1:5", serial: "USR5" };
  objects.note({ object: jane, left: first, declaration: {}, record });
  keep(jane, first, {});
  objects.forgetLeft(jane.key);
  expect(objects.hasLeft(jane.key)).toBe(false);
  expect(objects.recordedObject(jane)?.record).toEqual({
    ...record,
    past: true,
    uuid: jane.uuid.toLowerCase(),
  });
});
