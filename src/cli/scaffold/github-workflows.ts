/**
 * Writes the workflows for GitHub. They hold no logic: they only assign commands, rights and secrets to jobs. All the rest is done by
 * `tenancy ci` (docs/manual/how-to/pull-requests-on-github.md).
 */
import { version } from "../../../package.json";
import { below, type Place, stateBranch } from "../../pipeline";

/** The settings of the pipelines. */
export interface PipelinePlan {
  /** Names of the stacks, in the order in which they are applied. */
  readonly stacks: readonly string[];
  readonly place: Place;
  /** Name of the default branch. */
  readonly defaultBranch: string;
  /** Environment variables that a user added to the jobs that plan and apply, and variables that the stacks need: `NAME: value` in YAML. */
  readonly variables: readonly string[];
}

export const MARK = "Written by `tenancy ci init`";

const CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8";
const SETUP_NODE = "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444";
/** Both actions have this version. */
const ACTIONS_VERSION = "v5.0.0";
const UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2";

/**
 * Installs only the tool, as the project's own lock file on the default branch names it. A package.json above the project could declare the
 * project a workspace. Without this flag, npm would then use the lock file of that folder, which has other code owners.
 */
export const INSTALL_TOOL = "npm ci --ignore-scripts --no-workspaces";

/** By its path: a dependency of the project may have a program of the same name. */
export const TOOL = "node node_modules/tenancy/lib/cli/tenancy.js";

/** The archive that `tenancy ci pack` writes. */
export const ARCHIVE = "tenancy-stacks";

/** Text of each workflow, by its path in the repository. */
export function githubWorkflows(plan: PipelinePlan): Readonly<Record<string, string>> {
  const { prefix } = plan.place;
  return {
    [`.github/workflows/${prefix}tenancy-pull-request.yml`]: pullRequest(plan),
    [`.github/workflows/${prefix}tenancy-review.yml`]: review(plan),
    [`.github/workflows/${prefix}tenancy.yml`]: branch(plan),
  };
}

function head(about: string, { place: { prefix } }: PipelinePlan, name: string): string {
  return `# ${MARK} ${version}. ${about}
name: ${prefix}${name}`;
}

/** @param settings further variables of all jobs */
function shared({ stacks, place }: PipelinePlan, settings = ""): string {
  const folder =
    place.path === "." ? "" : `\ndefaults: { run: { working-directory: ${JSON.stringify(place.path)} } }`;
  return `permissions: {}${folder}
env: { TENANCY_STACKS: ${stacks.join(" ")}, TENANCY_PUBLIC: "\${{ vars.TENANCY_PUBLIC }}"${settings} }`;
}

/** A whole clone without credentials, and Node without a cache that another run could have filled. */
const SOURCES = `
      - { uses: ${CHECKOUT}, with: { persist-credentials: false, fetch-depth: 0 } } # ${ACTIONS_VERSION}
      - { uses: ${SETUP_NODE}, with: { node-version: 22, package-manager-cache: false } } # ${ACTIONS_VERSION}`;

/** The job that runs the app. */
const packJob = ({ place }: PipelinePlan): string => `
  pack:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions: { contents: read }
    steps:${SOURCES}
      - run: npm ci
      - run: npm test
      - run: npx --no tenancy ci pack
      - uses: ${UPLOAD}
        with: { name: ${ARCHIVE}, path: ${below(place)}${ARCHIVE}.json, if-no-files-found: error, retention-days: 7, overwrite: true }`;

function pullRequest(plan: PipelinePlan): string {
  const { prefix } = plan.place;
  return `${head("Runs the pull request's code: no secret, no permission to write. Other jobs read its files as data.", plan, "tenancy-pull-request")}
on:
  pull_request: # without \`paths\`: if a workflow does not run, its required status never comes
${shared(plan)}
concurrency: { group: "${prefix}tenancy-pull-request-\${{ github.event.pull_request.number }}", cancel-in-progress: true }
jobs:${packJob(plan)}
`;
}

