/** The pipelines for GitLab that run for the default branch: the apply of what was merged, and the look for drift every night. */
import type { Deployment } from "./deployments";
import {
  API,
  apart,
  BEGIN,
  fetchArtifact,
  GITLAB,
  job,
  NIGHTLY_SCHEDULE,
  ON_MERGE,
  ON_SCHEDULE,
  whatever,
} from "./gitlab-steps";
import { below, type Place, storeBranch } from "../../pipeline";
import {
  APPLY,
  indent,
  INSTALL_AND_TEST,
  INSTALL_TOOL,
  keepStore,
  lookForDrift,
  proveStore,
  SYNTHESIZE,
  TAKE_SNAPSHOT,
  takeStacks,
  takeStore,
  tellOutcome,
} from "./shell";

const synthesizeName = ({ prefix }: Place): string => `${prefix}tenancy-synthesize`;
const applyName = ({ prefix }: Place, stack: string): string => `${prefix}tenancy-apply-${stack}`;

export function synthesizeJob(place: Place): string {
  return job({
    name: synthesizeName(place),
    comment:
      "Runs the app of the default branch. Its job has no environment, and the variables that log in are of environments alone.",
    rules: [ON_MERGE(place), ON_SCHEDULE(NIGHTLY_SCHEDULE)],
    minutes: 15,
    script: [BEGIN(place), ...INSTALL_AND_TEST, SYNTHESIZE],
    keep: { paths: [`${below(place)}cdktf.json`, `${below(place)}cdktf.out`], days: 7 },
  });
}

/** Applies what was merged, to one stack after the other: where one fails, those behind it are left alone. */
export function mergedJobs(deployments: readonly Deployment[], place: Place): string {
  return deployments.map((deployment, at) => applyJob(deployment, deployments[at - 1], place)).join("");
}

/** Said in the script, since a variable of a pipeline would outweigh one of the job. */
const exportSettings = ({ name, origin }: Deployment, place: Place): string => `export STACK=${name}
STORE_BRANCH=${storeBranch(place, name)}
# Whatever a stack says, nothing is sent anywhere else.
export TENANCY_ALLOWED_ORIGINS=${origin}`;

const takeMade = (
  place: Place,
): string => `# What the synthesis left, as data. Only the stacks are taken from it; all other files are the commit's.
pages "$PROJECT/pipelines/$CI_PIPELINE_ID/jobs?scope[]=success" \\
  '(all) => all.filter(({ name }) => name === "${synthesizeName(place)}").map(({ id }) => Number(id))' > "$RUNNER_TEMP/created-in-run"
${fetchArtifact('$(head -n 1 "$RUNNER_TEMP/created-in-run")', "$RUNNER_TEMP/stacks")}
${takeStacks(`$RUNNER_TEMP/stacks${place.path === "." ? "" : `/${place.path}`}`)}`;

/** The token of every job, a merge request's too, reads what other jobs left: so a snapshot is encrypted, or there is none. */
const SNAPSHOT = `if [ -z "\${TENANCY_SNAPSHOT_KEY:-}" ]; then
  echo "Without TENANCY_SNAPSHOT_KEY, which encrypts it, no snapshot is taken: jobs of merge requests could read it." >&2
  exit 1
fi
${TAKE_SNAPSHOT}
mkdir -p "$CI_PROJECT_DIR/tenancy-snapshot"
mv "$RUNNER_TEMP/$STACK.snapshot" "$CI_PROJECT_DIR/tenancy-snapshot/"`;

