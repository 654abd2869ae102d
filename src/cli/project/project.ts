/** Reads the project of a folder from its `cdktf.json`. */
import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileUnusable, noProject, unfitStatePlace } from "../../problems";
import { isObject, nearest, type ObjectValue, parseJson, stringifyJson, type Value } from "../../lib/values";
import type { Io } from "../io";
import { readingProblem, readNamedFile } from "../named-files";

export interface Project {
  readonly folder: string;
  /** Command that synthesizes the stacks. */
  readonly app: string;
  /** Folder that it writes to, as given: relative to the project's. */
  readonly output: string;
  /** JSON of the context that constructs see. */
  readonly context: string | undefined;
  /** Member `requireApproval` of the context, not checked yet; undefined if it is absent. */
  readonly requireApproval: Value | undefined;
  /** Member `drift.ignore` of the context: patterns of differences that are no drift, each with its reason. */
  readonly driftIgnore: readonly { readonly pattern: string; readonly reason: string }[];
}

/**
 * cdktn refuses write-only attributes unless the app declares an engine that supports them. Our engine supports them. cdktf ignores this setting.
 */
const ENGINES = { terraform: ">=1.11.0", opentofu: ">=1.11.0" };

const DEFAULT_OUTPUT = "cdktf.out";

/** @throws noProject */
export async function readProject(folder: string): Promise<Project> {
  const config = parseProject(await projectText(folder));
  if (!isObject(config))
    throw noProject.error({
      problem: "cdktf.json is not a JSON object",
      advice: "Make it one, with the member `app`.",
    });
  const { app, output = DEFAULT_OUTPUT, context } = config;
  if (typeof app !== "string" || app.trim() === "") {
    throw noProject.error({
      problem: "cdktf.json does not say how to synthesize",
      advice: 'Give it a member `app`, such as "app": "npx tsx main.ts".',
    });
  }
  if (typeof output !== "string" || output === "") {
    throw noProject.error({
      problem: "`output` in cdktf.json is not a folder's name",
      advice: `Leave it out for "${DEFAULT_OUTPUT}".`,
    });
  }
  const declaredContext = isObject(context) ? context : {};
  return {
    folder,
    app,
    output,
    context: stringifyJson({ targetVersions: ENGINES, ...declaredContext }),
    requireApproval: requireApprovalIn(declaredContext),
    driftIgnore: driftIgnoreIn(declaredContext),
  };
}

/**
 * Reads `projectId` and the context's `state` from `cdktf.json`, if the file exists. {@link readProject} reports other mistakes in it.
 * @throws noProject, unfitStatePlace
 */
export function projectSettings(folder: string): {
  readonly id: string | undefined;
  readonly state: string | undefined;
} {
  let config: Value = null;
  try {
    config = parseJson(readFileSync(join(folder, "cdktf.json"), "utf8").replace(/^\uFEFF/, ""));
  } catch {
    // No project, or one that cannot be read.
  }
  if (!isObject(config)) return { id: undefined, state: undefined };
  const { projectId, context } = config;
  const state = isObject(context) ? context["state"] : undefined;
  if (state !== undefined && typeof state !== "string")
    throw noProject.error({
      problem: "`state` in the context of cdktf.json is no text",
      advice: 'Write the path of a file, or "git:REMOTE/BRANCH".',
    });
  if (state?.startsWith("helper:") === true)
    throw unfitStatePlace.error({
      place: state,
      source: "cdktf.json",
      fault: "a file of the repository must not choose a program",
    });
  return { id: typeof projectId === "string" && projectId !== "" ? projectId : undefined, state };
}

const REQUIRE_APPROVAL = "requireApproval";

/** @throws noProject for a member that is nearly called so: a misspelt demand must not count as none */
function requireApprovalIn(context: ObjectValue): Value | undefined {
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");
  const expectedLetters = letters(REQUIRE_APPROVAL);
  for (const name of Object.keys(context)) {
    const isNearly =
      letters(name).endsWith(expectedLetters) || nearest(letters(name), [expectedLetters]) !== undefined;
    if (isNearly && name !== REQUIRE_APPROVAL)
      throw noProject.error({
        problem: `the context of cdktf.json has the member ${JSON.stringify(name)}`,
        advice: `Call it ${REQUIRE_APPROVAL}.`,
      });
  }
  return Object.hasOwn(context, REQUIRE_APPROVAL) ? context[REQUIRE_APPROVAL] : undefined;
}

const DRIFT_IGNORE = "drift.ignore";

/** @throws noProject if it is not an object of patterns, or if a pattern has no reason: a later reader could not judge the pattern */
function driftIgnoreIn({ [DRIFT_IGNORE]: patterns = {} }: ObjectValue): Project["driftIgnore"] {
  const advice = `Write each pattern with its reason: "${DRIFT_IGNORE}": { "eve@acme": "account for emergencies" }.`;
  if (!isObject(patterns))
    throw noProject.error({ problem: `${DRIFT_IGNORE} in cdktf.json is not an object`, advice });
  return Object.entries(patterns).map(([pattern, reason]) => {
    if (typeof reason !== "string" || reason.trim() === "")
      throw noProject.error({
        problem: `${JSON.stringify(pattern)} of ${DRIFT_IGNORE} in cdktf.json has no reason`,
        advice,
      });
    return { pattern, reason };
  });
}

/** As {@link readProject}; where there is no `cdktf.json` either, stacks that lie in `cdktf.out`. @throws noProject */
export async function readProjectIfAny(folder: string): Promise<Project> {
  const isThere = await stat(join(folder, "cdktf.json")).then(
    () => true,
    () => false,
  );
  if (isThere) return readProject(folder);
  return {
    folder,
    app: "none: there is no cdktf.json",
    output: DEFAULT_OUTPUT,
    context: undefined,
    requireApproval: undefined,
    driftIgnore: [],
  };
}

async function projectText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, "cdktf.json"), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ENOENT"
      ? noProject.error({
          problem: `there is no cdktf.json in ${folder}`,
          advice: "Go to the project's folder, or create a project: tenancy init.",
        })
      : noProject.error({
          problem: `cdktf.json cannot be read (${code ?? "unknown reason"})`,
          advice: "Make it readable.",
        });
  }
}

function parseProject(text: string): Value {
  try {
    return parseJson(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw noProject.error({
      problem: `cdktf.json is not JSON: ${(error as Error).message}`,
      advice: "Fix it; JSON has no comments.",
    });
  }
}

/** A plan that `plan --out` saved, named on the command line of `apply`. */
export interface SavedPlan {
  /** As it was typed. */
  readonly file: string;
  readonly text: string;
}

/** Files have such names, stacks do not. */
const LIKE_A_FILE = /[/\\]|\.(?:json|out|plan|tfplan)$/i;

const FILE_ADVICE = "Name a file that `tenancy plan --out FILE` wrote; paths are relative to this folder.";

/**
 * @returns undefined if the operands name no file: then they are stacks
 * @throws fileUnusable if the file cannot be read
 */
export async function readSavedPlan(operands: readonly string[], io: Io): Promise<SavedPlan | undefined> {
  const [file] = operands;
  if (file === undefined || operands.length > 1) return undefined;
  const problem = await stat(resolve(io.folder, file)).then(
    (stats) => (stats.isFile() ? undefined : stats.isDirectory() ? "is a folder" : "is not a file"),
    readingProblem,
  );
  if (problem !== undefined) {
    if (LIKE_A_FILE.test(file)) throw fileUnusable.error({ file, problem, advice: FILE_ADVICE });
    return undefined;
  }
  return { file, text: await readNamedFile(file, io, "Make it readable.") };
}
