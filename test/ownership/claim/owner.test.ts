import { inspect } from "node:util";
import { invalidOwner } from "../../../src/problems";
import { ownedUuid, parseOwnerKeys, parseOwners } from "../../../src/ownership";
import { ownerFault } from "../../../src/ownership/claim";
import { thrown } from "../../support/thrown";

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

test("owners are brought to NFC, each named once, the current one first", () => {
  expect(parseOwners("cafe\u0301", ["old", "caf\u00e9", "old"])).toEqual({
    current: "caf\u00e9",
    previous: ["old"],
  });
  expect(parseOwners("acme")).toEqual({ current: "acme", previous: [] });
});

test("an owner that cannot be one is refused at its attribute", () => {
  const refusal = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const current = refusal(() => parseOwners(""));
  expect(current).toEqual(thrown(invalidOwner));
  expect(current).toMatchObject({
    code: "TENANCY_INVALID_OWNER",
    message: "owner is empty",
    where: { attribute: ["owner"] },
  });
  expect(refusal(() => parseOwners("a", ["b", "c "]))).toMatchObject({
    message: "previous_owners[1] begins or ends with white space",
    where: { attribute: ["previous_owners", 1] },
  });
});

describe("an owner key", () => {
  const GOOD = "0123456789abcdef";
  const SHORT = "0123456789abcde";

  test("is not needed", () => {
    expect(parseOwnerKeys(undefined, undefined)).toBeUndefined();
  });

  test("has 16 characters or more, the earlier one as well", () => {
    expect(parseOwnerKeys(GOOD, undefined)).toMatchObject({ previous: undefined, takesUnkeyed: false });
    expect(parseOwnerKeys(GOOD, "none")).toMatchObject({ previous: undefined, takesUnkeyed: true });
    expect(() => parseOwnerKeys(SHORT, undefined)).toThrow("TENANCY_OWNER_KEY is shorter than 16 characters");
    expect(() => parseOwnerKeys(GOOD, SHORT)).toThrow(
      "TENANCY_PREVIOUS_OWNER_KEY is shorter than 16 characters",
    );
    expect(() => parseOwnerKeys("\u{1f511}".repeat(15), undefined)).toThrow(/shorter/);
  });

  test("with white space around it is most likely a slip", () => {
    expect(() => parseOwnerKeys(`${GOOD}\n`, undefined)).toThrow(/begins or ends with white space/);
  });

  test("that is named as an earlier one is a mistake while there is no present one", () => {
    for (const previous of [GOOD, "none"])
      expect(() => parseOwnerKeys(undefined, previous)).toThrow(/TENANCY_OWNER_KEY is not/);
  });

  test("is the same in every Unicode form", () => {
    const uuids = ["cafe\u0301 cafe\u0301 cafe\u0301", "caf\u00e9 caf\u00e9 caf\u00e9 "].map((key) =>
      ownedUuid({
        owner: "acme",
        kind: "account",
        names: ["globex"],
        ownerKey: parseOwnerKeys(`${key.trim()} key`, undefined)?.current,
      }),
    );
    expect(uuids[0]).toBe(uuids[1]);
  });

  test("is not shown by what shows an owner, nor by the error about it", () => {
    const owners = parseOwners("acme", [], parseOwnerKeys(GOOD, "fedcba9876543210"));
    expect(inspect(owners, { depth: 9, showHidden: true }) + JSON.stringify(owners)).not.toMatch(
      /0123456789|fedcba98/,
    );
    expect(() => parseOwnerKeys(SHORT, undefined)).toThrow(expect.not.stringContaining(SHORT) as Error);
  });
});
