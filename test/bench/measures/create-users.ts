/** Creating users into accounts that are there, against a bare loop of the same POSTs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { run } from "../support/run";
import type { Request, Service } from "../support/service";
import type { Size } from "../support/tenants";

const size: Size = { accounts: 50, usersPerAccount: 100 };

/** What the provider's `max_concurrency` is unless it says otherwise. */
const CONCURRENCY = 10;

export const measure: Measure = {
  runs: 5,
  async take(workplace, runs) {
    const outdir = await workplace.declare(size);
    const bodies = join(workplace.folder, "bodies.json");
    /** Every run has a service of its own, in which the accounts are live and no user is. */
    const withService = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
      const service = await workplace.service({ ...size, usersPerAccount: 0 });
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
    await withService(async (service) => {
      await apply(service);
      await writeFile(
        bodies,
        JSON.stringify((await service.requests()).filter(creates).map(({ body }) => body)),
      );
    });
    const what = `apply that creates ${size.accounts * size.usersPerAccount} users / bare POST loop`;
    return [
      await comparePairs(
        { what, goal: 1.25, bare: () => withService(create), ours: () => withService(apply) },
        runs,
      ),
    ];
  },
};

function creates({ method, path }: Request): boolean {
  return method === "POST" && path === "/api/user-profile";
}
