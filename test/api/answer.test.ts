/** What the client makes of answers: covers src/api/records.ts, besides its own source. */
import { Redactor } from "../../src/api/redact";
import { parsePointer, parseRefusedFields } from "../../src/api/answer";

test.each([
  ["/capacity", ["capacity"]],
  ["/limits/vss_num", ["limits", "vss_num"]],
  ["/a~1b/c~0d/~01", ["a/b", "c~d", "~1"]],
  ["/addr/0", ["addr", 0]],
  ["#/limits/vss%5Fnum", ["limits", "vss_num"]],
  ["limits.vss_num", ["limits", "vss_num"]],
  ["limits:vss_num", ["limits", "vss_num"]],
  ["addr[2]", ["addr", 2]],
  ["name", ["name"]],
  ["", []],
  ["/", []],
  ["#/%E0%A4%A", ["%E0%A4%A"]],
])("%j means %j", (pointer, path) => {
  expect(parsePointer(pointer)).toEqual(path);
});

test("a list of errors that is no list, or has odd elements, does no harm", () => {
  const redactor = new Redactor();
  expect(parseRefusedFields(undefined, redactor)).toEqual([]);
  expect(parseRefusedFields({ errors: "no" }, redactor)).toEqual([]);
  expect(
    parseRefusedFields({ errors: [null, 7, "just words", { field: 3, type: "missing" }] }, redactor),
  ).toEqual([
    { path: [], message: "no reason given" },
    { path: [], message: "no reason given" },
    { path: [], message: "just words" },
    { path: [], message: "missing" },
  ]);
});