function applyJob(deployment: Deployment, before: Deployment | undefined, place: Place): string {
  const { name } = deployment;
  const { prefix } = place;
  const group = applyName(place, name);
  return job({
    name: group,
    comment: `Applies what was merged to ${name}. Runs wait for each other, the oldest first, and none is ever stopped.`,
    rules: [ON_MERGE(place)],
    minutes: 60,
    more: `
  resource_group: ${group}
  environment:
    name: ${prefix}${name}`,
    needs: [synthesizeName(place), ...(before === undefined ? [] : [applyName(place, before.name)])],
    script: [
      exportSettings(deployment, place),
      BEGIN(place),
      API,
      `# GitLab runs the newest first, or any, unless it is told.
api "$PROJECT/resource_groups/${group}" --request PUT --output /dev/null --data process_mode=oldest_first`,
      whatever(
        "ready",
        `${INSTALL_TOOL}
${takeMade(place)}
# Pushes before anything is sent to the service: a token that nobody can keep must not be created.
HAS_KEY="$(test -z "\${TENANCY_STORE_KEY:-}" || echo true)"
${proveStore(GITLAB, `${prefix}$STACK`, ": GIT_ASKPASS logs in")}`,
      ),
      `applied=skipped kept=skipped shot=skipped
if [ "$ready" = success ]; then
${indent(whatever("applied", APPLY), 2)}
${indent(whatever("kept", keepStore(GITLAB)), 2)}
  # It is encrypted. If you find it in the job, put it on its branch by hand.
  if [ "$kept" = failure ]; then
    mkdir -p "$CI_PROJECT_DIR/tenancy-store"
    cp "$RUNNER_TEMP/store/credentials.json" "$CI_PROJECT_DIR/tenancy-store/"
  fi
${indent(whatever("shot", SNAPSHOT), 2)}
fi`,
      whatever(
        "told",
        `# The merge request whose merge this commit is.
api "$PROJECT/repository/commits/$CI_COMMIT_SHA/merge_requests?state=merged" | pick '(all) => all
  .filter((one) => one.target_branch === process.env.CI_DEFAULT_BRANCH
    && [one.merge_commit_sha, one.squash_commit_sha, one.sha].includes(process.env.CI_COMMIT_SHA))
  .map(({ iid }) => Number(iid))' > "$RUNNER_TEMP/merged"
number="$(head -n 1 "$RUNNER_TEMP/merged")"
test -n "$number" || exit 0
OUTCOME="$applied"
${tellOutcome(GITLAB)}
api "$PROJECT/merge_requests/$number/notes" --request POST --output /dev/null --data-urlencode "body@$RUNNER_TEMP/result.md"`,
      ),
      `echo "applied: $applied, store: $kept, snapshot: $shot, note: $told"
test "$applied $kept $shot $told" = "success success success success"`,
    ],
    keep: { paths: ["tenancy-snapshot", "tenancy-store"], days: 30 },
  });
}

export function nightlyJobs(deployments: readonly Deployment[], place: Place): string {
  return deployments.map((deployment) => nightlyJob(deployment, place)).join("");
}

function nightlyJob(deployment: Deployment, place: Place): string {
  const { name } = deployment;
  return job({
    name: `${place.prefix}tenancy-drift-${name}`,
    comment: `Looks every night whether somebody changed something of ${name} outside, with a credential that only reads, and takes a snapshot.`,
    rules: [ON_SCHEDULE(NIGHTLY_SCHEDULE)],
    minutes: 30,
    more: `
  environment:
    name: ${place.prefix}${name}-read
    action: access`,
    needs: [synthesizeName(place)],
    script: [
      exportSettings(deployment, place),
      BEGIN(place),
      API,
      INSTALL_TOOL,
      takeMade(place),
      apart(takeStore(GITLAB, ": GIT_ASKPASS logs in")),
      whatever(
        "looked",
        `${lookForDrift(`${below(place)}drift/$STACK`)}
test "$code" != 1
# One issue of our own: the author is who this job is, and the marker stands first.
MARKER="$(head -n 1 "$RUNNER_TEMP/drift.md")"
export MARKER
pages "$PROJECT/issues?state=opened&author_id=$OWN" '(all) => all
  .filter(({ author, description }) => String(author.id) === process.env.OWN && (description ?? "").startsWith(process.env.MARKER))
  .map(({ iid }) => Number(iid))' > "$RUNNER_TEMP/issues"
own="$(head -n 1 "$RUNNER_TEMP/issues")"
if [ "$code" = 2 ] && [ -n "$own" ]; then
  api "$PROJECT/issues/$own" --request PUT --output /dev/null --data-urlencode "description@$RUNNER_TEMP/drift.md"
elif [ "$code" = 2 ]; then
  api "$PROJECT/issues" --request POST --output /dev/null --data-urlencode "title=Drift: $STACK" --data-urlencode "description@$RUNNER_TEMP/drift.md"
elif [ -n "$own" ]; then
  api "$PROJECT/issues/$own" --request PUT --output /dev/null --data state_event=close
fi`,
      ),
      `${SNAPSHOT}
test "$looked" = success`,
    ],
    keep: { paths: ["tenancy-snapshot"], days: 30 },
  });
}
