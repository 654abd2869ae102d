import type { OutputChange } from "../../../../src/plan";
import { outputLines } from "../../../../src/render/text";

const output = (name: string, after: string, sensitive = false): OutputChange => ({
  name,
  action: "none",
  after,
  type: "string",
  sensitive,
  description: undefined,
});

test("outputs stand by name, one below the other, secrets hidden", () => {
  expect(outputLines([output("url", "https://x"), output("a", "s3cret", true)])).toEqual([
    'url = "https://x"',
    "a   = (sensitive value)",
  ]);
});

test("several sensitive outputs are one line", () => {
  const outputs = [output("b", "s3cret", true), output("url", "https://x"), output("a", "s3cret", true)];
  expect(outputLines(outputs)).toEqual(['url         = "https://x"', "2 sensitive = a, b"]);
});

test("outputs of one name, of several stacks, keep their order", () => {
  const many = Array.from({ length: 400 }, (_unused, index) =>
    output(index % 7 === 0 ? "b" : "a", String(index)),
  );
  const numbers = outputLines(many).map((line) => Number(line.replace(/\D/g, "")));
  const expected = [...many.filter(({ name }) => name === "a"), ...many.filter(({ name }) => name === "b")];
  expect(numbers).toEqual(expected.map(({ after }) => Number(after)));
});
