/** An access review of a large project, against the plan of that project that finds nothing to do. */
import type { Finding, Measure } from "../measure";
import { comparePairs, spreadOf } from "../support/pairs";
import { run } from "../support/run";
import type { Service } from "../support/service";
import { large } from "../support/tenants";

export const measure: Measure = {
  runs: 5,
  async take(workplace, runs) {
    const service = await workplace.service(large);
    const cwd = await workplace.project(await workplace.declare(large));
    const env = service.environment;
    const plan = () => run({ node: workplace.tenancy("plan", "--skip-synth"), cwd, env });
    const report = (...words: readonly string[]) =>
      run({ node: workplace.tenancy("report", "--skip-synth", ...words), cwd, env });
    await service.requests();
    await report();
    const requests = await requestsOf(service);
    const title = `report on ${large.accounts} × ${large.usersPerAccount}`;
    const what = (format: string) => `${title}${format} / plan of it, nothing to do`;
    return [
      requests,
      await comparePairs({ what: what(""), goal: 1.5, bare: plan, ours: () => report() }, runs),
      await comparePairs(
        { what: what(", as JSON"), goal: 1.5, bare: plan, ours: () => report("--json") },
        runs,
      ),
    ];
  },
};

async function requestsOf(service: Service): Promise<Finding> {
  const requests = await service.requests();
  return {
    what: "requests of that report",
    measured: spreadOf([requests.length]),
    unit: "requests",
    goal: 4,
    detail: requests.map(({ method, path }) => `${method} ${path}`).join(", "),
  };
}
