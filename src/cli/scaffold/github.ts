/**
 * Makes the workflows for GitHub that `tenancy init` writes. An app is a program that can read what its parents hold: where it runs there is no
 * secret and no permission to write, and where a secret is, its output is data (contract: Pipelines).
 */
import type { Deployment } from "./deployments";

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

const CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0";
const SETUP_NODE = "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0";
const UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2";

const RUNNER = "ubuntu-24.04";

/** What every workflow begins with: no permission that a job does not name, and a shell that sees the failure of a pipe. */
const BASICS = `permissions: {}

defaults:
  run:
    shell: bash`;

/** @param source where the visibility is known from */
const refusePublic = (visibility = "${{ github.event.repository.visibility }}"): string => `
      - name: Refuse a public repository
        env:
          VISIBILITY: ${visibility}
          PUBLIC_ALLOWED: \${{ vars.TENANCY_PUBLIC }}
        run: |
          if [ "$VISIBILITY" = public ] && [ "$PUBLIC_ALLOWED" != true ]; then
            echo "::error::Everybody reads the artifacts of a public repository. To allow that, set the variable TENANCY_PUBLIC to true."
            exit 1
          fi`;

/** A clone without credentials, and Node without a cache that another run could have filled. */
const SOURCES = `
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - uses: ${SETUP_NODE}
        with:
          node-version: 22
          package-manager-cache: false`;

/** Only the tool, as the lock file of the default branch names it. */
const LOCKED_TOOL = `${SOURCES}
      - run: npm ci --ignore-scripts`;

const upload = (name: string, paths: readonly string[], days: number, condition?: string): string => `
      - uses: ${UPLOAD}${condition === undefined ? "" : `\n        if: ${condition}`}
        with:
          name: ${name}
          path: |
${paths.map((path) => `            ${path}`).join("\n")}
          if-no-files-found: error
          retention-days: ${days}`;

/** Runs the app, and hands on what it made. */
const SYNTHESIZE = `${SOURCES}
      - run: npm ci
      - run: npm test
      - name: Synthesize
        run: npx --no tenancy validate`;

const STACKS = ["cdktf.json", "cdktf.out", "tenancy.approvals", "*.tfvars", "*.tfvars.json", "files"];

const uploadStacks = (paths: readonly string[]): string => upload("stacks", paths, 7);

/** The job of its own, without secrets, that runs the app of the default branch. */
const synthesizeJob = (refuse: string): string => `
  # Runs the app, so it holds no secret and may write nothing.
  synthesize:
    runs-on: ${RUNNER}
    timeout-minutes: 15
    permissions:
      contents: read
    steps:${refuse}${SYNTHESIZE}${uploadStacks(["cdktf.json", "cdktf.out"])}
`;

/** Of what the app made only the stacks are taken; all else is the commit's. */
const TAKE_STACKS = `
      - name: Take the stacks, as data
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          gh run download "$GITHUB_RUN_ID" --name stacks --dir "$RUNNER_TEMP/stacks"
          test -z "$(find "$RUNNER_TEMP/stacks" ! -type f ! -type d)"
          rm -rf cdktf.out
          mv "$RUNNER_TEMP/stacks/cdktf.out" cdktf.out`;

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
    steps:${refusePublic()}
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
    steps:${refusePublic()}
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
          cd "$RUNNER_TEMP/pull"
          result=0
          for stack in $STACKS; do
            code=0
            "$GITHUB_WORKSPACE/node_modules/.bin/tenancy" plan "$stack" --skip-synth --live "$RUNNER_TEMP/live/$stack.snapshot" \\
              --require-approval broadening --detailed-exitcode \\
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
          cat "$RUNNER_TEMP/comment.md" >> "$GITHUB_STEP_SUMMARY"
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

function apply(deployments: readonly Deployment[]): string {
  const jobs = deployments.map((deployment, at) => applyJob(deployment, deployments[at - 1]));
  return `# Applies what was merged. Stacks are applied one after the other: where one fails, those behind it are left alone.
name: tenancy-apply

on:
  push:
    branches: [main]

${BASICS}

# Runs wait for each other, all of them, and none is ever stopped.
concurrency:
  group: tenancy-apply
  cancel-in-progress: false
  queue: max

jobs:${synthesizeJob(refusePublic())}${jobs.join("")}`;
}

