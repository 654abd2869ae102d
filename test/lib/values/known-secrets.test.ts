/** Secrets of a run that stand in values of records: covers src/lib/values/known-secrets.ts. */
import { KnownSecrets } from "../../../src/lib/values";

function knowing(...secrets: readonly string[]): KnownSecrets {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  return known;
}

const LONG = "correct-horse-battery-staple";

test.each([
  ["itself", LONG],
  ["inside another text", `pw: ${LONG}!`],
  ["in base64", Buffer.from(LONG).toString("base64")],
  ["in base64 for addresses", Buffer.from(LONG).toString("base64url")],
])("a long secret is found %s", (_where, text) => {
  expect(knowing("x", LONG).isIn(text)).toBe(true);
  expect(knowing(LONG).longPathsIn({ a: ["b", text] })).toEqual([["a", 1]]);
});

test("a short secret is found where it is the whole value, and names no path to a reader", () => {
  const known = knowing("hunter2");
  expect(["hunter2", "hunter22", "x hunter2"].map((text) => known.isIn(text))).toEqual([true, false, false]);
  expect(knowing("hunter2-2").isIn("x hunter2-2")).toBe(true);
  expect(known.longPathsIn({ a: "hunter2" })).toEqual([]);
  expect(knowing("").isIn("")).toBe(false);
});

test("a path ends where a key is a secret", () => {
  const value = { plain: "x", list: [{ [LONG]: 1 }, "y"], texts: ["hunter2"] };
  expect(knowing(LONG, "hunter2").pathsIn(value)).toEqual([
    ["list", 0],
    ["texts", 0],
  ]);
});

test("the secrets of a record are known by the names of its members", () => {
  const known = new KnownSecrets();
  known.addFrom({
    name: "acme-acme",
    password_wo: "first-secret",
    previous: [{ access_token: "second-secret", serial: "serial-1" }],
    two_factor: { secret: "third-secret" },
  });
  const texts = ["first-secret", "second-secret", "third-secret", "acme-acme", "serial-1"];
  expect(texts.map((text) => known.isIn(text))).toEqual([true, true, true, false, false]);
});
