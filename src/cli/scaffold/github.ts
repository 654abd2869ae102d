/**
 * Makes the workflows for GitHub that `tenancy init` writes. An app is a program that can read what its parents hold: where it runs there is no
 * secret and no permission to write, and where a secret is, its output is data (docs/guides/pull-requests.md).
 */
import type { Deployment } from "./deployments";
import { apply, nightly } from "./github-branch";
import {
  atTop,
  basics,
  CHECKOUT,
  GITHUB,
  LOCKED_TOOL,
  refuse,
  RUN_APP,
  RUNNER,
  script,
  SETUP_NODE,
  SOURCES,
  upload,
  uploadStacks,
} from "./github-steps";
import { type Place, statusName, TOP } from "../../pipeline";
import { findTouched, indent, judge, planStacks, refuseLinks } from "./shell";

/** Text of each workflow, by its path in the repository. */
export function githubFiles(
  deployments: readonly Deployment[],
  place: Place = TOP,
): Readonly<Record<string, string>> {
  const folder = `.github/workflows/${place.prefix}tenancy`;
  return {
    [`${folder}-pull-request.yml`]: pullRequest(place),
    [`${folder}-review.yml`]: review(deployments, place),
    [`${folder}-apply.yml`]: apply(deployments, place),
    [`${folder}-nightly.yml`]: nightly(deployments, place),
  };
}

/** A change of what is below one of these, or of that very file, concerns the project. */
function pathsOf({ path, prefix }: Place): readonly string[] {
  return [path, `.github/workflows/${prefix}tenancy-pull-request.yml`];
}

function pullRequest(place: Place): string {
  return `# A pull request's own job. It runs the pull request's code, so it holds no secret and may write nothing. What it uploads is
# read, as data, by ${place.prefix}tenancy-review.yml, which is always the one of the default branch.
name: ${place.prefix}tenancy-pull-request

on:
  # No \`paths\` here: where a workflow does not run, a required status is awaited for ever.
  pull_request:

${basics(place)}

concurrency:
  group: ${place.prefix}tenancy-pull-request-\${{ github.ref }}
  cancel-in-progress: true

jobs:
  synthesize:
    runs-on: ${RUNNER}
    timeout-minutes: 15
    permissions:
      contents: read
    steps:${refuse(place)}
      # GitHub checks out the merge commit: what is planned is what the merge will be, even from a branch that is behind.${place.path === "." ? SOURCES + RUN_APP : whereTouched(place)}
      # Stacks read files (\`file("files/…")\`) from the folder "files"; name other places here.${uploadStacks(place)}${place.path === "." ? "" : WHERE_TOUCHED}
`;
}

const WHERE_TOUCHED = "\n        if: steps.paths.outputs.touched == 'true'";

/** The same, for pull requests that concern the project. The others are done at once. */
function whereTouched(place: Place): string {
  const app = `
      - uses: ${SETUP_NODE}
        with:
          node-version: 22
          package-manager-cache: false${RUN_APP}`;
  return `
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
          # The merge commit, and what it is merged into.
          fetch-depth: 2
      - name: Find out whether the project is concerned
        id: paths${atTop(place)}
        env:
          PATHS: ${pathsOf(place).join(" ")}${script(`git diff --name-only --no-renames HEAD^1 HEAD > "$RUNNER_TEMP/names"
${findTouched("$RUNNER_TEMP/names")}
echo "touched=$touched" >> "$GITHUB_OUTPUT"`)}${app.replace(/^ {6}- (.*)$/gm, `      - $1${WHERE_TOUCHED}`)}`;
}

