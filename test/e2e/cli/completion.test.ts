/** Completion in real shells: covers src/cli/verbs/completion.ts. */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { accounts, commandProjects, type CommandProject } from "../../support/command";
import { built, COMMAND, run } from "../../support/built-command";
import { describeWith } from "../../support/programs";

beforeAll(built);
const start = commandProjects();

/** A synthesized project, with a program `tenancy` that the shells find. */
async function project(): Promise<CommandProject> {
  const made = await start({ service: false });
  await made.declare({ staging: accounts("stage"), production: accounts("acme", "globex", "$(touch ran)") });
  await made.tenancy(["synth"]);
  await made.write("bin/tenancy", `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n`);
  await chmod(join(made.folder, "bin/tenancy"), 0o755);
  return made;
}

async function shell(program: string, words: readonly string[], { folder }: CommandProject) {
  const PATH = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const { code, stdout, stderr } = await run(program, words, { folder, environment: { PATH, HOME: folder } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

describeWith(["bash"], "bash", ({ bash }) => {
  test("completes verbs, options, stacks and addresses", async () => {
    const here = await project();
    const completed = async (...words: readonly string[]) =>
      shell(
        bash,
        [
          "-c",
          `source <(tenancy completion bash); complete -p tenancy > registered
           COMP_WORDS=(tenancy "$@"); COMP_CWORD=$#; _tenancy; printf '%s\\n' "\${COMPREPLY[@]}"`,
          "bash",
          ...words,
        ],
        here,
      );
    expect(await completed("pl")).toEqual(["plan", "plugin"]);
    expect(await completed("token", "ro")).toEqual(["rotate"]);
    expect(await completed("plan", "--on")).toEqual(["--only"]);
    expect(await completed("plan", "")).toEqual(["production", "staging"]);
    expect(await completed("apply", "prod")).toEqual(["production"]);
    const addresses = ["tenancy_account.acme", "tenancy_account.globex"];
    expect(await completed("plan", "--only", "tenancy_account.")).toEqual([
      ...addresses,
      "tenancy_account.stage",
    ]);
    expect(await completed("plan", "--only", "=", "tenancy_account.a")).toEqual(["tenancy_account.acme"]);
    expect(await completed("export", "--language", "")).toEqual(["typescript", "hcl"]);
    // The script reads no name of a stack or an object as code.
    expect(await shell("/bin/sh", ["-c", "ls"], here)).not.toContain("ran");
  });
});

describeWith(["fish"], "fish", ({ fish }) => {
  test("completes verbs, options, stacks and addresses", async () => {
    const here = await project();
    const completed = async (line: string) => {
      const lines = await shell(
        fish,
        ["--no-config", "-c", `tenancy completion fish | source; complete -C '${line}'`],
        here,
      );
      return lines.map((one) => one.split("\t")[0]);
    };
    expect(await completed("tenancy pl")).toEqual(["plan", "plugin"]);
    expect(await completed("tenancy plan --on")).toEqual(["--only"]);
    expect(await completed("tenancy apply prod")).toEqual(["production"]);
    expect(await completed("tenancy plan --only=tenancy_account.a")).toEqual(["--only=tenancy_account.acme"]);
  });
});

describeWith(["zsh"], "zsh", ({ zsh }) => {
  test("loads the completion, and knows whose it is", async () => {
    const here = await project();
    const script =
      "autoload -U compinit; compinit -u -D; source <(tenancy completion zsh); print $_comps[tenancy]";
    expect(await shell(zsh, ["-f", "-c", script], here)).toEqual(["_tenancy"]);
  });
});
