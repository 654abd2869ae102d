/** Every command that a message or a page suggests is one that the program takes: its verb, its options and the number of its words. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { main } from "../../src/cli/main";
import { commandWords } from "../../src/state/helper";

const ROOT = join(__dirname, "../..");

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

/** Words that follow "tenancy" and are no verbs: names of pipelines and files, and what a program fills in. */
const NO_VERBS = new Set(["credential", "review", "nightly", "needs", "x"]);

interface Suggestion {
  readonly command: string;
  /** True if it is to be typed as it stands. A sentence may also name a verb, with or without an option. */
  readonly isWhole: boolean;
}

/** Commands in code spans, and in lines of shell blocks. A form such as `tenancy plan [STACKS…]` is no command. */
function commandsIn(file: string): readonly Suggestion[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const spans = /\\?`(?:npx )?tenancy ([^`\n\\]+)\\?`/g;
  const whole = file.endsWith(".md")
    ? /^(?:npx )?tenancy ([^\n]+)$/gm
    : /command\(\s*[`"'](?:[^`"'\n]*: )?tenancy ([^`"'\n]+)[`"']/g;
  return [spans, whole].flatMap((form) =>
    [...text.matchAll(form)]
      .map(([, match = ""]) =>
        match
          .replace(/ +#.*$| (?:&&|\|\||[|>;]) .*$/, "")
          .replace(/(?<=\w)\$\{[^}]*\}/g, "")
          .replace(/\$\{[^}]*\}/g, "x"),
      )
      .map((match) => match.replace(/[.,;:]$/, "").trim())
      .filter((command) => /^[a-z]/.test(command) && !/[[\]…{}<>|]/.test(command))
      .filter((command) => !NO_VERBS.has(command.split(" ")[0] ?? ""))
      .map((command) => ({ command, isWhole: form === whole })),
  );
}

/** @returns what the program says against the command; empty if it takes it */
async function refusal(command: string): Promise<string> {
  let stderr = "";
  const io = {
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => (stderr += text) },
    stdin: new PassThrough(),
    environment: {},
    folder: ROOT,
    onStop: () => () => undefined,
    exit: () => undefined,
  };
  const verbs = { run: async () => 0 } as never;
  await main(commandWords(command), io, () => verbs);
  return stderr;
}

test("every suggested command is taken", async () => {
  const files = [
    "README.md",
    ...filesIn("docs", ".md"),
    ...["problems", "render", "cli", "engine", "plan"].flatMap((folder) => filesIn(`src/${folder}`, ".ts")),
  ];
  const suggestions = files.flatMap((file) => commandsIn(file).map((one) => ({ file, ...one })));
  expect(suggestions.length).toBeGreaterThan(150);
  const faults: string[] = [];
  for (const { file, command, isWhole } of suggestions) {
    const said = await refusal(command);
    if (!isWhole && /missing|not specified/.test(said)) continue;
    if (said !== "") faults.push(`${file}: tenancy ${command}\n${said}`);
  }
  expect(faults).toEqual([]);
});
