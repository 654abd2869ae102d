import { inspect } from "node:util";
import { invalidOwner } from "../../../src/problems";
import { ownedUuid, parseOwnerKey, parseOwner } from "../../../src/ownership";
import { ownerFault } from "../../../src/ownership/claim";

test.each(["a", "acme-platform", "Ångström & söner", "チーム", "x".repeat(255)])(
  "%p can be an owner",
  (owner) => {
    expect(ownerFault(owner)).toBeUndefined();
  },
);

test.each([
  ["", "is empty"],
  ["x".repeat(256), "is longer than 255 characters"],
  [" acme", "begins or ends with white space"],
  ["acme\n", "begins or ends with white space"],
  ["ac\nme", "contains a control character"],
  ["ac\u009bme", "contains a control character"],
  ["ac\u2028me", "contains a control character"],
  ["ac\u2029me", "contains a control character"],
  ["ac\ud800me", "contains half of a surrogate pair"],
])("%j cannot be an owner: it %s", (owner, fault) => {
  expect(ownerFault(owner)).toBe(fault);
});

test("an owner is brought to NFC", () => {
  expect(parseOwner("cafe\u0301")).toEqual({ current: "caf\u00e9" });
});

test("an owner that cannot be one is refused at its attribute", () => {
  expect(() => parseOwner("")).toThrow(
    expect.objectContaining({
      code: invalidOwner.code,
      message: "owner is empty",
      where: { attribute: ["owner"] },
    }) as Error,
  );
});

describe("an owner key", () => {
  const GOOD = "0123456789abcdef";
  const SHORT = "0123456789abcde";

  test("is not needed", () => {
    expect(parseOwnerKey(undefined)).toBeUndefined();
  });

  test("has 16 characters or more", () => {
    expect(parseOwnerKey(GOOD)).toBeDefined();
    expect(() => parseOwnerKey(SHORT)).toThrow("TENANCY_OWNER_KEY is shorter than 16 characters");
    expect(() => parseOwnerKey("\u{1f511}".repeat(15))).toThrow(/shorter/);
  });

  test("with white space around it is most likely a slip", () => {
    expect(() => parseOwnerKey(`${GOOD}\n`)).toThrow(/begins or ends with white space/);
  });

  test("is the same in every Unicode form", () => {
    const uuids = ["cafe\u0301 cafe\u0301 cafe\u0301", "caf\u00e9 caf\u00e9 caf\u00e9 "].map((key) =>
      ownedUuid({
        owner: "acme",
        kind: "account",
        names: ["globex"],
        ownerKey: parseOwnerKey(`${key.trim()} key`),
      }),
    );
    expect(uuids[0]).toBe(uuids[1]);
  });

  test("is not shown by what shows an owner, nor by the error about it", () => {
    const owners = parseOwner("acme", parseOwnerKey(GOOD));
    expect(inspect(owners, { depth: 9, showHidden: true }) + JSON.stringify(owners)).not.toMatch(
      /0123456789/,
    );
    expect(() => parseOwnerKey(SHORT)).toThrow(expect.not.stringContaining(SHORT) as Error);
  });
});