/** What logs in; a secret that is not set is empty, which counts as not set. */
const CREDENTIALS = `
          TENANCY_USERNAME: \${{ secrets.TENANCY_USERNAME }}
          TENANCY_PASSWORD: \${{ secrets.TENANCY_PASSWORD }}
          TENANCY_TOKEN: \${{ secrets.TENANCY_TOKEN }}
          # With it, nobody else can make a record that looks like ours.
          TENANCY_OWNER_KEY: \${{ secrets.TENANCY_OWNER_KEY }}
          TENANCY_STORE_KEY: \${{ secrets.TENANCY_STORE_KEY }}`;

const VARIABLES = `
          # Variables of the configuration: TF_VAR_name: \${{ secrets.NAME }}`;

/** The branch that keeps the credential store of a stack. */
export function storeBranch(stack: string): string {
  return `tenancy-store-${stack}`;
}

function applyJob({ name, origin }: Deployment, before: Deployment | undefined): string {
  const needs = ["synthesize", ...(before === undefined ? [] : [jobName("apply", before.name)])];
  return `
  ${jobName("apply", name)}:
    needs: [${needs.join(", ")}]
    runs-on: ${RUNNER}
    timeout-minutes: 60
    environment: ${name}
    permissions:
      actions: read
      # Keeps the credential store, on a branch of its own.
      contents: write
      pull-requests: write
    env:
      STACK: ${name}
      STORE_BRANCH: ${storeBranch(name)}
      # Whatever a stack says, nothing is sent anywhere else.
      TENANCY_ALLOWED_ORIGINS: ${origin}
    steps:${LOCKED_TOOL}${TAKE_STACKS}
      # Pushes before anything is sent to the service: a token that nobody can keep must not be minted.
      - name: Make sure that the store can be kept
        id: store
        env:
          GH_TOKEN: \${{ github.token }}
          HAS_KEY: \${{ secrets.TENANCY_STORE_KEY != '' }}
        run: |
          if [ "$HAS_KEY" != true ]; then
            echo "::error::The environment $STACK lacks the secret TENANCY_STORE_KEY, which encrypts the credential store."
            exit 1
          fi
          gh auth setup-git
          git init --quiet "$RUNNER_TEMP/store"
          cd "$RUNNER_TEMP/store"
          git config user.name tenancy
          git config user.email tenancy@localhost
          git remote add origin "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"
          if git ls-remote --exit-code origin "refs/heads/$STORE_BRANCH"; then
            git fetch --quiet origin "refs/heads/$STORE_BRANCH"
            git reset --quiet --hard FETCH_HEAD
          else
            test $? -eq 2
          fi
          git commit --quiet --allow-empty --message "Apply of $GITHUB_SHA begins"
          git push --quiet origin "HEAD:refs/heads/$STORE_BRANCH"
      - name: Apply
        id: apply
        env:${CREDENTIALS}${VARIABLES}
        run: |
          ./node_modules/.bin/tenancy apply "$STACK" --skip-synth --yes --require-approval broadening \\
            --store "$RUNNER_TEMP/store/credentials.json" 2>&1 | tee "$RUNNER_TEMP/apply.txt"
      - name: Keep the store
        id: keep
        if: always() && steps.store.outcome == 'success'
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          cd "$RUNNER_TEMP/store"
          test -e credentials.json || exit 0
          chmod 600 credentials.json
          git add credentials.json
          git diff --cached --quiet && exit 0
          git commit --quiet --message "Store after the apply of $GITHUB_SHA"
          for wait in 0 5 30; do
            sleep "$wait"
            git push --quiet origin "HEAD:refs/heads/$STORE_BRANCH" && exit 0
          done
          exit 1
      # It is encrypted. Whoever finds it here puts it on its branch by hand.${upload(
        `store-${name}`,
        ["${{ runner.temp }}/store/credentials.json"],
        30,
        "always() && steps.keep.outcome == 'failure'",
      )}
      - name: Take a snapshot
        id: snapshot
        if: always() && steps.store.outcome == 'success'
        env:${CREDENTIALS}
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }}${VARIABLES}
        run: |
          ./node_modules/.bin/tenancy snapshot "$STACK" --skip-synth --store "$RUNNER_TEMP/store/credentials.json" --out "$RUNNER_TEMP/$STACK.snapshot"${upload(
            `snapshot-${name}`,
            [`\${{ runner.temp }}/${name}.snapshot`],
            30,
            "always() && steps.snapshot.outcome == 'success'",
          )}
      - name: Tell the merged pull request
        if: always()
        env:
          GH_TOKEN: \${{ github.token }}
          OUTCOME: \${{ steps.apply.outcome }}
        run: |
          number="$(gh api "repos/$GITHUB_REPOSITORY/commits/$GITHUB_SHA/pulls" \\
            --jq 'map(select(.merge_commit_sha == env.GITHUB_SHA))[0].number // ""')"
          test -n "$number" || exit 0
          # A block that is indented has no end that a name could bring about.
          {
            echo "Apply of \\\`$STACK\\\`: $OUTCOME ([run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID))"
            echo
            if [ -e "$RUNNER_TEMP/apply.txt" ]; then tail -n 200 "$RUNNER_TEMP/apply.txt" | head -c 30000 | tr -d '\\r' | sed 's/^/    /'; fi
          } > "$RUNNER_TEMP/result.md"
          gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" -F "body=@$RUNNER_TEMP/result.md"
`;
}

