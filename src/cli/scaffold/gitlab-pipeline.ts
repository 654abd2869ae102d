/** Writes the pipelines for GitLab. They hold no logic: all of it is done by `tenancy ci` (docs/manual/how-to/pull-requests-on-gitlab.md). */
import { version } from "../../../package.json";
import { ARCHIVE, INSTALL_TOOL, MARK, type PipelinePlan, TOOL } from "./github-workflows";
import { below, type Place, stateBranch } from "../../pipeline";

/** As Docker Hub has it; a new version needs a new digest. */
const IMAGE = "node:22.14.0-bookworm@sha256:e5ddf893cc6aeab0e5126e4edae35aa43893e2836d1d246140167ccc2616f5d7";

/** Descriptions of the schedules for jobs that do not follow a merge. */
export const REVIEW_SCHEDULE = "tenancy review";
export const NIGHTLY_SCHEDULE = "tenancy nightly";

/** Path of the file in the repository. */
export const gitlabFile = ({ prefix }: Place): string => `.gitlab/${prefix}tenancy.yml`;

/** The lines that the repository's own pipeline needs. */
export function inclusionOf(place: Place): string {
  return `include:
  - local: ${gitlabFile(place)}

workflow:
  # A merge is applied by its own pipeline, which the next one does not end.
  auto_cancel:
    on_new_commit: none
`;
}

/** Text of the file, by its path in the repository. */
export function gitlabPipeline(plan: PipelinePlan): Readonly<Record<string, string>> {
  const { stacks, place } = plan;
  const { prefix, path } = place;
  const folder = path === "." ? "" : `cd ${path}, `;
  const changes =
    path === "." ? "" : `\n      changes: ["${below(place)}**/*", "${gitlabFile(place)}", ".gitlab-ci.yml"]`;
  const onMerge = `    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH${changes}`;
  const onSchedule = (description: string) =>
    `    - if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SCHEDULE_DESCRIPTION == "${description}"`;
  const trusted = (job: string, rule: string, words: string, minutes: number): string => `
.${prefix}tenancy-${job}:
  extends: .${prefix}tenancy-trusted
  timeout: ${minutes} minutes
  rules:
${rule}
  script: [${TOOL} ci ${words}]
`;
  const jobs = stacks.flatMap((stack, index) => {
    const before = stacks[index - 1];
    return [
      stackJob(plan, { job: "apply", stack, needs: before === undefined ? [] : [`apply-${before}`] }),
      stackJob(plan, { job: "ended", stack, environment: "-ended" }),
      stackJob(plan, { job: "nightly", stack, environment: "-read", needs: [`ended-${stack}`] }),
    ];
  });
  const out = `artifacts: { when: always, access: developer, expire_in: 30 days, paths: [${below(place)}tenancy-out] }\n`;
  const text = `# ${MARK} ${version}. Credentials are in protected variables, each for one environment.
.${prefix}tenancy:
  image: ${IMAGE}
  stage: test
  interruptible: false
  dependencies: [] # no files of other jobs among the files of the commit
  variables:
    GIT_DEPTH: "0"
    TENANCY_STACKS: ${stacks.join(" ")}
    TENANCY_STATE: git:origin/${stateBranch(place)}

# Runs the app of a merge request or of the default branch. It has no environment, so it gets no credentials.
${prefix}tenancy-pack:
  extends: .${prefix}tenancy
  timeout: 15 minutes
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"${changes}
${onMerge}
${onSchedule(NIGHTLY_SCHEDULE)}
  script: [${folder}npm ci, npm test, npx --no tenancy ci pack]
  artifacts: { paths: [${below(place)}${ARCHIVE}.json], access: developer, expire_in: 7 days }

# The locked tool of the default branch, and nothing else.
.${prefix}tenancy-trusted:
  extends: .${prefix}tenancy
  before_script: [${folder}${INSTALL_TOOL}]

# Reads the files of the merge requests' jobs as data. It has a token of the project and the key of the snapshots, and no credential of a service.
${prefix}tenancy-review:
  extends: .${prefix}tenancy-trusted
  timeout: 60 minutes
  needs: []
  environment: { name: ${prefix}tenancy-review, action: access }
  resource_group: ${prefix}tenancy-review
  rules:
${onSchedule(REVIEW_SCHEDULE)}
  script: [${TOOL} ci review --pages tenancy-pages]
  artifacts: { when: always, access: developer, expire_in: 7 days, paths: [${below(place)}tenancy-pages] }

# Applies merged changes to one stack after the other.${trusted("apply", onMerge, 'apply "$STACK" --out tenancy-out', 60)}  ${out}
# Removes expired access, by a user that manages only users; it is skipped if the environment has no variables.${trusted(
    "ended",
    onSchedule(NIGHTLY_SCHEDULE),
    'apply "$STACK" --ended',
    30,
  )}  allow_failure: true # the issue says so first

# Looks for drift, and takes a snapshot, by a user that only reads.${trusted("nightly", onSchedule(NIGHTLY_SCHEDULE), 'nightly "$STACK" --out tenancy-out', 30)}  ${out}
${jobs.join("")}`;
  return { [gitlabFile(place)]: text };
}

/** A job of one stack. */
function stackJob(
  { place: { prefix } }: PipelinePlan,
  {
    job,
    stack,
    environment = "",
    needs = [],
  }: {
    readonly job: "apply" | "ended" | "nightly";
    readonly stack: string;
    /** The suffix of the environment's name. */
    readonly environment?: string;
    readonly needs?: readonly string[];
  },
): string {
  const all = ["pack", ...needs].map((name) => `{ job: ${prefix}tenancy-${name}, artifacts: false }`);
  const action = job === "apply" ? "" : ", action: access";
  return `${prefix}tenancy-${job}-${stack}:
  extends: .${prefix}tenancy-${job}
  variables: { STACK: ${stack} }
  environment: { name: ${prefix}${stack}${environment}${action} }
  needs: [${all.join(", ")}]
`;
}
