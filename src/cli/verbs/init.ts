/** `tenancy init`: writes a project to start from. */
import { constants } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileUnusable, usage } from "../../problems";
import { EXIT, type Io } from "../io";
import { exists, unwritable } from "../named-files";
import { ownPackageFile } from "../own-package";
import type { Flags } from "../program";
import { shellWord } from "../../lib/values";
import { type Deployment, deployment, deploymentsOf } from "../scaffold/deployments";
import { CI_HOSTS, type CiHost, firstStack, projectFiles, sharedFiles } from "../scaffold/files";
import { below, demandFitPath, repositoryOf } from "../../pipeline";
import { settingsFor } from "../scaffold/settings";
import { ask, canAsk } from "../terminal";
import type { Verb } from "./verb";

export const init: Verb<"init"> = async ({ operands, flags }, { io, screen }) => {
  const folder = resolve(io.folder, operands[0] ?? ".");
  const ci = ciHost(flags.ci);
  const deployments = await deploymentsFor(flags, io);
  const codeOwners = flags.codeOwners ?? "@OWNER/TEAM";
  const { top, place } = await repositoryOf(folder);
  if (ci !== "none") demandFitPath(place, "; so does --ci none");
  const source = await ownPackageFile();
  const packageFile = source && basename(source);
  const answers = { name: packageName(folder), deployments, ci, codeOwners, place, packageFile };
  const files = projectFiles(answers);

  const fileNames = Object.keys(files);
  if (packageFile !== undefined) fileNames.push(below(place) + packageFile);
  const present: string[] = [];
  for (const path of fileNames) if (await exists(join(top, path))) present.push(path);
  if (present.length > 0) {
    throw fileUnusable.error({
      file: present.join(", "),
      problem: "already exists; nothing is overwritten",
      advice: "Choose an empty folder: tenancy init FOLDER.",
    });
  }
  // First: without it the other files are of no use.
  if (source !== undefined) await keepPackageFile(source, folder);
  for (const [path, text] of Object.entries(files)) await writeScaffold(top, path, text);
  const toAdd: string[] = [];
  for (const { places, text } of sharedFiles(answers)) {
    const [path] = places;
    const there = await firstFitting(places, (one) => exists(join(top, one)));
    if (there === undefined) {
      await writeScaffold(top, path, text);
      fileNames.push(path);
    } else toAdd.push(`\nAdd to ${there}, which exists:\n\n${text.trimEnd()}`);
  }

  screen.print(fileNames.join("\n"));
  if (top !== folder) screen.tell(`\nThe paths are those of the repository ${top}.`);
  toAdd.forEach((text) => screen.tell(text));
  if (packageFile !== undefined)
    screen.tell(
      `\n${packageFile} is the package of Tenancy that npm install takes. Commit it with the project.`,
    );
  const go = folder === io.folder ? [] : [`cd ${shellWord(operands[0] ?? ".")}`];
  screen.tell(`\nNext:\n\n${[...go, ...nextCommands(deployments)].join("\n")}`);
  if (ci !== "none")
    screen.tell(
      settingsFor(ci, { stacks: deployments, place, codeOwners: flags.codeOwners, defaultBranch: "main" }),
    );
  return EXIT.ok;
};

/** From the project's first installation to its first apply. */
function nextCommands(deployments: readonly Deployment[]): readonly string[] {
  const stack = firstStack(deployments);
  return [
    "npm install",
    "npm test",
    "export TENANCY_USERNAME=… TENANCY_PASSWORD=…",
    `npx tenancy plan${stack}`,
    `npx tenancy apply${stack}`,
  ];
}

/** Copies the package that runs into the project, which cannot install it from a registry. */
async function keepPackageFile(source: string, folder: string): Promise<void> {
  if (!(await exists(source))) {
    throw fileUnusable.error({
      file: source,
      problem: "no longer exists, and the project has to install Tenancy from it",
      advice: "Put the package file back, or run init from another one: npx -p ./FILE.tgz tenancy init.",
    });
  }
  try {
    await mkdir(folder, { recursive: true });
    await copyFile(source, join(folder, basename(source)), constants.COPYFILE_EXCL);
  } catch (error) {
    throw unwritable(join(folder, basename(source)), error, "Choose a folder that you can write to.");
  }
}

const URL_QUESTION = "Address of the service, without /api (such as https://storage.example): ";

async function optionOrAnswer(
  flag: string,
  option: string | undefined,
  question: string,
  io: Io,
): Promise<string> {
  const reply = option ?? (canAsk(io) ? await ask(question, io) : undefined);
  if (reply === undefined || reply.trim() === "")
    throw usage.error({
      problem: `init needs --${flag}`,
      advice: `Pass --${flag}, or answer at a terminal.`,
    });
  return reply.trim();
}

function ciHost(option: string | undefined): CiHost {
  const host = CI_HOSTS.find((one) => one === (option ?? "github"));
  if (host !== undefined) return host;
  throw usage.error({
    problem: `--ci "${option}" is not known`,
    advice: `It is one of ${CI_HOSTS.join(", ")}.`,
  });
}

/** The environments that the flags name; otherwise one. */
async function deploymentsFor(flags: Flags<"init">, io: Io): Promise<readonly Deployment[]> {
  const environments = flags.environment ?? [];
  if (environments.length === 0) {
    const url = await optionOrAnswer("base-url", flags.baseUrl, URL_QUESTION, io);
    return [deployment("platform", url, "--base-url")];
  }
  if (flags.baseUrl !== undefined)
    throw usage.error({
      problem: "--environment says the address of each service, and so does --base-url of the only one",
      advice: "Leave out one of them.",
    });
  return deploymentsOf(environments);
}

/** The folder's name, as far as package.json allows it. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "platform" : name;
}

async function writeScaffold(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    // Never overwrites a file that was created in the meantime.
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    throw unwritable(path, error, "Choose a folder that you can write to.");
  }
}

async function firstFitting(
  all: readonly string[],
  fits: (one: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const one of all) if (await fits(one)) return one;
  return undefined;
}
