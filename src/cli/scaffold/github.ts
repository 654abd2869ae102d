/**
 * Makes the workflows for GitHub that `tenancy init` writes. An app is a program that can read what its parents hold: where it runs there is no
 * secret and no permission to write, and where a secret is, its output is data (contract: Pipelines).
 */
import type { Deployment } from "./deployments";
import { apply, nightly } from "./github-branch";
import {
  BASICS,
  LOCKED_TOOL,
  REFUSE_PUBLIC,
  RUNNER,
  STACKS,
  SYNTHESIZE,
  upload,
  uploadStacks,
} from "./github-steps";

/** Text of each workflow, by its path in the repository. */
export function githubFiles(deployments: readonly Deployment[]): Readonly<Record<string, string>> {
  return {
    ".github/workflows/tenancy-pull-request.yml": pullRequest(),
    ".github/workflows/tenancy-review.yml": review(deployments),
    ".github/workflows/tenancy-apply.yml": apply(deployments),
    ".github/workflows/tenancy-nightly.yml": nightly(deployments),
  };
}

/** Name of the commit status that branches can require. */
export const STATUS = "tenancy";

function pullRequest(): string {
  return `# A pull request's own job. It runs the pull request's code, so it holds no secret and may write nothing. What it uploads is
# read, as data, by tenancy-review.yml, which is always the one of the default branch.
name: tenancy-pull-request

on:
  # A repository that holds more can say here: paths: [platform/**]. Do not require the status "${STATUS}" then: where no path fits, nobody sets it.
  pull_request:

${BASICS}

concurrency:
  group: tenancy-pull-request-\${{ github.ref }}
  cancel-in-progress: true

jobs:
  synthesize:
    runs-on: ${RUNNER}
    timeout-minutes: 15
    permissions:
      contents: read
    steps:${REFUSE_PUBLIC}
      # GitHub checks out the merge commit: what is planned is what the merge will be, even from a branch that is behind.${SYNTHESIZE}
      # Stacks read files (\`file("files/…")\`) from the folder "files"; name other places here.${uploadStacks(STACKS)}
`;
}

function review(deployments: readonly Deployment[]): string {
  return `# Plans a pull request from the newest snapshot, comments, and sets the status "${STATUS}". It runs no code of the pull request.
name: tenancy-review

on:
  # It is the default branch's workflow that runs, with the default branch's lock file. What it reads of the pull request is data.
  # zizmor: ignore[dangerous-triggers]
  workflow_run:
    workflows: [tenancy-pull-request]
    types: [completed]

${BASICS}

jobs:
  review:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ${RUNNER}
    timeout-minutes: 15
    # Holds the key of the snapshots, and no credential of a service.
    environment: tenancy-review
    permissions:
      actions: read
      contents: read
      pull-requests: write
      statuses: write
    env:
      STACKS: ${deployments.map(({ name }) => name).join(" ")}
    steps:${REFUSE_PUBLIC}
      - name: Find the pull request
        id: pull
        env:
          GH_TOKEN: \${{ github.token }}
          HEAD_SHA: \${{ github.event.workflow_run.head_sha }}
          BASE: \${{ github.event.repository.default_branch }}
        run: |
          # Never by what the artifact says: the open pull request whose head was built.
          gh api --paginate "repos/$GITHUB_REPOSITORY/pulls?state=open&per_page=100" \\
            --jq '.[] | select(.head.sha == env.HEAD_SHA and .base.ref == env.BASE) | .number' > "$RUNNER_TEMP/numbers"
          echo "number=$(head -n 1 "$RUNNER_TEMP/numbers")" >> "$GITHUB_OUTPUT"${LOCKED_TOOL}
      - name: Take what the pull request's job left, as data
        if: steps.pull.outputs.number != ''
        env:
          GH_TOKEN: \${{ github.token }}
          RUN: \${{ github.event.workflow_run.id }}
        run: |
          gh run download "$RUN" --name stacks --dir "$RUNNER_TEMP/pull"
          test -z "$(find "$RUNNER_TEMP/pull" ! -type f ! -type d)"
      - name: Take the newest snapshots
        if: steps.pull.outputs.number != ''
        env:
          GH_TOKEN: \${{ github.token }}
          BRANCH: \${{ github.event.repository.default_branch }}
        run: |
          # By the run that made it, and not by its name alone: every run can upload an artifact of that name.
          for workflow in tenancy-apply tenancy-nightly; do
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
        if: steps.pull.outputs.number != ''
        env:
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }}
        run: |
          mkdir "$RUNNER_TEMP/pages"
          cd "$RUNNER_TEMP/pull"
          result=0
          for stack in $STACKS; do
            code=0
            "$GITHUB_WORKSPACE/node_modules/.bin/tenancy" plan "$stack" --skip-synth --live "$RUNNER_TEMP/live/$stack.snapshot" \\
              --require-approval broadening --detailed-exitcode --html "$RUNNER_TEMP/pages/$stack.html" \\
              --markdown "$RUNNER_TEMP/$stack.md" --markdown-marker . --markdown-limit ${Math.floor(60_000 / deployments.length)} || code=$?
            cat "$RUNNER_TEMP/$stack.md" >> "$RUNNER_TEMP/comment.md"
            # 0: nothing to do, 2: something to do, 3: an approval is missing; an error outweighs all.
            case $code in
              0 | 2) ;;
              3) if [ "$result" = 0 ]; then result=3; fi ;;
              *) result=1 ;;
            esac
          done
          echo "result=$result" >> "$GITHUB_OUTPUT"
          # Each stack's page is an artifact of this run.
          printf '\\n[Pages to search in](%s)\\n' "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID" >> "$RUNNER_TEMP/comment.md"
          cat "$RUNNER_TEMP/comment.md" >> "$GITHUB_STEP_SUMMARY"${upload("pages", ["${{ runner.temp }}/pages"], 7, "steps.pull.outputs.number != ''")}
      - name: Comment
        if: steps.pull.outputs.number != ''
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
        if: always() && steps.pull.outputs.number != ''
        env:
          GH_TOKEN: \${{ github.token }}
          HEAD_SHA: \${{ github.event.workflow_run.head_sha }}
          RESULT: \${{ steps.plan.outputs.result }}
          BUILT: \${{ github.event.workflow_run.conclusion }}
        run: |
          state=failure
          case "$BUILT $RESULT" in
            "success 0") state=success text="Planned" ;;
            "success 3") text="An approval is missing" ;;
            "success 1") text="There is no plan, or it is refused" ;;
            "success "*) text="The review itself has failed" ;;
            *) text="The pull request's own job has failed" ;;
          esac
          gh api --silent --method POST "repos/$GITHUB_REPOSITORY/statuses/$HEAD_SHA" -f "state=$state" -f context=${STATUS} -f "description=$text" \\
            -f "target_url=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
`;
}