function review(deployments: readonly Deployment[], place: Place): string {
  const { path, prefix } = place;
  const atRoot = path === ".";
  const planned = atRoot ? "steps.pull.outputs.number != ''" : "steps.paths.outputs.touched == 'true'";
  return `# Plans a pull request from the newest snapshot, comments, and sets the status "${statusName(place)}". It runs no code of the pull request.
name: ${prefix}tenancy-review

on:
  # It is the default branch's workflow that runs, with the default branch's lock file. What it reads of the pull request is data.
  # zizmor: ignore[dangerous-triggers]
  workflow_run:
    workflows: [${prefix}tenancy-pull-request]
    types: [completed]

${basics(place)}

# One branch's reviews wait for each other: what an earlier commit's says never stands where a later one's has stood, and there is one comment.
concurrency:
  group: ${prefix}tenancy-review-\${{ github.event.workflow_run.head_branch }}
  cancel-in-progress: false
  queue: max

jobs:
  review:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ${RUNNER}
    timeout-minutes: 15
    # Holds the key of the snapshots, and no credential of a service.
    environment: ${prefix}tenancy-review
    permissions:
      actions: read
      contents: read
      pull-requests: write
      statuses: write
    env:
      STACKS: ${deployments.map(({ name }) => name).join(" ")}
    steps:${refuse(place)}
      - name: Find the pull request
        id: pull${atTop(place)}
        env:
          GH_TOKEN: \${{ github.token }}
          HEAD_SHA: \${{ github.event.workflow_run.head_sha }}
          BASE: \${{ github.event.repository.default_branch }}
        run: |
          # Never by what the artifact says: the open pull request whose head was built.
          gh api --paginate "repos/$GITHUB_REPOSITORY/pulls?state=open&per_page=100" \\
            --jq '.[] | select(.head.sha == env.HEAD_SHA and .base.ref == env.BASE) | .number' > "$RUNNER_TEMP/numbers"
          echo "number=$(head -n 1 "$RUNNER_TEMP/numbers")" >> "$GITHUB_OUTPUT"${atRoot ? "" : findPaths(place)}${LOCKED_TOOL}
      - name: Take what the pull request's job left, as data
        if: ${planned}
        env:
          GH_TOKEN: \${{ github.token }}
          RUN: \${{ github.event.workflow_run.id }}
        run: |
          gh run download "$RUN" --name stacks --dir "$RUNNER_TEMP/pull"
          ${refuseLinks("$RUNNER_TEMP/pull")}
      - name: Take the newest snapshots
        if: ${planned}
        env:
          GH_TOKEN: \${{ github.token }}
          BRANCH: \${{ github.event.repository.default_branch }}
        run: |
          # By the run that made it, and not by its name alone: every run can upload an artifact of that name.
          for workflow in ${prefix}tenancy-apply ${prefix}tenancy-nightly; do
            gh api --method GET "repos/$GITHUB_REPOSITORY/actions/workflows/$workflow.yml/runs" -f "branch=$BRANCH" -F per_page=30 \\
              --jq '.workflow_runs[] | select((.event == "push" or .event == "schedule") and .head_branch == env.BRANCH
                and .head_repository.full_name == env.GITHUB_REPOSITORY) | "\\(.created_at) \\(.id)"'
          done | sort --reverse > "$RUNNER_TEMP/runs"
          for stack in $STACKS; do
            while read -r _ run; do
              if gh run download "$run" --name "snapshot-$stack" --dir "$RUNNER_TEMP/live"; then break; fi
            done < "$RUNNER_TEMP/runs"
          done
      - name: Plan
        id: plan
        if: ${planned}
        env:
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }}
        run: |
${indent(planStacks({ path, limit: Math.floor(60_000 / deployments.length), files: "$RUNNER_TEMP/pull", pages: "$RUNNER_TEMP/pages", comment: "$RUNNER_TEMP/comment.md" }), 10)}
          echo "result=$result" >> "$GITHUB_OUTPUT"
          # Each stack's page is an artifact of this run.
          printf '\\n[Pages to search in](%s)\\n' "${GITHUB.run}" >> "$RUNNER_TEMP/comment.md"
          cat "$RUNNER_TEMP/comment.md" >> "$GITHUB_STEP_SUMMARY"${upload("pages", ["${{ runner.temp }}/pages"], 7, planned)}
      - name: Comment
        if: ${planned}
        env:
          GH_TOKEN: \${{ github.token }}
          NUMBER: \${{ steps.pull.outputs.number }}
          BOT: github-actions[bot]
        run: |
          MARKER="$(head -n 1 "$RUNNER_TEMP/comment.md")"
          export MARKER
          gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" \\
            --jq '.[] | select(.user.login == env.BOT and (.body | startswith(env.MARKER))) | .id' > "$RUNNER_TEMP/comments"
          own="$(head -n 1 "$RUNNER_TEMP/comments")"
          if [ -n "$own" ]; then
            gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$own" -F "body=@$RUNNER_TEMP/comment.md"
          else
            gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" -F "body=@$RUNNER_TEMP/comment.md"
          fi
      - name: Set the status
        if: always() && steps.pull.outputs.number != ''${atTop(place)}
        env:
          GH_TOKEN: \${{ github.token }}
          HEAD_SHA: \${{ github.event.workflow_run.head_sha }}
          RESULT: \${{ steps.plan.outputs.result }}
          BUILT: \${{ github.event.workflow_run.conclusion }}
          TOUCHED: ${atRoot ? '"true"' : "${{ steps.paths.outputs.touched }}"}
        run: |
${indent(judge("failure", "pull request"), 10)}
          gh api --silent --method POST "repos/$GITHUB_REPOSITORY/statuses/$HEAD_SHA" -f "state=$state" -f context=${statusName(place)} -f "description=$text" \\
            -f "target_url=${GITHUB.run}"
`;
}

/** By the host's own list of changed files: what the pull request's job says can be forged. */
function findPaths(place: Place): string {
  return `
      - name: Find out whether the project is concerned
        id: paths
        if: steps.pull.outputs.number != ''${atTop(place)}
        env:
          GH_TOKEN: \${{ github.token }}
          NUMBER: \${{ steps.pull.outputs.number }}
          # As in ${place.prefix}tenancy-pull-request.yml.
          PATHS: ${pathsOf(place).join(" ")}${script(`gh api --paginate "repos/$GITHUB_REPOSITORY/pulls/$NUMBER/files?per_page=100" \\
  --jq '.[] | .filename, (.previous_filename // empty)' > "$RUNNER_TEMP/names"
${findTouched("$RUNNER_TEMP/names")}
# GitHub tells 3,000 files at most.
if [ "$(wc -l < "$RUNNER_TEMP/names")" -ge 3000 ]; then touched=true; fi
echo "touched=$touched" >> "$GITHUB_OUTPUT"`)}`;
}
