/** How pages are read whose commands are run: test/support/pages.ts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, isShownAs, Shell, stepsOf } from "../../support/pages";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

function blocksIn(...lines: readonly string[]) {
  const file = join(folder(), "page.md");
  writeFileSync(file, lines.join("\n"));
  return blocksOf(file);
}

test("each block has its section and its language, and loses the indentation of its fence", () => {
  expect(
    blocksIn("# One", "```sh", "# no heading", "```", "## Two", "- x", "  ```", "    y", "  ```"),
  ).toEqual([
    { section: "One", language: "sh", text: "# no heading\n" },
    { section: "Two", language: "", text: "  y\n" },
  ]);
});

test("a fence that is not understood, and one without an end, are errors", () => {
  expect(() => blocksIn("```sh title", "rm x", "```")).toThrow("no fence of a block");
  expect(() => blocksIn("````", "x", "````")).toThrow("no fence of a block");
  expect(() => blocksIn("```sh", "rm x")).toThrow("has no end");
});

test("a step is a command, over several lines where they end with a backslash, and what it prints", () => {
  expect(stepsOf("$ a \\\n  b\nout\n\nmore\n$ c\n")).toEqual([
    { command: "a \\\n  b", output: "out\n\nmore\n" },
    { command: "c", output: "" },
  ]);
  // What stands before the first prompt is run, and fails, in place of being left out.
  expect(stepsOf("no prompt\n$ c\n")[0]).toEqual({ command: "no prompt", output: "" });
});

test.each([
  ["a\nb\n", "a\nb", true],
  ["a\nb\n", "a", false],
  ["a\n", "", false],
  ["a\nb\nc\n", "a\n…\nc", true],
  ["a\nc\n", "a\n…\nc", true],
  ["a\nb\n", "a\n…\nc", false],
  ["serial 12, ok\n", "serial …, ok", true],
  ["serial 12, ok\n", "serial …, not ok", false],
  ["1.5\n", "1+5", false],
])("of %j the page shows %j: %s", (printed, shown, isShown) => {
  expect(isShownAs(printed, shown)).toBe(isShown);
});

test("a shell keeps folder and environment from one script to the next, and a failing command is an error", async () => {
  const shell = new Shell(folder(), { PATH: process.env["PATH"] });
  await shell.run("mkdir there\ncd there\nexport WORD=kept");
  expect(await shell.run('echo "$WORD in ${PWD##*/}"')).toBe("kept in there\n");
  await expect(shell.run("echo before\nfalse\necho after")).rejects.toThrow("It printed:\nbefore\n");
});
