import { deriveKey, ObjectDigests } from "../../src/credentials/memory-digests";
import type { Value } from "../../src/lib/values";

const key = Buffer.alloc(32, 7);
const digestOf = (value: Value, path = "sms", part = key, object = "user_profile:jane@acme") =>
  new ObjectDigests(part, object).sent(path, value);

test("the order of members doesn't matter, that of elements does", () => {
  expect(digestOf({ a: { x: 1, y: 2 }, b: 2 })).toBe(digestOf({ b: 2, a: { y: 2, x: 1 } }));
  expect(digestOf(["a", "b"])).not.toBe(digestOf(["b", "a"]));
});

test("values, their kinds, their places, objects and keys are told apart", () => {
  const digests = [
    digestOf("1"),
    digestOf(1),
    digestOf(null),
    digestOf("null"),
    digestOf(["1"]),
    digestOf(9007199254740993n),
    digestOf("1", "email"),
    digestOf("1", "sms", Buffer.alloc(32, 8)),
    digestOf("1", "sms", key, "user_profile:joe@acme"),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(digests.join("")).toMatch(/^[A-Za-z0-9+/]+$/);
});

test("an object has the same digests in whatever normal form its name comes", () => {
  expect(digestOf("1", "sms", key, "account:caf\u00e9")).toBe(
    digestOf("1", "sms", key, "account:cafe\u0301"),
  );
});

test("each purpose has a key of its own, the same every time", () => {
  expect(deriveKey(key, "a")).toEqual(deriveKey(Buffer.from(key), "a"));
  expect(deriveKey(key, "a")).not.toEqual(deriveKey(key, "b"));
  expect(deriveKey(key, "a")).not.toEqual(deriveKey(Buffer.alloc(32, 8), "a"));
  expect(deriveKey(key, "a")).toHaveLength(32);
});
