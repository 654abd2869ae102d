import { isMasked, maskFits } from "../../../src/schema";

test.each([
  "******4567",
  "•••• 4567",
  "+1 *** *** 4567",
  "xxx-xxx-4567",
  "XXXXXX4567",
  "###4567",
  "j***@acme.example",
  "*",
])("%s is masked", (shown) => expect(isMasked(shown)).toBe(true));

test.each(["4155554567", "max@example.com", "foxx@xx.example", "555 x12", "555#12", "", "Xerxes"])(
  "%s is shown in full",
  (shown) => expect(isMasked(shown)).toBe(false),
);

test.each([
  ["******4567", "4155554567"],
  ["******4567", "+1 (415) 555-4567"],
  ["415***4567", "415 555 4567"],
  ["j***@acme.example", "jane@acme.example"],
  ["xxx-xxx-4567", "415-555-4567"],
  ["****", "anything"],
])("%s may stand for %s", (shown, value) => expect(maskFits(shown, value)).toBe(true));

test.each([
  ["******4567", "4155550000"],
  ["******4567", "567"],
  ["415***4567", "4164567"],
  ["j***@acme.example", "jane@globex.example"],
  ["max@example.com", "may@example.com"],
])("%s cannot stand for %s", (shown, value) => expect(maskFits(shown, value)).toBe(false));
