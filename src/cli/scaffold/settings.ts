/** Settings of a repository's host without which its pipelines are not safe, and that no file of the repository can make. */
import { githubSettings } from "./github-settings";
import { gitlabSettings } from "./gitlab-settings";
import type { PipelineHost } from "./pipelines";
import type { SettingsPlan } from "./state-settings";

/** Explanations as comments, commands as they are. */
export function settingsFor(host: PipelineHost, plan: SettingsPlan): string {
  return (host === "gitlab" ? gitlabSettings : githubSettings)(plan);
}