function nightly(deployments: readonly Deployment[]): string {
  return `# Looks every night whether somebody changed something outside, with a credential that only reads, and takes a snapshot.
name: tenancy-nightly

on:
  schedule:
    - cron: "17 3 * * *"

${BASICS}

jobs:${synthesizeJob(refusePublic("${{ github.event.repository.visibility }}"))}${deployments.map(nightlyJob).join("")}`;
}

function nightlyJob({ name, origin }: Deployment): string {
  return `
  ${jobName("drift", name)}:
    needs: synthesize
    runs-on: ${RUNNER}
    timeout-minutes: 30
    # Holds a credential that only reads.
    environment: ${name}-read
    permissions:
      actions: read
      contents: read
      issues: write
    env:
      STACK: ${name}
      STORE_BRANCH: ${storeBranch(name)}
      TENANCY_ALLOWED_ORIGINS: ${origin}
    steps:${LOCKED_TOOL}${TAKE_STACKS}
      - name: Take the store
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          gh auth setup-git
          mkdir -p "$RUNNER_TEMP/store"
          remote="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"
          if git ls-remote --exit-code "$remote" "refs/heads/$STORE_BRANCH"; then
            git fetch --quiet --depth 1 "$remote" "refs/heads/$STORE_BRANCH"
            if git cat-file -e FETCH_HEAD:credentials.json; then
              (umask 077 && git show FETCH_HEAD:credentials.json > "$RUNNER_TEMP/store/credentials.json")
            fi
          else
            test $? -eq 2
          fi
      - name: Look for drift
        id: drift
        env:${CREDENTIALS}${VARIABLES}
        run: |
          code=0
          ./node_modules/.bin/tenancy drift "$STACK" --skip-synth --store "$RUNNER_TEMP/store/credentials.json" \\
            --markdown "$RUNNER_TEMP/drift.md" --markdown-marker "drift/$STACK" --markdown-limit 60000 || code=$?
          echo "code=$code" >> "$GITHUB_OUTPUT"
          # 0: all agree, 2: somebody changed something, 3: something is declared and not applied yet.
          test "$code" != 1
      - name: Open, update or close the issue
        env:
          GH_TOKEN: \${{ github.token }}
          CODE: \${{ steps.drift.outputs.code }}
          BOT: github-actions[bot]
        run: |
          MARKER="$(head -n 1 "$RUNNER_TEMP/drift.md")"
          export MARKER
          gh api --paginate --method GET "repos/$GITHUB_REPOSITORY/issues" -f state=open -f "creator=$BOT" -F per_page=100 \\
            --jq '.[] | select(.user.login == env.BOT and (.body // "" | startswith(env.MARKER))) | .number' > "$RUNNER_TEMP/issues"
          own="$(head -n 1 "$RUNNER_TEMP/issues")"
          if [ "$CODE" = 2 ] && [ -n "$own" ]; then
            gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/$own" -F "body=@$RUNNER_TEMP/drift.md"
          elif [ "$CODE" = 2 ]; then
            gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues" -f "title=Drift: $STACK" -F "body=@$RUNNER_TEMP/drift.md"
          elif [ -n "$own" ]; then
            gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/$own" -f state=closed
          fi
      - name: Take a snapshot
        id: snapshot
        if: always()
        env:${CREDENTIALS}
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }}${VARIABLES}
        run: |
          ./node_modules/.bin/tenancy snapshot "$STACK" --skip-synth --store "$RUNNER_TEMP/store/credentials.json" --out "$RUNNER_TEMP/$STACK.snapshot"${upload(
            `snapshot-${name}`,
            [`\${{ runner.temp }}/${name}.snapshot`],
            30,
            "always() && steps.snapshot.outcome == 'success'",
          )}
`;
}

function jobName(verb: string, stack: string): string {
  return `${verb}-${stack}`;
}
