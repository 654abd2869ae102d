/** Settings of GitHub without which the workflows are not safe, and that no file of the repository can make. */
import { type SettingsPlan, stateSettings } from "./state-settings";
import { statusName, stateBranch } from "../../pipeline";

const API = "gh api --silent --method";
const REPOSITORY = `"repos/{owner}/{repo}`;

/** The app by which the workflows of a repository set a status. The status of any other app does not count. */
const GITHUB_ACTIONS = 15368;

export function githubSettings(plan: SettingsPlan): string {
  const { stacks, place, codeOwners, defaultBranch } = plan;
  const { prefix } = place;
  const reviews = `${prefix}tenancy-review`;
  const environmentsOf = (name: string) => ["", "-read", "-ended"].map((ending) => prefix + name + ending);
  const environments = [reviews, ...stacks.flatMap(({ name }) => environmentsOf(name))];
  const openings = environments.map(
    (
      name,
    ) => `${API} PUT ${REPOSITORY}/environments/${name}" -F "deployment_branch_policy[protected_branches]=false" -F "deployment_branch_policy[custom_branch_policies]=true"
${API} POST ${REPOSITORY}/environments/${name}/deployment-branch-policies" -f name=${defaultBranch}`,
  );
  const logins = stacks.flatMap(({ name, origin = "ORIGIN" }) =>
    environmentsOf(name).map(
      (environment) => `gh variable set TENANCY_ALLOWED_ORIGINS --env ${environment} --body ${origin}
gh secret set TENANCY_USERNAME --env ${environment}
gh secret set TENANCY_PASSWORD --env ${environment}`,
    ),
  );
  const state = stateBranch(place);
  return `
The settings that the workflows need at GitHub, once they are pushed (\`gh\` asks for the value of a secret):

${codeOwners === undefined ? "# In .github/CODEOWNERS, replace @OWNER/TEAM by the team that decides about access.\n\n" : ""}# Environments, open only to the default branch.
${openings.join("\n")}

# If your plan has required reviewers (private repositories: GitHub Enterprise), name some for ${stacks.map(({ name }) => `"${prefix}${name}"`).join(" and ")} in the
# settings, and do not let administrators bypass them. Name none for the others: the nightly jobs would wait for them.

# The address and the user of each stack. "STACK-read" has a user that only reads, "STACK-ended" a user that manages only users.
# Without a user in "STACK-ended", expired access is reported at night, and removed by the next apply.
${logins.join("\n")}

${stateSettings(plan, (key, environment, file) => `gh secret set ${key} --env ${environment} < ${file}`)}

# The key of the snapshots, the same everywhere.
test -s snapshot-key || (umask 077 && npx tenancy key new > snapshot-key)
${environments.map((name) => `gh secret set TENANCY_SNAPSHOT_KEY --env ${name} < snapshot-key`).join("\n")}

# The branches of the state cannot be deleted or rewritten.
${API} POST ${REPOSITORY}/rulesets" --input - <<'END'
{
  "name": "${state}", "target": "branch", "enforcement": "active",
  "conditions": { "ref_name": { "include": ["refs/heads/${state}*", "refs/heads/${state}*/**/*"], "exclude": [] } },
  "rules": [{ "type": "deletion" }, { "type": "non_fast_forward" }]
}
END

# A merge needs an up-to-date branch, the status "${statusName(place)}" of a workflow, and the approval of a code owner, which a new commit dismisses.${
    prefix === ""
      ? ""
      : "\n# This replaces the branch's present protection: add its present rules to both lists.\n# A pull request that does not concern the project is given the status at once."
  }
${API} PUT ${REPOSITORY}/branches/${defaultBranch}/protection" --input - <<'END'
{
  "required_status_checks": { "strict": true, "checks": [{ "context": "${statusName(place)}", "app_id": ${GITHUB_ACTIONS} }] },
  "required_pull_request_reviews": { "require_code_owner_reviews": true, "dismiss_stale_reviews": true, "required_approving_review_count": 1 },
  "enforce_admins": true,
  "restrictions": null
}
END

# In Settings, Actions: pull requests from forks get no write token and no secrets.`;
}
