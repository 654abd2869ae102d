import { InvalidOwner } from "../../src/errors";
import { ownerFault, parseOwners } from "../../src/ownership";

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
  expect(current).toBeInstanceOf(InvalidOwner);
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
