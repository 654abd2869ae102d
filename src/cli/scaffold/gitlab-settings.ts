/** Settings of GitLab without which the pipelines are not safe, and that no file of the repository can make. */
import type { Deployment } from "./deployments";
import { NIGHTLY_SCHEDULE, REVIEW_SCHEDULE } from "./gitlab-steps";
import type { Place } from "../../pipeline";
import { KEEP_STORE_KEYS, makeStoreKey } from "./store-keys";

const API = "glab api --silent --method";

export function gitlabSettings(
  deployments: readonly Deployment[],
  codeOwners: string | undefined,
  { prefix }: Place,
): string {
  const stacks = deployments.map(({ name }) => prefix + name);
  const reads = stacks.map((name) => `${name}-read`);
  const environments = [`${prefix}tenancy-review`, ...stacks, ...reads];
  const secrets = stacks.map(
    (name) => `login ${name}
login ${name}-read
${makeStoreKey(name)}
keep TENANCY_STORE_KEY ${name} < store-key-${name}
keep TENANCY_STORE_KEY ${name}-read < store-key-${name}`,
  );
  return `
What the pipelines need at GitLab 17.8 or newer, once they are pushed (\`glab\`, in bash):

${codeOwners === undefined ? "# In .gitlab/CODEOWNERS, replace @OWNER/TEAM by those who decide about access.\n\n" : ""}# A variable of a pipeline outweighs all others, those of GitLab included: nobody may set one. A job's token pushes nothing. A fork's pipelines would be
# the fork's, so there are none. What is merged has a pipeline that succeeded.
${API} PUT "projects/:id" -f ci_pipeline_variables_minimum_override_role=no_one_allowed -f restrict_user_defined_variables=true \\
  -f ci_push_repository_for_job_token_allowed=false -f forking_access_level=disabled -f auto_cancel_pending_pipelines=disabled \\
  -f only_allow_merge_if_pipeline_succeeds=true -f allow_merge_on_skipped_pipeline=false

# Nobody pushes to the default branch; maintainers merge. Protect no other branch and no tag that others could push to: its jobs would get the variables too.
${API} DELETE "projects/:id/protected_branches/main"
${API} POST "projects/:id/protected_branches" -f name=main -f push_access_level=0 -f merge_access_level=40 -f allow_force_push=false

# With GitLab Premium: the approval of a code owner, which a new commit takes back.
${API} PATCH "projects/:id/protected_branches/main" -f code_owner_approval_required=true
${API} POST "projects/:id/approvals" -f reset_approvals_on_push=true

# Variables are protected, and each is of one environment: no job of a merge request gets it, nor one of the default branch that has not this environment.
keep() { tr -d '\\n' | glab variable set "$1" --scope "$2" --protected --masked --raw; }
login() {
  read -rp "TENANCY_USERNAME of $1: " name && printf %s "$name" | glab variable set TENANCY_USERNAME --scope "$1" --protected --raw
  read -rsp "TENANCY_PASSWORD of $1: " password && printf %s "$password" | keep TENANCY_PASSWORD "$1"
}

# A token of the project for each environment, as a developer; it ends after a year. Only the ones that apply may push, to the branch of the store.
END="$(node -p 'new Date(Date.now() + 364 * 864e5).toISOString().slice(0, 10)')"
project_token() {
  glab api --method POST "projects/:id/access_tokens" --header "Content-Type: application/json" \\
    --input - <<< '{"name":"'"$1"'","access_level":30,"scopes":['"$2"'],"expires_at":"'"$END"'"}' \\
    | node -p 'JSON.parse(require("fs").readFileSync(0)).token' | keep TENANCY_GITLAB_TOKEN "$1"
}
project_token ${prefix}tenancy-review '"api"'
${stacks.map((name) => `project_token ${name} '"api","write_repository"'`).join("\n")}
${reads.map((name) => `project_token ${name} '"api","read_repository"'`).join("\n")}

# Credentials: those of ${reads.map((name) => `"${name}"`).join(" and ")} belong to a user that only reads.
${secrets.join("\n")}

${KEEP_STORE_KEYS}

# The key of the snapshots, the same everywhere.
openssl rand -base64 32 > snapshot-key
${environments.map((name) => `keep TENANCY_SNAPSHOT_KEY ${name} < snapshot-key`).join("\n")}
rm snapshot-key

# What starts the reviews and the nightly look for drift, by these very descriptions. Their author has to be allowed to merge.
glab schedule create --cron "*/10 * * * *" --ref main --description "${REVIEW_SCHEDULE}"
glab schedule create --cron "17 3 * * *" --ref main --description "${NIGHTLY_SCHEDULE}"`;
}
