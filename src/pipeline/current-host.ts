/** Finds the host whose job the command runs in. */
import type { Environment } from "../lib/values";
import { unfitPipeline } from "../problems";
import { GithubHost } from "./github";
import { GitlabHost } from "./gitlab";
import type { Host } from "./host";
import type { Place } from "./place";

/**
 * The host whose job the command runs in.
 * @param place of the project in its repository: with it begin the names of its workflows and jobs
 * @throws unfitPipeline outside of a pipeline, and where the pipeline gives it too little
 */
export function hostOf(environment: Environment, place: Place, signal?: AbortSignal): Host {
  if (environment["GITHUB_ACTIONS"] === "true") return new GithubHost(environment, place, signal);
  if (environment["GITLAB_CI"] === "true") return new GitlabHost(environment, place, signal);
  throw unfitPipeline.error({
    problem: "this is no job of GitHub Actions or GitLab CI",
    advice: "The verbs of `tenancy ci` run in pipelines. At your desk, use `tenancy plan` and its like.",
  });
}
