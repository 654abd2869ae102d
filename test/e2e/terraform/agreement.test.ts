/** The embedded engine and Terraform plan the same: covers src/engine and src/provider together. */
import fc from "fast-check";
import { tenant, type DeclaredTenant } from "../../support/agreement/declarations";
import { drift } from "../../support/agreement/drift";
import { TwoEngines } from "../../support/agreement/two-engines";
import { clockGoesBack, moveClock } from "../../support/moved-clock";
import { withEachEngine } from "../../support/terraform/engines";

/** Tenants of one stack: each is a configuration and a live state of its own. They are compared three times in a round. */
const TENANTS = 25;
/** 225 pairs with Terraform. OpenTofu asks a provider the same questions, so it takes one round. */
const SEEDS = { terraform: [1, 2, 3], tofu: [4] } as const;

clockGoesBack();

withEachEngine((engine) => {
  let both: TwoEngines | undefined;
  afterEach(async () => {
    await both?.stop();
    both = undefined;
  });

  test.each(SEEDS[engine.name])(
    "both engines plan the same for whatever is declared and whatever is live (%i)",
    async (seed) => {
      moveClock("2030-01-01T12:00:00Z");
      both = await TwoEngines.start(engine);
      const first = tenants(seed);
      const second = tenants(1000 + seed);
      const [one, other] =
        seed % 2 === 0 ? (["Terraform", "Embedded"] as const) : (["Embedded", "Terraform"] as const);

      both.declare(first);
      expect(await both.planTerraform()).toEqual(await both.planEmbedded());
      await both[`apply${one}`]();
      expect(await both[`plan${other}`]()).toEqual({});

      const operations = fc.sample(fc.array(drift, { maxLength: 2 }), { numRuns: TENANTS, seed });
      Object.keys(first).forEach((name, index) =>
        operations[index]?.forEach((operation) => operation(both!.service.records, name, both!.newer)),
      );
      expect(await both.planTerraform()).toEqual(await both.planEmbedded());

      // The service creates no token in a disabled account, so none stays disabled for the second apply.
      // Half a year later, some access has ended, and some tokens are due for rotation.
      moveClock("2030-07-01T12:00:00Z");
      const { records } = both.service;
      for (const { name, disabled } of records.accounts)
        if (disabled) records.patchAccount(name, { disabled: false });
      both.declare(second);
      expect(await both.planTerraform()).toEqual(await both.planEmbedded());
      await both[`apply${other}`]();
      expect(await both[`plan${one}`]()).toEqual({});
    },
  );
});

function tenants(seed: number): Readonly<Record<string, DeclaredTenant>> {
  const declared = fc.sample(tenant, { numRuns: TENANTS, seed });
  return Object.fromEntries(declared.map((one, index) => [`t${index}`, one]));
}
