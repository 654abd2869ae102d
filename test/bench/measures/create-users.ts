/** Creating users in an account that the same run creates, against a bare loop of the same POSTs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding, Measure } from "../measure";
import { comparePairs, spreadOf } from "../support/pairs";
import { run } from "../support/run";
import type { Request, Service } from "../support/service";
import type { Size } from "../support/tenants";

const size: Size = { accounts: 1, usersPerAccount: 5000 };

/** The provider's `max_concurrency` if it is not set. */
const CONCURRENCY = 10;

export const measure: Measure = {
  runs: 5,
  async take(workplace, runs) {
    const outdir = await workplace.declare(size);
    const bodies = join(workplace.folder, "bodies.json");
    /** Every run has an empty service of its own. */
    const withService = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
      const service = await workplace.service({ accounts: 0, usersPerAccount: 0 });
      try {
        return await work(service);
      } finally {
        await service.stop();
      }
    };
    const apply = async ({ environment: env }: Service) =>
      run({
        node: workplace.tenancy("apply", "--skip-synth", "--yes"),
        cwd: await workplace.project(outdir),
        env,
      });
    const create = ({ environment: env }: Service) =>
      run({ node: workplace.bare("create", bodies, String(CONCURRENCY)), env });
    const requests = await withService(async (service) => {
      await apply(service);
      return service.requests();
    });
    await writeFile(bodies, JSON.stringify(bodiesOf(requests)));
    const users = size.usersPerAccount;
    const count: Finding = {
      what: `requests of an apply that creates an account and ${users} users`,
      unit: "requests",
      goal: users + 10,
      measured: spreadOf([requests.length]),
    };
    const what = `apply that creates an account and ${users} users / bare POST loop`;
    return [
      count,
      await comparePairs(
        { what, goal: 1.5, bare: () => withService(create), ours: () => withService(apply) },
        runs,
      ),
    ];
  },
};

function bodiesOf(requests: readonly Request[]) {
  const posted = (path: string) =>
    requests.filter((request) => request.method === "POST" && request.path === path).map(({ body }) => body);
  return { account: posted("/api/account")[0], users: posted("/api/user-profile") };
}
