/** The embedded engine and Terraform plan the same: covers src/engine and src/provider together. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type Attributes, tenant, type DeclaredTenant } from "../../support/agreement/declarations";
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
      const planned = await both.planEmbedded();
      expect(await both.planTerraform()).toEqual(planned);
      // Some of the changes are there because of the date alone.
      expect(dueTokens(first, second).filter((token) => planned[token]?.action === "update")).not.toEqual([]);
      expect(
        endedRights(second).filter(([user, right]) => planned[user]?.attributes[right] === "false"),
      ).not.toEqual([]);
      await both[`apply${other}`]();
      expect(await both[`plan${one}`]()).toEqual({});
    },
  );
});

function tenants(seed: number): Readonly<Record<string, DeclaredTenant>> {
  const declared = fc.sample(tenant, { numRuns: TENANTS, seed });
  return Object.fromEntries(declared.map((one, index) => [`t${index}`, one]));
}

type Tenants = ReturnType<typeof tenants>;

/** Addresses of tokens that only their age can rotate: the first tenants had them too, with the same keepers. */
function dueTokens(first: Tenants, second: Tenants): readonly string[] {
  return Object.entries(second).flatMap(([name, { tokens }]) =>
    Object.entries(tokens).flatMap(([token, { rotate_after: age, keepers }]) => {
      const before = first[name]?.tokens[token];
      return age !== undefined && before !== undefined && isDeepStrictEqual(before["keepers"], keepers)
        ? [`tenancy_authorization.${name}_${token}`]
        : [];
    }),
  );
}

/** Addresses of users and accounts, with the attributes of rights whose last day is over. */
function endedRights(declared: Tenants): readonly (readonly [address: string, attribute: string])[] {
  return Object.entries(declared).flatMap(([name, { account, users }]) => {
    const all: (readonly [string, Attributes])[] = Object.entries(users).map(([user, attributes]) => [
      `tenancy_user_profile.${name}_${user}`,
      attributes,
    ]);
    return [[`tenancy_account.${name}`, account] as const, ...all].flatMap(([address, attributes]) =>
      Object.entries((attributes["permissions_until"] ?? {}) as Readonly<Record<string, string>>)
        .filter(([, day]) => day < "2030-07-01")
        .map(([right]) => [address, `permissions.${right}`] as const),
    );
  });
}
