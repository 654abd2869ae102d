import { withGuardedOutput, withoutHostCommands } from "../../src/pipeline";

test.each([
  ["::error::gotcha", "\\::error::gotcha"],
  ["    ::add-mask::x", "    \\::add-mask::x"],
  ["\t::set-env name=A::b", "\t\\::set-env name=A::b"],
  ["a name ##[error]gotcha", "a name #\\#[error]gotcha"],
  ["a name ##vso[task.setvariable]x", "a name #\\#vso[task.setvariable]x"],
  ["section_start:0:a\r\u001b[0K", "section\\_start:0:a\\r\\x1b[0K"],
  ["fine: vss::disk", "fine: vss::disk"],
])("%j is written as %j", (text, written) => {
  expect(withoutHostCommands(text)).toBe(written);
});

test("a line that comes in pieces is looked at as a whole, and nothing stands behind the last mark", async () => {
  const texts: string[] = [];
  const sink = { write: (text: string) => texts.push(text) };
  const result = await withGuardedOutput(sink, { GITHUB_ACTIONS: "true" }, async (guarded) => {
    guarded.write("  :");
    guarded.write(":error::x\nlast");
    return Promise.resolve(7);
  });
  const [, mark = ""] = /^::stop-commands::([0-9a-f]{32})\n$/.exec(texts[0] ?? "") ?? [];
  expect(result).toBe(7);
  expect(texts.slice(1)).toEqual(["  \\::error::x\n", "last\n", `::${mark}::\n`]);
});

test("the marks stand around an error, too, and only GitHub gets them", async () => {
  const texts: string[] = [];
  const sink = { write: (text: string) => texts.push(text) };
  const work = async () => Promise.reject(new Error("broken"));
  await expect(withGuardedOutput(sink, { GITHUB_ACTIONS: "true" }, work)).rejects.toThrow("broken");
  expect(texts).toHaveLength(2);
  await expect(withGuardedOutput(sink, { GITLAB_CI: "true" }, work)).rejects.toThrow("broken");
  expect(texts).toHaveLength(2);
});
