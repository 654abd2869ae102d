/** The workflows for GitHub that run for the default branch: the apply of what was merged, and the look for drift every night. */
import type { Deployment } from "./deployments";
import {
  basics,
  GITHUB,
  LOCKED_TOOL,
  RUNNER,
  script,
  synthesizeJob,
  TAKE_STACKS,
  upload,
} from "./github-steps";
import { below, type Place, storeBranch } from "../../pipeline";
import {
  APPLY,
  indent,
  keepStore,
  lookForDrift,
  proveStore,
  TAKE_SNAPSHOT,
  takeStore,
  tellOutcome,
} from "./shell";

/** Applies what was merged. */
export function apply(deployments: readonly Deployment[], place: Place): string {
  const jobs = deployments.map((deployment, at) => applyJob(deployment, deployments[at - 1], place));
  const { prefix } = place;
  const paths = `\n    # What is merged elsewhere in the repository changes nothing here.
    paths: ["${below(place)}**", ".github/workflows/${prefix}tenancy-apply.yml"]`;
  return `# Applies what was merged. Stacks are applied one after the other: where one fails, those behind it are left alone.
name: ${prefix}tenancy-apply

on:
  push:
    branches: [main]${place.path === "." ? "" : paths}

${basics(place)}

# Runs wait for each other, all of them, and none is ever stopped.
concurrency:
  group: ${prefix}tenancy-apply
  cancel-in-progress: false
  queue: max

jobs:${synthesizeJob(place)}${jobs.join("")}`;
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

function applyJob({ name, origin }: Deployment, before: Deployment | undefined, place: Place): string {
  const needs = ["synthesize", ...(before === undefined ? [] : [jobName("apply", before.name)])];
  return `
  ${jobName("apply", name)}:
    needs: [${needs.join(", ")}]
    runs-on: ${RUNNER}
    timeout-minutes: 60
    environment: ${place.prefix}${name}
    permissions:
      actions: read
      # Keeps the credential store, on a branch of its own.
      contents: write
      pull-requests: write
    env:
      STACK: ${name}
      STORE_BRANCH: ${storeBranch(place, name)}
      # Whatever a stack says, nothing is sent anywhere else.
      TENANCY_ALLOWED_ORIGINS: ${origin}
    steps:${LOCKED_TOOL}${TAKE_STACKS}
      # Pushes before anything is sent to the service: a token that nobody can keep must not be created.
      - name: Make sure that the store can be kept
        id: store
        env:
          GH_TOKEN: \${{ github.token }}
          HAS_KEY: \${{ secrets.TENANCY_STORE_KEY != '' }}${script(proveStore(GITHUB, `${place.prefix}$STACK`, "gh auth setup-git"))}
      - name: Apply
        id: apply
        env:${CREDENTIALS}${VARIABLES}${script(APPLY)}
      - name: Keep the store
        id: keep
        if: always() && steps.store.outcome == 'success'
        env:
          GH_TOKEN: \${{ github.token }}${script(keepStore(GITHUB))}
      # It is encrypted. If you find it here, put it on its branch by hand.${upload(
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
${indent(tellOutcome(GITHUB), 10)}
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
          TENANCY_SNAPSHOT_KEY: \${{ secrets.TENANCY_SNAPSHOT_KEY }}${VARIABLES}${script(TAKE_SNAPSHOT)}${upload(
            `snapshot-${stack}`,
            [`\${{ runner.temp }}/${stack}.snapshot`],
            30,
            "always() && steps.snapshot.outcome == 'success'",
          )}`;
}

/** Looks for drift. */
export function nightly(deployments: readonly Deployment[], place: Place): string {
  return `# Looks every night whether somebody changed something outside, with a credential that only reads, and takes a snapshot.
name: ${place.prefix}tenancy-nightly

on:
  schedule:
    - cron: "17 3 * * *"

${basics(place)}

jobs:${synthesizeJob(place)}${deployments.map((deployment) => nightlyJob(deployment, place)).join("")}`;
}

function nightlyJob({ name, origin }: Deployment, place: Place): string {
  return `
  ${jobName("drift", name)}:
    needs: synthesize
    runs-on: ${RUNNER}
    timeout-minutes: 30
    # Holds a credential that only reads.
    environment: ${place.prefix}${name}-read
    permissions:
      actions: read
      contents: read
      issues: write
    env:
      STACK: ${name}
      STORE_BRANCH: ${storeBranch(place, name)}
      TENANCY_ALLOWED_ORIGINS: ${origin}
    steps:${LOCKED_TOOL}${TAKE_STACKS}
      - name: Take the store
        env:
          GH_TOKEN: \${{ github.token }}${script(takeStore(GITHUB, "gh auth setup-git"))}
      - name: Look for drift
        id: drift
        env:${CREDENTIALS}${VARIABLES}${script(`${lookForDrift(`${below(place)}drift/$STACK`)}
echo "code=$code" >> "$GITHUB_OUTPUT"
test "$code" != 1`)}
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
