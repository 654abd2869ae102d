/** Settings of a repository's host without which its pipelines are not safe, and that no file of the repository can make. */
import type { Deployment } from "./deployments";
import type { CiHost } from "./files";
import { gitlabSettings } from "./gitlab-settings";
import { type Place, statusName } from "../../pipeline";
import { KEEP_STORE_KEYS, makeStoreKey } from "./store-keys";

/** Printed by `tenancy init`: explanations as comments, commands as they are; empty where there are none. */
export function settingsFor(
  ci: CiHost,
  deployments: readonly Deployment[],
  codeOwners: string | undefined,
  place: Place,
): string {
  if (ci === "none") return "";
  return (ci === "gitlab" ? gitlabSettings : githubSettings)(deployments, codeOwners, place);
}

const API = `gh api --silent --method`;
const REPOSITORY = `"repos/{owner}/{repo}`;

function githubSettings(
  deployments: readonly Deployment[],
  codeOwners: string | undefined,
  place: Place,
): string {
  const { prefix } = place;
  const stacks = deployments.map(({ name }) => prefix + name);
  const environments = [`${prefix}tenancy-review`, ...stacks.flatMap((name) => [name, `${name}-read`])];
  const openings = environments.map(
    (
      name,
    ) => `${API} PUT ${REPOSITORY}/environments/${name}" -F "deployment_branch_policy[protected_branches]=false" -F "deployment_branch_policy[custom_branch_policies]=true"
${API} POST ${REPOSITORY}/environments/${name}/deployment-branch-policies" -f name=main`,
  );
  const secrets = stacks.map(
    (name) => `gh secret set TENANCY_USERNAME --env ${name}
gh secret set TENANCY_PASSWORD --env ${name}
${makeStoreKey(name)}
gh secret set TENANCY_STORE_KEY --env ${name} < store-key-${name}
gh secret set TENANCY_STORE_KEY --env ${name}-read < store-key-${name}
gh secret set TENANCY_USERNAME --env ${name}-read
gh secret set TENANCY_PASSWORD --env ${name}-read`,
  );
  return `
What the workflows need at GitHub, once they are pushed (\`gh\` asks for the value of a secret):

${codeOwners === undefined ? "# In .github/CODEOWNERS, replace @OWNER/TEAM by those who decide about access.\n\n" : ""}# Environments, open to the default branch alone.
${openings.join("\n")}

# Credentials: those of ${stacks.map((name) => `"${name}-read"`).join(" and ")} belong to a user that only reads.
${secrets.join("\n")}

${KEEP_STORE_KEYS}

# The key of the snapshots, the same everywhere.
openssl rand -base64 32 > snapshot-key
${environments.map((name) => `gh secret set TENANCY_SNAPSHOT_KEY --env ${name} < snapshot-key`).join("\n")}
rm snapshot-key

# What is merged is up to date, has the status "${statusName(place)}", and the approval of a code owner, which a new commit takes back.${
    prefix === ""
      ? ""
      : "\n# This replaces the protection that the branch has: add to both lists what it has already.\n# A pull request that does not concern the project is given the status at once."
  }
${API} PUT ${REPOSITORY}/branches/main/protection" --input - <<'END'
{
  "required_status_checks": { "strict": true, "contexts": ["${statusName(place)}"] },
  "required_pull_request_reviews": { "require_code_owner_reviews": true, "dismiss_stale_reviews": true, "required_approving_review_count": 1 },
  "enforce_admins": true,
  "restrictions": null
}
END`;
}
