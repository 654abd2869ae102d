/** What the pipelines for GitLab share: how a job is written, and how GitLab's API is asked. The image has curl, git and unzip, and Node in place of jq. */
import { below, type Place } from "../../pipeline";
import { type HostWords, indent, refusePublic } from "./shell";

/** As Docker Hub has it; a new version needs a new digest. */
const IMAGE = "node:22.14.0-bookworm@sha256:e5ddf893cc6aeab0e5126e4edae35aa43893e2836d1d246140167ccc2616f5d7";

export const GITLAB: HostWords = {
  remote: "$CI_PROJECT_URL.git",
  sha: "$CI_COMMIT_SHA",
  run: "$CI_JOB_URL",
  isOlder: `[ "$last" != "$CI_COMMIT_SHA" ] \\
  && [ "$(api "$PROJECT/repository/merge_base?refs[]=$last&refs[]=$CI_COMMIT_SHA" | pick '({ id }) => id')" = "$CI_COMMIT_SHA" ]`,
  fail: (why) => `echo "${why}" >&2`,
};

/** Descriptions of the schedules that start what does not follow a merge. */
export const REVIEW_SCHEDULE = "tenancy review";
export const NIGHTLY_SCHEDULE = "tenancy nightly";

interface Job {
  readonly name: string;
  /** Why it is as it is. */
  readonly comment: string;
  /** When it runs: a condition, with or without paths. */
  readonly rules: readonly string[];
  readonly minutes: number;
  /** Lines of YAML, such as `environment`. */
  readonly more?: string;
  readonly needs?: readonly string[];
  /** Each in a shell that the ones before have prepared. */
  readonly script: readonly string[];
  /** What is kept, whatever becomes of the job; and for how long. */
  readonly keep: { readonly paths: readonly string[]; readonly days: number };
}

export function job({ name, comment, rules, minutes, more = "", needs = [], script, keep }: Job): string {
  return `
# ${comment.replace(/\n/g, "\n# ")}
${name}:
  image: ${IMAGE}
  stage: test
  timeout: ${minutes} minutes
  interruptible: false${more}
  # Nothing of another job is put beside the files of the commit.
  dependencies: []
  needs: [${needs.map((other) => `{ job: ${other}, artifacts: false }`).join(", ")}]
  rules:
${rules.map((rule) => indent(rule, 4)).join("\n")}
  script:
${script.map((shell) => `    - |\n${indent(shell, 6)}`).join("\n")}
  artifacts:
    when: always
    access: developer
    expire_in: ${keep.days} days
    paths:
${keep.paths.map((path) => `      - ${JSON.stringify(path)}`).join("\n")}
`;
}

const changes = (place: Place): string =>
  place.path === "."
    ? ""
    : `\n  changes: ["${below(place)}**/*", ".gitlab/${place.prefix}tenancy.yml", ".gitlab-ci.yml"]`;

export const ON_MERGE_REQUEST = (place: Place): string =>
  `- if: $CI_PIPELINE_SOURCE == "merge_request_event"${changes(place)}`;
export const ON_MERGE = (place: Place): string =>
  `- if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH${changes(place)}`;
export const ON_SCHEDULE = (description: string): string =>
  `- if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SCHEDULE_DESCRIPTION == "${description}"`;

/** In a shell of its own: an \`exit\` ends that alone. */
export const apart = (shell: string): string => `(
${indent(shell, 2)}
)`;

/** The same, where the job goes on after a failure: a variable says how it ended. */
export const whatever = (outcome: string, shell: string): string => `set +e
(
  set -e
${indent(shell, 2)}
)
if [ $? = 0 ]; then ${outcome}=success; else ${outcome}=failure; fi
set -e`;

export const BEGIN = (place: Place): string => `export RUNNER_TEMP="$(mktemp -d)"${
  place.path === "." ? "" : `\ncd ${place.path}`
}
VISIBILITY="$CI_PROJECT_VISIBILITY" PUBLIC_ALLOWED="\${TENANCY_PUBLIC:-}"
${apart(refusePublic(GITLAB))}`;

/**
 * `api PATH` asks GitLab, `pages PATH FILTER` takes all pages of a list, and `pick FILTER` reads an answer with a function of JavaScript. The token
 * stands in files: everybody sees the words of a command, and a process inherits its environment. As a bearer's it is not sent on to where a download
 * is redirected.
 */
export const API = `umask 077
printf 'header = "Authorization: Bearer %s"\\n' "$TENANCY_GITLAB_TOKEN" > "$RUNNER_TEMP/curl"
printf '%s\\n' "$TENANCY_GITLAB_TOKEN" > "$RUNNER_TEMP/token"
unset TENANCY_GITLAB_TOKEN
api() {
  local path="$1"
  shift
  curl --config "$RUNNER_TEMP/curl" --globoff --fail --silent --show-error --location "$@" "$CI_API_V4_URL$path"
}
pick() {
  node -e '
    const answer = JSON.parse(require("fs").readFileSync(0, "utf8"));
    for (const one of [eval(process.argv[1])(answer)].flat()) if (one !== undefined) console.log(one);
  ' "$1"
}
pages() {
  local page
  for page in $(seq 50); do
    api "$1&per_page=100&page=$page" > "$RUNNER_TEMP/page"
    pick "$2" < "$RUNNER_TEMP/page"
    if [ "$(pick '(all) => all.length' < "$RUNNER_TEMP/page")" != 100 ]; then break; fi
  done
}
PROJECT="/projects/$CI_PROJECT_ID"
api /user > "$RUNNER_TEMP/user"
OWN="$(pick '({ id }) => id' < "$RUNNER_TEMP/user")"
export OWN
# For Git, which asks for a name and a password.
printf '#!/bin/sh\\ncase "$1" in Username*) echo tenancy ;; *) cat "%s" ;; esac\\n' "$RUNNER_TEMP/token" > "$RUNNER_TEMP/askpass"
chmod 700 "$RUNNER_TEMP/askpass"
export GIT_ASKPASS="$RUNNER_TEMP/askpass"`;

/** Unpacks what a job left; links are for the caller to refuse. In a shell of its own it fails as a whole. */
export const fetchArtifact = (jobId: string, folder: string): string =>
  apart(`mkdir -p "${folder}" \\
  && api "$PROJECT/jobs/${jobId}/artifacts" --output "$RUNNER_TEMP/artifact.zip" \\
  && unzip -q -o "$RUNNER_TEMP/artifact.zip" -d "${folder}"`);
