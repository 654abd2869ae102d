/** Terraform with 1,000 users that are live: what a plan with nothing to do asks of the service, and how much memory the provider takes. */
import type { Finding, Measure } from "../measure";
import { spreadOf } from "../support/pairs";
import type { Service } from "../support/service";
import { TerraformProject } from "../support/terraform";
import { users } from "../support/users";

const USERS = 1000;

export const measure: Measure = {
  runs: 3,
  async take(workplace, runs) {
    const service = await workplace.service({ accounts: 0, usersPerAccount: 0 });
    const project = await TerraformProject.create(workplace, users(USERS), service);
    const creating = await memoryOf(project, `terraform plan that creates ${USERS}`, runs);
    await project.run("apply", "-auto-approve", "-parallelism=50");
    await service.requests();
    await project.run("plan", "-detailed-exitcode");
    return [
      await requestsOf(service),
      creating,
      await memoryOf(project, `no-op terraform plan of ${USERS}`, runs),
    ];
  },
};

async function requestsOf(service: Service): Promise<Finding> {
  const requests = await service.requests();
  return {
    what: `requests of a no-op terraform plan of ${USERS}`,
    measured: spreadOf([requests.length]),
    unit: "requests",
    goal: 14,
  };
}

async function memoryOf(project: TerraformProject, plan: string, runs: number): Promise<Finding> {
  const megabytes: number[] = [];
  for (let run = 0; run < runs; run++) megabytes.push(Math.round(await project.memory("plan")));
  return {
    what: `peak memory of the provider, ${plan}`,
    measured: spreadOf(megabytes),
    unit: "MB",
    goal: 80,
  };
}
