/** A plan that finds nothing to do, against a program that just downloads the same lists and parses them. */
import type { Finding, Measure } from "../measure";
import { comparePairs, spreadOf } from "../support/pairs";
import { run } from "../support/run";
import type { Service } from "../support/service";
import { large } from "../support/tenants";

export const measure: Measure = {
  runs: 7,
  async take(workplace, runs) {
    const service = await workplace.service(large);
    const cwd = await workplace.project(await workplace.declare(large));
    const env = service.environment;
    const plan = () => run({ node: workplace.tenancy("plan", "--skip-synth"), cwd, env });
    const download = () => run({ node: workplace.bare("download"), env });
    await service.requests();
    await plan();
    const requests = await requestsOf(service);
    const title = `plan of ${large.accounts} × ${large.usersPerAccount}, nothing to do`;
    return [
      requests,
      await comparePairs({ what: `${title} / bare download`, goal: 1.5, bare: download, ours: plan }, runs),
    ];
  },
};

async function requestsOf(service: Service): Promise<Finding> {
  const requests = await service.requests();
  return {
    what: "requests of that plan",
    measured: spreadOf([requests.length]),
    unit: "requests",
    goal: 4,
    detail: requests.map(({ method, path }) => `${method} ${path}`).join(", "),
  };
}