function review(plan: PipelinePlan): string {
  const { prefix } = plan.place;
  return `${head(`The default branch's workflow and tool read what ${prefix}tenancy-pull-request left, as data.`, plan, "tenancy-review")}
on: # No code of the pull request is checked out, installed or run here.
  workflow_run: { workflows: [${prefix}tenancy-pull-request], types: [completed] } # zizmor: ignore[dangerous-triggers]
${shared(plan)}
concurrency: { group: "${prefix}tenancy-review-\${{ github.event.workflow_run.head_repository.id }}-\${{ github.event.workflow_run.head_branch }}" }
jobs:
  review:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    environment: ${prefix}tenancy-review
    permissions: { actions: read, contents: read, pull-requests: write, statuses: write }
    steps:${SOURCES}
      - run: ${INSTALL_TOOL}
      - run: ${TOOL} ci review --pages "$RUNNER_TEMP/pages"
        env:
          GITHUB_TOKEN: \${{ github.token }}
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }} # opens snapshots, and no state
      - uses: ${UPLOAD}
        if: \${{ !cancelled() }}
        with: { name: tenancy-pages, path: "\${{ runner.temp }}/pages", if-no-files-found: ignore, retention-days: 7, overwrite: true }
`;
}

function branch(plan: PipelinePlan): string {
  const { place, defaultBranch, stacks } = plan;
  const { path, prefix } = place;
  const paths =
    path === "." ? "" : `, paths: ["${below(place)}**", ".github/workflows/${prefix}tenancy*.yml"]`;
  const matrix = `matrix: { stack: [${stacks.join(", ")}] }`;
  return `${head("Applies merged changes. Every night: ends expired access, looks for drift, takes a snapshot.", plan, "tenancy")}
on:
  push: { branches: [${defaultBranch}]${paths} }
  schedule: [{ cron: "17 3 * * *" }]
  workflow_dispatch: { inputs: { command: { type: choice, options: [nightly, apply], default: nightly } } }
${shared(plan, `, TENANCY_STATE: "git:origin/${stateBranch(place)}"`)}
# No \`concurrency\`: a run that waits for a reviewer would hold it. The state's lock makes runs wait, and a commit that is no longer the newest is not applied.
jobs:${packJob(plan)}
  apply: # one stack after the other, in an environment of its own each
    needs: pack
    if: github.event_name == 'push' || inputs.command == 'apply'
    strategy: { max-parallel: 1, fail-fast: true, ${matrix} }
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    environment: ${prefix}\${{ matrix.stack }}
    permissions: { actions: read, contents: write, pull-requests: write }
    steps:${trustedSteps("apply", plan)}
  ended: # without reviewers, by a user that manages only users; it is skipped if the environment is empty
    needs: pack
    if: github.event_name == 'schedule' || inputs.command == 'nightly'
    strategy: { fail-fast: false, ${matrix} }
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${prefix}\${{ matrix.stack }}-ended
    permissions: { actions: read, contents: write }
    steps:${trustedSteps("ended", plan)}
  nightly: # by a user that only reads
    needs: [pack, ended]
    if: \${{ !cancelled() && needs.pack.result == 'success' && (github.event_name == 'schedule' || inputs.command == 'nightly') }}
    strategy: { fail-fast: false, ${matrix} }
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${prefix}\${{ matrix.stack }}-read
    permissions: { actions: read, contents: read, issues: write }
    steps:${trustedSteps("nightly", plan)}
`;
}

const COMMANDS = {
  apply: 'ci apply "$STACK" --out "$RUNNER_TEMP/out"',
  ended: 'ci apply "$STACK" --ended',
  nightly: 'ci nightly "$STACK" --out "$RUNNER_TEMP/out"',
} as const;

/** The variables of a step that logs in to the service. A secret that is not set is empty, which counts as not set. */
export const SECRETS = [
  "TENANCY_STATE_KEY",
  "TENANCY_SNAPSHOT_KEY",
  "TENANCY_USERNAME",
  "TENANCY_PASSWORD",
  "TENANCY_TOKEN",
];

function trustedSteps(job: keyof typeof COMMANDS, { variables }: PipelinePlan): string {
  const lines = [
    "STACK: ${{ matrix.stack }}",
    "GITHUB_TOKEN: ${{ github.token }}",
    "TENANCY_ALLOWED_ORIGINS: ${{ vars.TENANCY_ALLOWED_ORIGINS }} # of the environment; unset is an error",
    ...SECRETS.map((name) => `${name}: \${{ secrets.${name} }}`),
    ...variables,
  ];
  const upload = `
      - uses: ${UPLOAD}
        if: always()
        with: { name: "tenancy-\${{ matrix.stack }}", path: "\${{ runner.temp }}/out", if-no-files-found: ignore, retention-days: 30, overwrite: true }`;
  return `${SOURCES}
      - run: ${INSTALL_TOOL}
      - run: ${TOOL} ${COMMANDS[job]}
        env:
${lines.map((line) => `          ${line}`).join("\n")}${job === "ended" ? "" : upload}`;
}
