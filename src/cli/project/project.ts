/** The project of a folder, as its `cdktf.json` describes it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { NoProject } from "../../errors";
import { isObject, parseJson, stringifyJson, type Value } from "../../values";

export interface Project {
  readonly folder: string;
  /** Command that synthesizes the stacks. */
  readonly app: string;
  /** Folder that it writes to, as given: relative to the project's. */
  readonly output: string;
  /** JSON of the context that constructs see. */
  readonly context: string | undefined;
}

/** cdktn refuses write-only attributes unless the app says that its engine knows them; ours does. cdktf takes no notice. */
const ENGINES = { terraform: ">=1.11.0", opentofu: ">=1.11.0" };

const DEFAULT_OUTPUT = "cdktf.out";

/** @throws NoProject */
export async function readProject(folder: string): Promise<Project> {
  const config = parsed(await textOf(folder));
  if (!isObject(config))
    throw new NoProject("cdktf.json is not a JSON object", "Make it one, with the member `app`.");
  const { app, output = DEFAULT_OUTPUT, context } = config;
  if (typeof app !== "string" || app.trim() === "") {
    throw new NoProject(
      "cdktf.json does not say how to synthesize",
      'Give it a member `app`, such as "app": "npx tsx main.ts".',
    );
  }
  if (typeof output !== "string" || output === "") {
    throw new NoProject(
      "`output` in cdktf.json is not a folder's name",
      `Leave it out for "${DEFAULT_OUTPUT}".`,
    );
  }
  const declared = isObject(context) ? context : {};
  return { folder, app, output, context: stringifyJson({ targetVersions: ENGINES, ...declared }) };
}

async function textOf(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, "cdktf.json"), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ENOENT"
      ? new NoProject(
          `there is no cdktf.json in ${folder}`,
          "Go to the project's folder, or create a project: tenancy init.",
        )
      : new NoProject(`cdktf.json cannot be read (${code ?? "unknown reason"})`, "Make it readable.");
  }
}

function parsed(text: string): Value {
  try {
    return parseJson(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new NoProject(
      `cdktf.json is not JSON: ${(error as Error).message}`,
      "Fix it; JSON has no comments.",
    );
  }
}
