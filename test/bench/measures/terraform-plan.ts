/** A plan that creates users, against one that creates as many `terraform_data` of the same values, for which Terraform starts nobody. */
import type { Finding, Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { TerraformProject } from "../support/terraform";
import { terraformData, users } from "../support/users";
import type { Workplace } from "../support/workplace";

export const measure: Measure = {
  runs: 7,
  take: async (workplace, runs) => [
    await planOf(workplace, 1000, 3.8, runs),
    await planOf(workplace, 1, 5, runs),
  ],
};

async function planOf(workplace: Workplace, count: number, goal: number, runs: number): Promise<Finding> {
  const service = await workplace.service({ accounts: 0, usersPerAccount: 0 });
  const bare = await TerraformProject.create(workplace, terraformData(count));
  const ours = await TerraformProject.create(workplace, users(count), service);
  const what = `terraform plan that creates ${count} / as many terraform_data`;
  return comparePairs({ what, goal, bare: () => bare.run("plan"), ours: () => ours.run("plan") }, runs);
}
