/** Settings of GitLab without which the pipelines are not safe, and that no file of the repository can make. */
import { NIGHTLY_SCHEDULE, REVIEW_SCHEDULE } from "./gitlab-pipeline";
import { type SettingsPlan, stateSettings } from "./state-settings";

const API = "glab api --silent --method";

export function gitlabSettings(plan: SettingsPlan): string {
  const { stacks, codeOwners, defaultBranch, place } = plan;
  const { prefix } = place;
  const names = stacks.map(({ name }) => prefix + name);
  const reviews = `${prefix}tenancy-review`;
  const [reads, writes] = [
    names.map((name) => `${name}-read`),
    names.flatMap((name) => [name, `${name}-ended`]),
  ];
  const logins = stacks.flatMap(({ name, origin = "ORIGIN" }) =>
    ["", "-read", "-ended"].map((ending) => `login ${prefix}${name}${ending} ${origin}`),
  );
  return `
The settings that the pipelines need at GitLab 17.8 or newer, once they are pushed (\`glab\`, in bash):

${codeOwners === undefined ? "# In .gitlab/CODEOWNERS, replace @OWNER/TEAM by the team that decides about access.\n\n" : ""}# Pipeline variables override all others, even GitLab's own, so users may not set them. A job's token cannot push. Forks would run their own pipelines,
# so forks are disabled. A merge needs a pipeline that succeeded.
${API} PUT "projects/:id" -f ci_pipeline_variables_minimum_override_role=no_one_allowed -f restrict_user_defined_variables=true \\
  -f ci_push_repository_for_job_token_allowed=false -f forking_access_level=disabled -f auto_cancel_pending_pipelines=disabled \\
  -f only_allow_merge_if_pipeline_succeeds=true -f allow_merge_on_skipped_pipeline=false \\
  -f protect_merge_request_pipelines=false

# The default branch takes no pushes; maintainers merge. Protect no other branch and no tag that others could push to: its jobs would get the variables too.
${API} DELETE "projects/:id/protected_branches/${defaultBranch}"
${API} POST "projects/:id/protected_branches" -f name=${defaultBranch} -f push_access_level=0 -f merge_access_level=40 -f allow_force_push=false

# With GitLab Premium: the approval of a code owner, which a new commit dismisses.
${API} PATCH "projects/:id/protected_branches/${defaultBranch}" -f code_owner_approval_required=true
${API} POST "projects/:id/approvals" -f reset_approvals_on_push=true

# Each variable is protected and belongs to one environment: only jobs of the default branch with this environment get it.
keep() { tr -d '\\n' | glab variable set "$1" --scope "$2" --protected --masked --raw; }
login() {
  read -rp "TENANCY_USERNAME of $1: " name && printf %s "$name" | glab variable set TENANCY_USERNAME --scope "$1" --protected --raw
  read -rsp "TENANCY_PASSWORD of $1: " password && printf %s "$password" | keep TENANCY_PASSWORD "$1"
  printf %s "$2" | glab variable set TENANCY_ALLOWED_ORIGINS --scope "$1" --protected --raw
}

# A token of the project for each environment, as a developer; it ends after a year. Only the ones that apply may push, to the branch of the state.
END="$(node -p 'new Date(Date.now() + 364 * 864e5).toISOString().slice(0, 10)')"
project_token() {
  glab api --method POST "projects/:id/access_tokens" --header "Content-Type: application/json" \\
    --input - <<< '{"name":"'"$1"'","access_level":30,"scopes":['"$2"'],"expires_at":"'"$END"'"}' \\
    | node -p 'JSON.parse(require("fs").readFileSync(0)).token' | keep TENANCY_GITLAB_TOKEN "$1"
}
project_token ${reviews} '"api"'
${writes.map((name) => `project_token ${name} '"api","write_repository"'`).join("\n")}
${reads.map((name) => `project_token ${name} '"api","read_repository"'`).join("\n")}

# The address and the user of each stack. "STACK-read" has a user that only reads, "STACK-ended" a user that manages only users.
# Without a user in "STACK-ended", expired access is reported at night, and removed by the next apply.
${logins.join("\n")}

${stateSettings(plan, (key, environment, file) => `keep ${key} ${environment} < ${file}`)}

# The key of the snapshots, the same everywhere.
test -s snapshot-key || (umask 077 && npx tenancy key new > snapshot-key)
${[reviews, ...writes, ...reads].map((name) => `keep TENANCY_SNAPSHOT_KEY ${name} < snapshot-key`).join("\n")}

# The schedules of the reviews and of the nightly drift check. Keep the descriptions. The author of a schedule must be allowed to merge.
glab schedule create --cron "*/10 * * * *" --ref ${defaultBranch} --description "${REVIEW_SCHEDULE}"
glab schedule create --cron "17 3 * * *" --ref ${defaultBranch} --description "${NIGHTLY_SCHEDULE}"`;
}
