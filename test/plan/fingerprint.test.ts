import { isSameChange } from "../../src/plan";
import { UNKNOWN } from "../../src/values";
import { change } from "../support/plans";

const tagged = (...tags: (string | typeof UNKNOWN)[]) =>
  change({
    kind: "account",
    name: "acme",
    before: { name: "acme" },
    after: { name: "acme", provisioning_tags_include: tags },
  });

test("what is known of a value counts, though a part of it is not known yet", () => {
  expect(isSameChange(tagged("gold", UNKNOWN), tagged("gold", UNKNOWN))).toBe(true);
  expect(isSameChange(tagged("gold", UNKNOWN), tagged("silver", UNKNOWN))).toBe(false);
});
