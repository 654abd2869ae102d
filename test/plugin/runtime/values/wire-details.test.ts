import { exactDecimal, Malformed } from "../../../../src/plugin/runtime/msgpack";
import { WireDetails } from "../../../../src/plugin/runtime/values";

test.each<[string, number | bigint]>([
  ["9007199254740993", 9007199254740993n],
  ["9007199254740991", 9007199254740991],
  ["-9223372036854775809", -9223372036854775809n],
  ["0.1", 0.1],
  [".5", 0.5],
  ["1e-7", 1e-7],
  ["1e30", 10n ** 30n],
  ["1.5e1", 15],
  ["-2.50e2", -250],
  ["12.000", 12],
  ["0", 0],
  ["-0.0", 0],
  ["0e-5", 0],
  ["0.00000001", 1e-8],
])("the numeral %s is read exactly, and written as it was read", (text, number) => {
  const details = new WireDetails();
  expect(details.readNumeral(text)).toBe(number);
  if (typeof number === "number" && !Number.isInteger(number))
    expect(details.writeNumeral(number)).toBe(text);
});

test.each([
  "0.1",
  "1.0000000000000000001",
  "0.99999999999999999999",
  "1e-400",
  "4503599627370495.5",
  "-7.00000000000000000001",
])("%s is no integer, and leaves as it came", (text) => {
  const details = new WireDetails();
  const number = details.readNumeral(text) as number;
  expect(Number.isInteger(number)).toBe(false);
  expect(details.writeNumeral(number)).toBe(text);
});

test("digits beyond a double's are kept for the number that they are", () => {
  const details = new WireDetails();
  const third = details.readNumeral("0.33333333333333333333333333");
  expect(details.writeNumeral(third as number)).toBe("0.33333333333333333333333333");
  expect(details.writeNumeral(0.25)).toBe("0.25");
});

test.each([
  "",
  "-",
  "abc",
  "1e",
  "0x10",
  "1 ",
  "Infinity",
  "NaN",
  "1e99999",
  "9007199254740993.5",
  "1".repeat(10_001),
])("%p is no numeral", (text) => {
  expect(() => new WireDetails().readNumeral(text)).toThrow(Malformed);
});

test("a double has all the digits that it has", () => {
  expect(exactDecimal(0.1)).toBe("0.1000000000000000055511151231257827021181583404541015625");
  expect(exactDecimal(-0.5)).toBe("-0.5");
  expect(exactDecimal(2 ** 70)).toBe("1180591620717411303424");
  expect(Number(exactDecimal(5e-324))).toBe(5e-324);
});
