import { createHmac } from "node:crypto";
import { deriveKey, keyedDigest } from "../../src/credentials/memories";

const key = Buffer.alloc(32, 7);

test("a digest is an HMAC-SHA256 over the list of values", () => {
  const expected = createHmac("sha256", key)
    .update('["a",[1,null],{"b":true,"c":9007199254740993}]')
    .digest("base64");
  expect(keyedDigest(key, "a", [1, null], { c: 9007199254740993n, b: true })).toBe(expected);
});

test("the order of members doesn't matter, that of elements does", () => {
  expect(keyedDigest(key, { a: { x: 1, y: 2 }, b: 2 })).toBe(keyedDigest(key, { b: 2, a: { y: 2, x: 1 } }));
  expect(keyedDigest(key, [{ x: 1, y: 2 }])).toBe(keyedDigest(key, [{ y: 2, x: 1 }]));
  expect(keyedDigest(key, ["a", "b"])).not.toBe(keyedDigest(key, ["b", "a"]));
});

test("values, their kinds and the places between them are told apart", () => {
  const digests = [
    keyedDigest(key, "1"),
    keyedDigest(key, 1),
    keyedDigest(key, null),
    keyedDigest(key, "null"),
    keyedDigest(key, ["1"]),
    keyedDigest(key, "1", "1"),
    keyedDigest(key, '1","1'),
    keyedDigest(Buffer.alloc(32, 8), "1"),
  ];
  expect(new Set(digests).size).toBe(digests.length);
});

test("each purpose has a key of its own, the same every time", () => {
  expect(deriveKey(key, "a")).toEqual(deriveKey(Buffer.from(key), "a"));
  expect(deriveKey(key, "a")).not.toEqual(deriveKey(key, "b"));
  expect(deriveKey(key, "a")).not.toEqual(deriveKey(Buffer.alloc(32, 8), "a"));
  expect(deriveKey(key, "a")).toHaveLength(32);
});
