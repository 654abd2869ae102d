/** The workflows for GitHub that run for the default branch: the apply of what was merged, and the look for drift every night. */
import type { Deployment } from "./deployments";
import { BASICS, LOCKED_TOOL, RUNNER, SYNTHESIZE_JOB, TAKE_STACKS, upload } from "./github-steps";

/** Applies what was merged. */
export function apply(deployments: readonly Deployment[]): string {
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

jobs:${SYNTHESIZE_JOB}${jobs.join("")}`;
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
      )}${snapshotSteps(name, "always() && steps.store.outcome == 'success'")}
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

/** The snapshot that reviews plan from, whatever has become of the steps before. */
function snapshotSteps(stack: string, condition: string): string {
  return `
      - name: Take a snapshot
        id: snapshot
        if: ${condition}
        env:${CREDENTIALS}
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }}${VARIABLES}
        run: |
          ./node_modules/.bin/tenancy snapshot "$STACK" --skip-synth --store "$RUNNER_TEMP/store/credentials.json" --out "$RUNNER_TEMP/$STACK.snapshot"${upload(
            `snapshot-${stack}`,
            [`\${{ runner.temp }}/${stack}.snapshot`],
            30,
            "always() && steps.snapshot.outcome == 'success'",
          )}`;
}

/** Looks for drift. */
export function nightly(deployments: readonly Deployment[]): string {
  return `# Looks every night whether somebody changed something outside, with a credential that only reads, and takes a snapshot.
name: tenancy-nightly

on:
  schedule:
    - cron: "17 3 * * *"

${BASICS}

jobs:${SYNTHESIZE_JOB}${deployments.map(nightlyJob).join("")}`;
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
          fi${snapshotSteps(name, "always()")}
`;
}

function jobName(verb: string, stack: string): string {
  return `${verb}-${stack}`;
}
