/** `tenancy ci pack`: synthesizes in a job without secrets, and writes the files for the jobs with secrets. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { unsetVariables, validate } from "../../../engine";
import { ARCHIVE_FILE, archiveText, isVariableFile, Repository, repositoryOf } from "../../../pipeline";
import { type Diagnostic, isError, otherStacks } from "../../../problems";
import { diagnosticsText } from "../../../render/text";
import { counted } from "../../../lib/values";
import { diagnosticsOf } from "../../failure";
import { EXIT, type Io } from "../../io";
import { unreadable, writeNamedFile } from "../../named-files";
import { stacksFor } from "../../project/stacks";
import type { Verb } from "../verb";
import { inPipeline, workflowStacks } from "./job";

export const pack: Verb<"ci pack"> = (_call, terminal) =>
  inPipeline(terminal, async (jobTerminal, signal) => {
    const { io, screen } = jobTerminal;
    const workflow = workflowStacks(io);
    await mergeTargetBranch(io);

    const stacks = await stacksFor([], {}, jobTerminal, signal, { orAll: true });
    const app = stacks.map(({ name }) => name);
    // A stack without a job would not be applied. The order is the workflow's, which a person may have changed.
    const isBefore = (name: string, other: string) => workflow.indexOf(name) < workflow.indexOf(other);
    const areAll = app.length === workflow.length && app.every((name) => workflow.includes(name));
    if (!areAll || stacks.some(({ name, after }) => after.some((earlier) => !isBefore(earlier, name))))
      throw otherStacks.error({ app, workflow });

    const options = { environment: io.environment, projectFolder: io.folder, signal };
    const findings: Diagnostic[] = [];
    const unset = new Set<string>();
    for (const stack of stacks) {
      findings.push(...(await validate(stack, options).catch((error: unknown) => diagnosticsOf(error, io))));
      for (const variable of await unsetVariables(stack, options)) unset.add(variable);
    }
    if (findings.length > 0) screen.tell(diagnosticsText(findings, screen.talk));
    if (findings.some(isError)) return EXIT.failed;

    const files = new Map<string, string>();
    for (const { outdir, output, stacks: all } of stacks.slice(0, 1))
      for (const file of [join(outdir, "manifest.json"), ...all.map((stack) => stack.file)]) {
        const path = relative(io.folder, join(output, relative(outdir, file)));
        files.set(path.split(sep).join("/"), await readText(file));
      }
    for (const name of (await readdir(io.folder)).filter(isVariableFile).sort())
      files.set(name, await readText(join(io.folder, name)));
    await writeNamedFile(ARCHIVE_FILE, archiveText(files), io);

    screen.print(`Packed ${counted(app.length, "stack")} in ${ARCHIVE_FILE}: ${app.join(", ")}.`);
    const absent = await variablesWithoutPlace([...unset].sort(), io);
    if (absent.length > 0)
      screen.print(
        `The stacks need values that the pipeline does not pass on: ${absent.map((name) => `TF_VAR_${name}`).join(", ")}.
Name each once among the variables of the jobs that review and apply.`,
      );
    return EXIT.ok;
  });

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

/**
 * Variables without a value that the project's workflow does not mention. At GitLab, values are in the project's settings, which no job sees.
 */
async function variablesWithoutPlace(names: readonly string[], { folder }: Io): Promise<readonly string[]> {
  if (names.length === 0) return names;
  const { top, place } = await repositoryOf(folder);
  const workflow = join(top, ".github", "workflows", `${place.prefix}tenancy.yml`);
  const text = await readFile(workflow, "utf8").catch(() => "");
  return names.filter((name) => !new RegExp(`^\\s*TF_VAR_${name}\\s*:`, "m").test(text));
}

/**
 * At GitLab, the pipeline of a merge request has the branch alone, unless the project merges results. The plan must be for the merged tree,
 * even if the branch is behind.
 */
async function mergeTargetBranch({ environment, folder }: Io): Promise<void> {
  const target = environment["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] ?? "";
  if (target === "" || environment["CI_MERGE_REQUEST_EVENT_TYPE"] === "merged_result") return;
  await new Repository(folder, environment).merge(`refs/heads/${target}`);
}
