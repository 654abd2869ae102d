/** Errors of the commands that pipelines run (`tenancy ci …`). */
import { plainText } from "../lib/values";
import { problem } from "./problem";
import { type Advice, inWords } from "./words";

/** The command runs where it must not, or lacks something that the pipeline has to give it. */
export const unfitPipeline = problem<{
  /** As in "CI_PROJECT_ID is not set". */
  problem: string;
  advice: Advice;
}>({
  code: "TENANCY_CI_UNFIT",
  summary: ({ problem }) => problem,
  advice: ({ advice }, say) => inWords(advice, say),
});

/** The host's API refused a request, or did not answer it. */
export const hostFailed = problem<{
  host: string;
  method: string;
  /** Path without the query. */
  path: string;
  /** As in "502" or "it does not answer". */
  because: string;
  /** True if it was tried several times. */
  isRepeated?: boolean;
  /** True if the same request may succeed later, and was not tried again. */
  isPassing?: boolean;
  /** The wait that the host asks for, in milliseconds. */
  retryAfterMs?: number | undefined;
}>({
  code: "TENANCY_CI_HOST",
  summary: ({ host, method, path, because, isRepeated = false }) =>
    `${host} refused ${method} ${plainText(path)}${isRepeated ? " several times" : ""}: ${plainText(because, 300)}`,
  advice: ({ isRepeated = false }) =>
    isRepeated
      ? "Run the job again once the host answers."
      : "Compare the permissions of the job and its token with the list in the guide.",
});

/** The archive of another job cannot be used. */
export const unfitArchive = problem<{
  archive: string;
  /** As in "it is larger than 32 MiB". */
  problem: string;
  advice?: string;
}>({
  code: "TENANCY_FILE_UNUSABLE",
  summary: ({ archive, problem }) => `${plainText(archive)} cannot be used: ${plainText(problem, 300)}`,
  advice: ({ advice = "Run the job again that made it." }) => advice,
});

/** Git could not answer in the clone of a pipeline. */
export const pipelineGitFailed = problem<{
  /** As in "fetch refs/pull/7/merge". */
  task: string;
  words: string;
}>({
  code: "TENANCY_CI_GIT",
  summary: ({ task, words }) =>
    `git could not ${plainText(task)}${words === "" ? "" : `: ${plainText(words, 300)}`}`,
  advice:
    "Make sure that the job's clone is whole (fetch-depth: 0 at GitHub, GIT_DEPTH at GitLab), and that its token reads the repository.",
});

/** The app's stacks are not those of the workflow, or one comes before a stack that it refers to. */
export const otherStacks = problem<{ app: readonly string[]; workflow: readonly string[] }>({
  code: "TENANCY_CI_STACKS",
  summary: ({ app, workflow }) =>
    `the app has the stacks ${stackList(app)}, and the pipeline applies ${stackList(workflow)}`,
  advice: (_, say) =>
    `A stack that the pipeline does not list is never applied, and each stack must follow the stacks that it refers to. Correct TENANCY_STACKS in the workflow${
      say.command(", and run tenancy ci init") ?? ""
    }.`,
});

function stackList(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => plainText(name)).join(", ");
}
