import { invalidOwner } from "../../../src/problems";
import { parseOwner } from "../../../src/ownership";
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
  expect(parseOwner("cafe\u0301")).toBe("caf\u00e9");
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
