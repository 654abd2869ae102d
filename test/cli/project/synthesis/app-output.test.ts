import { appOutput } from "../../../../src/cli/project/synthesis";

const FOLDER = "/work/platform";

test("what an app prints without failing in Node is shown as it is, its end at least", () => {
  expect(appOutput("one\n  two\n", FOLDER)).toBe("one\n  two");
  const long = Array.from({ length: 100 }, (_unused, index) => `line ${index}`);
  expect(appOutput(long.join("\n"), FOLDER)).toBe(long.slice(-25).join("\n"));
});

test("of a stack trace only the app's own line is kept", () => {
  const printed = [
    "/work/platform/node_modules/library/index.js:38",
    "    throw literalSecret.error(path);",
    "          ^",
    "",
    'TenancyError: "password" is a secret',
    "    at secret (/work/platform/node_modules/library/index.js:38:19)",
    "    at Array.flatMap (<anonymous>)",
    "    at make (/work/platform/src/team.ts:7:3)",
    "    at Object.<anonymous> (/work/platform/main.ts:3:1)",
    "    at Module._compile (node:internal/modules/cjs/loader:1521:14) {",
    "  code: 'TENANCY_LITERAL_SECRET',",
    "  advice: 'Give it by a sensitive variable.'",
    "}",
  ];
  expect(appOutput(printed.join("\n"), FOLDER)).toBe(
    [
      'TenancyError: "password" is a secret',
      "in src/team.ts:7:3",
      "{",
      "  code: 'TENANCY_LITERAL_SECRET',",
      "  advice: 'Give it by a sensitive variable.'",
      "}",
    ].join("\n"),
  );
});

test("the line of code is kept where it is the app's, and modules are named by their files", () => {
  const printed = [
    "file:///work/platform/main.mjs:2",
    "throw new Error('boom');",
    "^",
    "",
    "Error: boom",
    "    at file:///work/platform/main.mjs:2:7",
    "    at async node:internal/main:12:3",
  ];
  expect(appOutput(printed.join("\n"), FOLDER)).toBe(
    [
      "file:///work/platform/main.mjs:2",
      "throw new Error('boom');",
      "^",
      "",
      "Error: boom",
      "in main.mjs:2:7",
    ].join("\n"),
  );
});

test("where nothing of the app's own is in the trace, the message stands alone", () => {
  const printed =
    "Error: boom\n    at file:///elsewhere/a.mjs:1:1\n    at %bad% (file://%/:1:1)\n    at <anonymous>";
  expect(appOutput(printed, FOLDER)).toBe("Error: boom");
});

test("a line that no person wrote is left out where it is code, and cut elsewhere", () => {
  const code = `"use strict";${"var a=1;".repeat(5000)}`;
  const printed = [
    "/linked/library/index.js:1",
    code,
    `${" ".repeat(20_000)}^`,
    "",
    "TypeError: Cannot read properties of undefined (reading 'normalize')",
    "    at declare (/linked/library/index.js:1:20001)",
    "    at Object.<anonymous> (/work/platform/main.ts:3:1)",
  ];
  expect(appOutput(printed.join("\n"), FOLDER)).toBe(
    "TypeError: Cannot read properties of undefined (reading 'normalize')\nin main.ts:3:1",
  );
  expect(appOutput("x".repeat(5000), FOLDER)).toBe(`${"x".repeat(1000)}…`);
});
