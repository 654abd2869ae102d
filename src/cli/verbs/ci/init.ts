/** `tenancy ci init`: writes the pipelines of a project, or brings them up to this version, and says which settings the host needs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { usage } from "../../../problems";
import { EXIT } from "../../io";
import { stacksFor } from "../../project/stacks";
import { isFitForPipelines } from "../../scaffold/deployments";
import { demandFitPath, type Place, repositoryOf } from "../../../pipeline";
import { inclusionOf } from "../../scaffold/gitlab-pipeline";
import {
  existingPipelines,
  type PipelineHost,
  pipelineFiles,
  writePipelines,
} from "../../scaffold/pipelines";
import { codeOwnersPlaces, ownedPaths } from "../../scaffold/files";
import { settingsFor } from "../../scaffold/settings";
import { interruptible } from "../../terminal";
import type { Verb } from "../verb";

export const initPipelines: Verb<"ci init"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const { top, place } = await repositoryOf(io.folder);
    demandFitPath(place);
    const host = hostNamed(operands[0]) ?? (await hostOf(top));
    const app = (await stacksFor([], flags, terminal, signal, { orAll: true })).map(({ name }) => name);
    const unfit = app.find((name) => !isFitForPipelines(name));
    if (unfit !== undefined)
      throw usage.error({
        problem: `the stack "${unfit}" cannot name a job and an environment`,
        advice: "Small letters, digits and hyphens do, beginning with a letter.",
      });

    const existing = await existingPipelines(top, host, place);
    // The order in the files may have been changed by hand, so it is kept. New stacks come last, in the order of the app.
    const names = [
      ...existing.stacks.filter((name) => app.includes(name)),
      ...app.filter((name) => !existing.stacks.includes(name)),
    ];
    const defaultBranch = await defaultBranchOf(top);
    const files = pipelineFiles(host, { stacks: names, place, defaultBranch, variables: existing.variables });
    await writePipelines(top, files);

    screen.print(Object.keys(files).join("\n"));
    if (names.length > 1)
      screen.tell(
        `\nA merge is applied to ${names.join(", then to ")}. For another order, change TENANCY_STACKS in ${Object.keys(files).at(-1)}, and run this again.`,
      );
    screen.tell("\nRead the new and the changed files, and commit them: git status, git diff");
    if (host === "gitlab" && !(await includes(top, place)))
      screen.tell(`\nAdd to .gitlab-ci.yml:\n\n${inclusionOf(place).trimEnd()}`);
    const unowned = await unownedLines(top, host, place);
    if (unowned !== undefined) screen.tell(`\n${unowned}`);
    const stacks = names.map((name) => ({ name }));
    // CODEOWNERS is the repository's own by now.
    screen.tell(settingsFor(host, { stacks, place, defaultBranch, codeOwners: "" }));
    return EXIT.ok;
  });

function hostNamed(operand: string | undefined): PipelineHost | undefined {
  if (operand === undefined || operand === "github" || operand === "gitlab") return operand;
  throw usage.error({
    problem: `no pipelines are written for "${operand}"`,
    advice: "It is github or gitlab.",
  });
}

/** By the files of the repository, and by the address of its remote. */
async function hostOf(top: string): Promise<PipelineHost> {
  const [ci, config] = await Promise.all([textAt(top, ".gitlab-ci.yml"), textAt(top, ".git/config")]);
  return ci !== undefined || /^\s*url = .*gitlab/m.test(config ?? "") ? "gitlab" : "github";
}

async function defaultBranchOf(top: string): Promise<string> {
  const head = await textAt(top, ".git/refs/remotes/origin/HEAD");
  return /^ref: refs\/remotes\/origin\/(\S+)$/m.exec(head ?? "")?.[1] ?? "main";
}

async function includes(top: string, place: Place): Promise<boolean> {
  const [inclusion = ""] = inclusionOf(place).split("\n").slice(1);
  return (await textAt(top, ".gitlab-ci.yml"))?.includes(inclusion.trim()) ?? false;
}

/**
 * The lines that CODEOWNERS lacks: a project that an earlier version began owns less than counts today.
 * @returns undefined where it has a line for everything
 */
async function unownedLines(top: string, host: PipelineHost, place: Place): Promise<string | undefined> {
  const places = codeOwnersPlaces(host);
  const texts = await Promise.all(places.map((path) => textAt(top, path)));
  const at = texts.findIndex((text) => text !== undefined);
  const lines = (texts[at] ?? "").split("\n").map((line) => line.trim().split(/\s+/));
  const isOwned = (path: string) =>
    lines.some(
      ([pattern = ""]) =>
        pattern === "*" || pattern === path || (pattern.endsWith("/") && path.startsWith(pattern)),
    );
  const paths = ownedPaths(host, place);
  const missing = paths.filter((path) => !isOwned(path));
  if (missing.length === 0) return undefined;
  const [, ...owners] = lines.find(([pattern = ""]) => paths.includes(pattern)) ?? [];
  const names = owners.length === 0 ? "@OWNER/TEAM" : owners.join(" ");
  return `Add to ${places[at] ?? places[0]}, with those who decide about access:\n\n${missing.map((path) => `${path} ${names}`).join("\n")}`;
}

function textAt(folder: string, path: string): Promise<string | undefined> {
  return readFile(join(folder, path), "utf8").catch(() => undefined);
}
