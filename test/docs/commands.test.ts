/** The pages of the commands: covers .ci/generate/docs/commands.ts. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeProgram } from "../../src/cli/program";

const folder = join(resolve(__dirname, "../.."), "docs/manual/reference/cli");
const { commands } = makeProgram(
  async () => undefined,
  () => undefined,
);

test.each(commands.filter((command) => command.summary() !== ""))(
  "each option of $_name is on its page",
  (command) => {
    const page = readFileSync(join(folder, `${command.name()}.md`), "utf8");
    for (const verb of [command, ...command.commands])
      for (const option of verb.options.filter(({ hidden }) => !hidden))
        expect(page).toContain(`- \`${option.flags}\`: `);
  },
);

test("the page of all commands leads to each of them", () => {
  const page = readFileSync(join(folder, "index.md"), "utf8");
  for (const command of commands.filter((one) => one.summary() !== ""))
    expect(page).toContain(`[\`${command.name()}\`](${command.name()}.md`);
});
