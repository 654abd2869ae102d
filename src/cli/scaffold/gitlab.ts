/**
 * Makes the pipelines for GitLab that `tenancy init` writes. What runs for a merge request is what the merge request says, in a job without protected variables;
 * what it leaves is read by a scheduled pipeline of the default branch (docs/guides/pull-requests.md).
 */
import { hiddenMarker } from "../../render/markdown";
import type { Deployment } from "./deployments";
import { mergedJobs, nightlyJobs, synthesizeJob } from "./gitlab-branch";
import {
  API,
  apart,
  BEGIN,
  fetchArtifact,
  job,
  ON_MERGE_REQUEST,
  ON_SCHEDULE,
  REVIEW_SCHEDULE,
} from "./gitlab-steps";
import { below, type Place, statusName, TOP } from "../../pipeline";
import {
  findTouched,
  indent,
  INSTALL_AND_TEST,
  INSTALL_TOOL,
  judge,
  planStacks,
  refuseLinks,
  STACK_FILES,
  SYNTHESIZE,
} from "./shell";

/** Text of each file, by its path in the repository. */
export function gitlabFiles(
  deployments: readonly Deployment[],
  place: Place = TOP,
): Readonly<Record<string, string>> {
  const text = `# The pipelines of ${place.path === "." ? "this project" : place.path}. What logs in stands in variables that are protected, and that an environment alone gets.
${mergeRequestJob(place)}${reviewJob(deployments, place)}${synthesizeJob(place)}${mergedJobs(deployments, place)}${nightlyJobs(deployments, place)}`;
  return { [`.gitlab/${place.prefix}tenancy.yml`]: text };
}

/** What the repository's own pipeline has to say. */
export function gitlabInclusion(place: Place): string {
  return `include:
  - local: .gitlab/${place.prefix}tenancy.yml

workflow:
  # A merge is applied by its own pipeline, which the next one does not end.
  auto_cancel:
    on_new_commit: none
`;
}

const ownJob = ({ prefix }: Place): string => `${prefix}tenancy-merge-request`;

function mergeRequestJob(place: Place): string {
  return job({
    name: ownJob(place),
    comment: `A merge request's own job. It runs the merge request's code, so it gets no variable that is protected, and no environment's. What it
leaves is read, as data, by ${place.prefix}tenancy-review, which is always the one of the default branch.`,
    rules: [ON_MERGE_REQUEST(place)],
    minutes: 15,
    more: `
  variables:
    # Merging needs what both sides have come from.
    GIT_DEPTH: "0"`,
    script: [
      `# What is planned is what the merge will be, even from a branch that is behind.
git fetch --quiet origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
git -c user.name=tenancy -c user.email=tenancy@localhost merge --quiet --no-edit FETCH_HEAD`,
      BEGIN(place),
      ...INSTALL_AND_TEST,
      SYNTHESIZE,
    ],
    // Stacks read files (file("files/…")) from the folder "files".
    keep: { paths: STACK_FILES.map((path) => below(place) + path), days: 7 },
  });
}

function reviewJob(deployments: readonly Deployment[], place: Place): string {
  const { prefix } = place;
  return job({
    name: `${prefix}tenancy-review`,
    comment: `Plans each open merge request from the newest snapshot, says so in one note, and sets the status "${statusName(place)}". It runs no code of
a merge request. It has a token of the project and the key of the snapshots, and no credential of a service.`,
    rules: [ON_SCHEDULE(REVIEW_SCHEDULE)],
    minutes: 60,
    more: `
  resource_group: ${prefix}tenancy-review
  environment:
    name: ${prefix}tenancy-review
    action: access`,
    script: [
      BEGIN(place),
      API,
      `# Open merge requests into the default branch: the number, the commit that each of them ends with, and whether it is a fork's.
pages "$PROJECT/merge_requests?state=opened&target_branch=$CI_DEFAULT_BRANCH" \\
  '(all) => all.filter(({ sha }) => /^[0-9a-f]{40,64}$/.test(sha))
    .map(({ iid, sha, source_project_id: from }) => [Number(iid), sha, String(from) !== process.env.CI_PROJECT_ID].join(" "))' > "$RUNNER_TEMP/open"
if [ ! -s "$RUNNER_TEMP/open" ]; then exit 0; fi`,
      INSTALL_TOOL,
      newestSnapshots(deployments, place),
      reviewFunction(deployments, place),
      `all=success
while read -r iid sha fork <&3; do
  export IID="$iid" SHA="$sha" FORK="$fork" TOUCHED=true BUILT= RESULT= PIPELINE= PLANNED=
  rm -rf "$RUNNER_TEMP/review"
  mkdir "$RUNNER_TEMP/review"
  set +e
  (
    set -e
    review < /dev/null
  )
  if [ $? != 0 ]; then
    all=failure
    echo "The review of merge request $iid has failed" >&2
  fi
  set -e
done 3< "$RUNNER_TEMP/open"
test "$all" = success`,
    ],
    keep: { paths: ["tenancy-pages"], days: 7 },
  });
}

