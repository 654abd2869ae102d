/** The state after a write holds what was planned: covers src/resources/record/outcome.ts and plan.ts. */
import fc from "fast-check";
import { resource as account } from "../../../src/resources/account";
import type { Resource } from "../../../src/resources";
import { resource as userProfile } from "../../../src/resources/user-profile";
import { isObject, isUnknown, isWhollyKnown, type ObjectValue, type Value } from "../../../src/lib/values";
import { connected } from "../../support/connections";

/** Every part of the plan that is known stands in the state as it was planned; nothing in the state is unknown. */
function expectAsPlanned(planned: Value, state: Value, path: string): void {
  if (isUnknown(planned)) return;
  if (!isObject(planned)) return expect({ [path]: state }).toEqual({ [path]: planned });
  expect(isObject(state)).toBe(true);
  for (const name of Object.keys(planned))
    expectAsPlanned(planned[name] ?? null, (state as ObjectValue)[name] ?? null, `${path}.${name}`);
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const word = fc.constantFrom("a", "b", "c");
const words = fc.uniqueArray(word);
const number = fc.constantFrom("4155554567", "3225551234");
const address = fc.constantFrom("a@b.example", "c@d.example");
const amount = fc.constantFrom(0, 1, 9007199254740993n);

const permissions = fc.dictionary(
  fc.constantFrom("vss.manage_targets", "vss.remove_vss", "account.view_events", "realm.view_logs"),
  fc.boolean(),
  { noNullPrototype: false },
);
const scope = fc.oneof(words, fc.constant(["*"]));
const contact = fc.record({
  first_name: word,
  company: maybe(word),
  phone: maybe(number),
  email: maybe(address),
  address: maybe(fc.record({ addr: maybe(fc.array(word)), city: maybe(word), country: maybe(word) })),
});

const common = {
  permissions: maybe(permissions),
  vss_scope: maybe(scope),
  node_scope: maybe(scope),
  undeclared_rights: maybe(fc.constantFrom("deny", "keep")),
  access_web: maybe(fc.boolean()),
  access_api: maybe(fc.boolean()),
  level: maybe(fc.constantFrom(1, 2)),
};
const accounts = fc.record({
  ...common,
  primary_contact: maybe(contact),
  billing_contact: maybe(contact),
  limits_vss_num: maybe(amount),
  limits_size_reserve_total: maybe(amount),
  provisioning_iops_reserve_max: maybe(amount),
  provisioning_tags_include: maybe(words),
  provisioning_tags_permit: maybe(words),
  activated: maybe(fc.boolean()),
});
const profiles = fc.record({
  ...common,
  email: maybe(address),
  sms: maybe(number),
  email_notify: maybe(fc.boolean()),
  app_default: maybe(fc.constantFrom("storage", "account")),
  two_factor_security_email: maybe(address),
  xref: maybe(word),
  xmd_refs: maybe(words),
});

/** Plans, applies, refreshes and plans again, as Terraform does. */
async function expectConsistent(
  resource: Resource,
  contacts: "names" | "full",
  configs: readonly ObjectValue[],
): Promise<void> {
  const { connection, simulator } = await connected({ contacts });
  const { id } = simulator.records.createAccount({ name: "globex" });
  const key = resource === account ? { name: "initech" } : { username: "jane", account_id: id };
  let state: ObjectValue | null = null;
  for (const wanted of configs) {
    const config: ObjectValue = { ...wanted, ...key };
    const prior: ObjectValue | null = state;
    const { planned, action } = resource.propose(config, prior, { asOf: undefined });
    if (prior === null) state = (await resource.create(connection, { planned, config })).state;
    else if (action === "update") {
      const request = { prior, planned, config, asOf: undefined, recordVersions: false };
      const outcome = await resource.update(connection, request);
      expect(outcome.findings).toEqual([]);
      state = outcome.state;
    }
    expectAsPlanned(planned, state, "");
    expect(isWhollyKnown(state)).toBe(true);
    expect(resource.propose(config, state, { asOf: undefined }).changes).toEqual([]);
    state = (await resource.read(connection, state!))?.state ?? null;
    expect(resource.propose(config, state, { asOf: undefined }).changes).toEqual([]);
  }
}

const settings = { numRuns: 20 };

test("an account is as it was planned, after every step and every refresh", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("names" as const, "full" as const),
      accounts,
      accounts,
      (contacts, first, second) => expectConsistent(account, contacts, [first, second, first]),
    ),
    settings,
  );
});

test("a user profile is as it was planned, after every step and every refresh", async () => {
  await fc.assert(
    fc.asyncProperty(profiles, profiles, (first, second) =>
      expectConsistent(userProfile, "names", [first, second, first]),
    ),
    settings,
  );
});
