/** Tenants as a stack might declare them, at random: what a user may write, in all the combinations that there are. */
import fc from "fast-check";
import { RIGHT_GROUPS, RIGHTS } from "../../../src/resources/rights";

export interface DeclaredTenant {
  readonly account: Attributes;
  readonly users: Named;
  readonly tokens: Named;
}

type Named = Readonly<Record<string, Attributes>>;

export type Attributes = Readonly<Record<string, unknown>>;

const USERNAMES = ["ann", "ben", "csi"] as const;

const word = fc.constantFrom("", "a", "Ann", "René", "ü", "__proto__", "x y", "9");
const tags = fc.uniqueArray(fc.constantFrom("ssd", "nvme", "ü", "__proto__", "a b"), { maxLength: 3 });
const quota = fc.constantFrom(null, 0, 1, 20, 9007199254740991, 9007199254740993n, 9223372036854775807n);
const address = fc.constantFrom("a@acme.example", "b@acme.example");
const number = fc.constantFrom("+4915112345678", "+4915187654321", "0301234");

/** Some of the attributes. */
function some(attributes: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Attributes> {
  return fc.record(attributes, { requiredKeys: [] });
}

const contact = some({
  first_name: word,
  last_name: word,
  company: word,
  address: some({
    addr: fc.array(word, { maxLength: 2 }),
    city: word,
    zip: word,
    country: fc.constantFrom("US", "DE"),
  }),
  phone: number,
  email: address,
});

const rights = (group: (typeof RIGHT_GROUPS)[number]) =>
  some({ rights: some(Object.fromEntries(RIGHTS[group].slice(0, 6).map((right) => [right, fc.boolean()]))) });

const permissions = fc
  .record(Object.fromEntries(RIGHT_GROUPS.map((group) => [group, rights(group)])), { requiredKeys: [] })
  .chain((groups) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(groups) },
      tags.map((vsses) => ({ ...groups, vss: { ...groups["vss"], all_account_scope: false, vsses } })),
    ),
  );

const access = some({ web: fc.boolean(), api: fc.boolean() });

/** Takes away a nullable value that is not set. */
function withUnset(paths: readonly string[]) {
  return (attributes: Attributes): fc.Arbitrary<Attributes> => {
    const free = paths.filter((path) => attributes[path.split(".")[0] ?? ""] === undefined);
    return fc
      .option(fc.subarray(free, { minLength: free.length === 0 ? 0 : 1 }), { freq: 3, nil: [] })
      .map((unset) => (unset.length === 0 ? attributes : { ...attributes, unset }));
  };
}

const account = some({
  primary_contact: contact,
  billing_contact: contact,
  limits: some({ vss_num: quota, size_reserve_total: quota }),
  provisioning: some({
    size_reserve_max: quota,
    iops_reserve_max: quota,
    tags_include: tags,
    tags_exclude: tags,
    tags_permit: fc.option(tags),
  }),
  level: fc.integer({ min: 0, max: 5 }),
  access,
  permissions,
  undeclared_rights: fc.constantFrom("deny", "keep"),
  template: fc.constantFrom("gold", "silver"),
}).chain(withUnset(["billing_contact", "limits_vss_num", "provisioning_tags_permit"]));

const password = fc.constantFrom<Attributes>(
  {},
  { password_wo: "${var.secret}", password_wo_version: 1 },
  { password_wo: "${var.secret}", password_wo_version: 2 },
);

const user = some({
  email: address,
  email_notify: fc.boolean(),
  sms: number,
  sms_notify: fc.boolean(),
  allow_su: fc.boolean(),
  level: fc.integer({ min: 0, max: 5 }),
  app_default: fc.constantFrom("storage", "account"),
  access,
  two_factor: some({ security_email: address }),
  permissions,
  undeclared_rights: fc.constantFrom("deny", "keep"),
  xmd_refs: tags,
  xref: fc.constantFrom("x", "y"),
})
  .chain(withUnset(["email", "sms", "xref", "two_factor_security_email"]))
  .chain((attributes) => password.map((secret) => ({ ...attributes, ...secret })));

const token = some({
  keepers: fc.dictionary(fc.constantFrom("year", "__proto__", "ü"), fc.constantFrom("1", "2"), {
    maxKeys: 2,
  }),
  retain_previous_for: fc.constantFrom("0s", "7d"),
  retain_previous: fc.constantFrom(0, 1, 2),
});

/** One tenant. Its token acts for a machine user that has a password for it. */
export const tenant: fc.Arbitrary<DeclaredTenant> = fc.record({
  account,
  users: some(Object.fromEntries(USERNAMES.map((name) => [name, user]))) as fc.Arbitrary<Named>,
  tokens: some({ main: token, spare: token }) as fc.Arbitrary<Named>,
});