/** By the pipeline that made it, and not by a job's name alone: a merge request can have a job of any name. */
function newestSnapshots(deployments: readonly Deployment[], { prefix }: Place): string {
  const makers = deployments.flatMap(({ name }) => [
    `${prefix}tenancy-apply-${name}`,
    `${prefix}tenancy-drift-${name}`,
  ]);
  return `# Of jobs that ran for the default branch itself, the newest first.
STACKS="${deployments.map(({ name }) => name).join(" ")}"
mkdir "$RUNNER_TEMP/live"
for page in $(seq 50); do
  api "$PROJECT/jobs?scope[]=success&scope[]=failed&per_page=100&page=$page" > "$RUNNER_TEMP/page"
  pick '(all) => all
    .filter(({ name, ref, tag, artifacts_file }) => ref === process.env.CI_DEFAULT_BRANCH && tag === false && artifacts_file
      && ${JSON.stringify(makers)}.includes(name))
    .map(({ name, id }) => [name, Number(id)].join(" "))' < "$RUNNER_TEMP/page" > "$RUNNER_TEMP/jobs"
  missing=
  for stack in $STACKS; do
    while read -r name job; do
      if [ -e "$RUNNER_TEMP/live/$stack.snapshot" ]; then break; fi
      case "$name" in "${prefix}tenancy-apply-$stack" | "${prefix}tenancy-drift-$stack") ;; *) continue ;; esac
${indent(fetchArtifact("$job", "$RUNNER_TEMP/made-$job"), 6)} || continue
      if [ -f "$RUNNER_TEMP/made-$job/tenancy-snapshot/$stack.snapshot" ]; then
        mv "$RUNNER_TEMP/made-$job/tenancy-snapshot/$stack.snapshot" "$RUNNER_TEMP/live/"
      fi
    done < "$RUNNER_TEMP/jobs"
    if [ ! -e "$RUNNER_TEMP/live/$stack.snapshot" ]; then missing=true; fi
  done
  if [ -z "$missing" ] || [ "$(pick '(all) => all.length' < "$RUNNER_TEMP/page")" != 100 ]; then break; fi
done`;
}

