/** A plan from a snapshot is the plan of the service that it was taken of: covers src/api/recorded.ts and src/engine/snapshot. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { apply, close, plan, type PlanOptions, takeSnapshot } from "../../../src/engine";
import type { Plan } from "../../../src/plan";
import { TenancyError } from "../../../src/problems";
import { startSimulator } from "../../../src/lib/simulator";
import { type DeclaredTenant, tenant } from "../../support/agreement/declarations";
import { drift } from "../../support/agreement/drift";
import { NewerService } from "../../support/agreement/newer-service";
import { stackOf } from "../../support/agreement/stack";
import { rounds } from "../../support/rounds";
import { STACK, writeStack } from "../../support/synthesized-app";

const NAMES = ["acme", "globex"] as const;

type Tenants = Readonly<Record<string, DeclaredTenant>>;

const tenants: fc.Arbitrary<Tenants> = fc.record({ acme: tenant, globex: tenant }, { requiredKeys: [] });

const history = fc.record({
  before: tenants,
  after: fc.oneof(
    { weight: 1, arbitrary: fc.constant("the same" as const) },
    { weight: 3, arbitrary: tenants },
  ),
  operations: fc.array(drift, { maxLength: 4 }),
  contacts: fc.constantFrom("full", "names"),
  isStateLost: fc.boolean(),
  flags: fc.record({
    allowAccountDeletion: fc.boolean(),
    resetPasswords: fc.boolean(),
    initState: fc.boolean(),
    noPrune: fc.boolean(),
    destroy: fc.boolean(),
  }),
});

/** What is told of a plan: every action, every line of Access, and why there is no plan. */
async function told(options: PlanOptions, outdir: string) {
  let made: Plan;
  try {
    made = await plan({ name: STACK, outdir }, { maxDeletes: 100, ...options });
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return { refused: error.toDiagnostics().map(({ code, address }) => ({ code, address })) };
  }
  const { changes, access, retained, unmanagedUsers, renames, summary } = made;
  await close(made);
  return {
    actions: changes.map(({ action, address, title, attributes, notes }) => ({
      action,
      address,
      title,
      changed: action === "create" ? [] : attributes.map(({ path }) => path.join(".")),
      notes,
    })),
    access,
    retained,
    unmanagedUsers,
    renames,
    summary,
  };
}

test("for any service and any declaration, the plan from a snapshot has the actions and the Access of the plan from the service", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ before, after, operations, contacts, isStateLost, flags }) => {
      const folder = await mkdtemp(join(tmpdir(), "tenancy-"));
      const service = await startSimulator({ contacts });
      const newer = new NewerService(service);
      try {
        const outdir = join(folder, "cdktf.out");
        const shared = {
          TENANCY_BASE_URL: service.baseUrl,
          TF_VAR_secret: "correct horse",
        };
        const environment = {
          ...shared,
          TENANCY_USERNAME: service.username,
          TENANCY_PASSWORD: service.password,
        };
        const asking = { environment, projectFolder: folder, ...flags };
        writeStack(outdir, stackOf(before));
        const first = await plan({ name: STACK, outdir }, { environment, projectFolder: folder });
        await apply(first);
        for (const operation of operations)
          for (const name of NAMES) if (name in before) operation(service.records, name, newer);
        if (isStateLost) await rm(join(folder, ".tenancy"), { recursive: true, force: true });
        if (after !== "the same") writeStack(outdir, stackOf(after));
        const file = join(folder, "live.json");
        await writeFile(file, await takeSnapshot([{ name: STACK, outdir }], { ...asking, usage: true }));
        const ofService = await told(asking, outdir);
        const sent = service.requests.length;
        const live = {
          ...flags,
          environment: shared,
          projectFolder: join(folder, "nowhere"),
          fromSnapshot: { file },
        };
        expect(await told(live, outdir)).toEqual(ofService);
        expect(service.requests).toHaveLength(sent);
        compared++;
      } finally {
        await service.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: rounds(10) },
  );
  expect(compared).toBeGreaterThan(0);
});