/** Functions for one merge request. Needs IID, SHA and FORK. */
function reviewFunction(deployments: readonly Deployment[], place: Place): string {
  const status = statusName(place);
  const here = "$RUNNER_TEMP/review";
  return `# The newest pipeline for the very commit that the merge request ends with, or for its merge, in this project: a fork's pipeline is the fork's.
find_pipeline() {
  local id ref its
  pages "$PROJECT/merge_requests/$IID/pipelines?source=merge_request_event" '(all) => all
    .filter(({ project_id, source }) => String(project_id) === process.env.CI_PROJECT_ID && source === "merge_request_event")
    .sort((a, b) => b.id - a.id).map(({ id, ref, sha }) => [Number(id), ref, sha].join(" "))' > "${here}/pipelines"
  while read -r id ref its; do
    if [ "$its" != "$SHA" ]; then
      if [ "$ref" != "refs/merge-requests/$IID/merge" ]; then continue; fi
      api "$PROJECT/repository/commits/$its" | pick '({ parent_ids }) => parent_ids.includes(process.env.SHA)' > "${here}/merges"
      if [ "$(cat "${here}/merges")" != true ]; then continue; fi
    fi
    PIPELINE="$id"
    PLANNED="$its"
    return
  done < "${here}/pipelines"
}

# Whether the status is ours and what was said is of this very state of things: then there is nothing to do.
is_done() {
  api "$PROJECT/repository/commits/$PLANNED/statuses?name=${encodeURIComponent(status)}&per_page=100" \\
    | pick '(all) => all.sort((a, b) => b.id - a.id).slice(0, 1).map(({ author }) => author.id)' > "${here}/last"
  case "$(cat "${here}/last")" in
    "$OWN") [ "$TOUCHED" = false ] || grep -qxF "$KEY" "${here}/keys" ;;
    "") [ "$FORK" = true ] && grep -qxF "$KEY" "${here}/keys" ;;
    *) false ;;
  esac
}

set_status() {
  api "$PROJECT/statuses/$PLANNED" --output /dev/null --data-urlencode "state=$state" --data-urlencode "name=${status}" \\
    --data-urlencode "description=$text" --data-urlencode "target_url=$CI_JOB_URL" \${PIPELINE:+--data "pipeline_id=$PIPELINE"}
}

review() {
  local built=
${indent(concerns(place), 2)}
  find_pipeline
  if [ -n "$PIPELINE" ]; then
    pages "$PROJECT/pipelines/$PIPELINE/jobs?include_retried=false" \\
      '(all) => all.filter(({ name }) => name === "${ownJob(place)}").map(({ id, status }) => [Number(id), status].join(" "))' > "${here}/built"
    read -r built BUILT < "${here}/built" || true
  else
    PLANNED="$SHA"
  fi
  case "$BUILT" in
    created | pending | preparing | running | scheduled | waiting_for_resource | waiting_for_callback)
      # The next round has it.
      if [ "$TOUCHED" = true ]; then return; fi ;;
  esac
  KEY="<!-- review $(printf '%s\\n' "$SHA" "$PIPELINE" "$built" "$BUILT" "$TOUCHED" "$CI_COMMIT_SHA" "$(date +%F)" "$(cd "$RUNNER_TEMP/live" && find . -type f -exec sha256sum {} + | sort)" | sha256sum | head -c 32) -->"
  # Its own notes alone: the author is who this job is, and the marker stands first.
  pages "$PROJECT/merge_requests/$IID/notes?sort=asc" '(all) => all
    .filter(({ author, body }) => String(author.id) === process.env.OWN && body.startsWith(${JSON.stringify(hiddenMarker(place.path))}))
    .map(({ id, body }) => id + "\\n" + body.trimEnd().split("\\n").at(-1))' > "${here}/keys"
  if is_done; then return; fi
  if [ "$TOUCHED" = true ] && [ "$BUILT" = success ]; then
    set +e
    (
      set -e
      plan "$built"
    )
    set -e
    RESULT="$(cat "${here}/result" 2> /dev/null || true)"
  fi
${indent(judge("failed", "merge request"), 2)}
  # GitLab may know no branch with a fork's commit, and takes no status of it then.
  set_status || test "$FORK" = true
  if [ "$TOUCHED" = true ]; then comment; fi
}

plan() {
${indent(fetchArtifact("$1", "$RUNNER_TEMP/review/files"), 2)}
  ${refuseLinks("$RUNNER_TEMP/review/files")}
${indent(
  apart(
    `${planStacks({
      path: place.path,
      // GitLab takes a million characters; nobody reads as many.
      limit: Math.floor(60_000 / deployments.length),
      files: `${here}/files${place.path === "." ? "" : `/${place.path}`}`,
      pages: "$CI_PROJECT_DIR/tenancy-pages/$IID",
      comment: `${here}/comment.md`,
    })}
echo "$result" > "${here}/result"`,
  ),
  2,
)}
}

comment() {
  local own
  if [ -e "${here}/result" ]; then
    printf '\\n[Pages to search in](%s)\\n' "$CI_JOB_URL/artifacts/browse/tenancy-pages/$IID" >> "${here}/comment.md"
  else
    printf '%s\\n\\n%s.\\n' '${hiddenMarker(place.path)}' "$text" > "${here}/comment.md"
  fi
  printf '\\n%s\\n' "$KEY" >> "${here}/comment.md"
  own="$(head -n 1 "${here}/keys")"
  if [ -n "$own" ]; then
    api "$PROJECT/merge_requests/$IID/notes/$own" --request PUT --output /dev/null --data-urlencode "body@${here}/comment.md"
  else
    api "$PROJECT/merge_requests/$IID/notes" --request POST --output /dev/null --data-urlencode "body@${here}/comment.md"
  fi
}`;
}

/** By GitLab's own list of changed files: what the merge request's job says can be forged. */
function concerns(place: Place): string {
  if (place.path === ".") return ":";
  return `PATHS="${place.path} .gitlab/${place.prefix}tenancy.yml .gitlab-ci.yml"
pages "$PROJECT/merge_requests/$IID/diffs?" '(all) => all.flatMap(({ old_path, new_path }) => [old_path, new_path])' > "$RUNNER_TEMP/review/names"
${findTouched("$RUNNER_TEMP/review/names")}
# GitLab may leave out the end of a long list.
if [ "$(wc -l < "$RUNNER_TEMP/review/names")" -ge 1000 ]; then touched=true; fi
TOUCHED="$touched"`;
}
