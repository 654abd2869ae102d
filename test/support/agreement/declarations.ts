/** Tenants as a stack might declare them, at random: what a user may write, in all the combinations that there are. */
import fc from "fast-check";
import { account as accountDescription } from "../../../src/resources/account/description";
import { userProfile } from "../../../src/resources/user-profile/description";
import { RIGHT_GROUPS, RIGHTS } from "../../../src/service/rights";
import { drawnAttributes } from "../drawn-attributes";

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

const rights = RIGHT_GROUPS.flatMap((group) => RIGHTS[group].slice(0, 6).map((right) => `${group}.${right}`));

const permissions = fc.dictionary(fc.constantFrom(...rights), fc.boolean(), {
  maxKeys: 8,
  noNullPrototype: false,
});

const scope = fc.oneof(fc.constant(["*"]), tags);

const samples = { text: word, email: address, phone: number, integer: quota, texts: tags };

const ofUser = {
  // The user of a token stays active.
  activated: undefined,
  permissions,
  vss_scope: scope,
  node_scope: scope,
  undeclared_rights: fc.constantFrom("deny", "keep"),
};

/** Takes away nullable values that are not set, by name or all of them. */
function withUnset(names: readonly string[]) {
  return (attributes: Attributes): fc.Arbitrary<Attributes> => {
    const free = names.filter((name) => attributes[name] === undefined);
    const named = fc.subarray(free, { minLength: free.length === 0 ? 0 : 1 });
    return fc
      .option(fc.oneof({ weight: 3, arbitrary: named }, fc.constant(["*"])), { freq: 3, nil: [] })
      .map((unset) => (unset.length === 0 ? attributes : { ...attributes, unset }));
  };
}

/** Last days of access: long ago, in the days over which tests move their clock, and far ahead. */
const lastDay = fc.constantFrom("2020-02-29", "2030-06-15", "2099-12-31");

/**
 * Rights with an end, beside those that are declared without one, and an end of web and API access. Where undeclared rights are kept there are none of the
 * former: only the engine that applied an end remembers it.
 */
function withEnds(attributes: Attributes): fc.Arbitrary<Attributes> {
  const declared = attributes["permissions"];
  const free = rights.filter((right) => !Object.hasOwn(declared ?? {}, right));
  const ends = fc.dictionary(fc.constantFrom(...free), lastDay, { maxKeys: 4, noNullPrototype: false });
  const hasRights = declared !== undefined && attributes["undeclared_rights"] !== "keep";
  const hasAccess =
    typeof attributes["access_web"] === "boolean" && typeof attributes["access_api"] === "boolean";
  return fc
    .record({
      permissions_until: hasRights ? fc.option(ends, { freq: 3 }) : fc.constant(null),
      access_until: hasAccess ? fc.option(lastDay, { freq: 1 }) : fc.constant(null),
    })
    .map((days) => ({
      ...attributes,
      ...Object.fromEntries(Object.entries(days).filter(([, day]) => day !== null)),
    }));
}

const account = some(
  drawnAttributes(accountDescription.attributes, samples, {
    ...ofUser,
    template: fc.constantFrom("gold", "silver"),
  }),
)
  .chain(withUnset(["billing_contact", "limits_vss_num", "provisioning_tags_permit"]))
  .chain(withEnds);

const password = fc.constantFrom<Attributes>(
  {},
  { password_wo: "${var.secret}", password_wo_version: 1 },
  { password_wo: "${var.secret}", password_wo_version: 2 },
);

const user = some(
  drawnAttributes(userProfile.attributes, samples, {
    ...ofUser,
    app_default: fc.constantFrom("storage", "account"),
    // A second factor needs a device.
    two_factor_auth: undefined,
  }),
)
  .chain(withUnset(["email", "sms", "xref", "two_factor_security_email"]))
  .chain(withEnds)
  .chain((attributes) => password.map((secret) => ({ ...attributes, ...secret })));

const token = some({
  keepers: fc.dictionary(fc.constantFrom("year", "__proto__", "ü"), fc.constantFrom("1", "2"), {
    maxKeys: 2,
  }),
  retain_previous_for: fc.constantFrom("0s", "7d"),
  retain_previous: fc.constantFrom(0, 1, 2),
  rotate_after: fc.constantFrom("30d", "90d"),
  seal_to: fc.constantFrom(
    ["age1xwcvu9u59ewmvfg88av8e2stl2d7295a2wwplvzjfxukef9sud8st4ls6x"],
    [
      "age1xwcvu9u59ewmvfg88av8e2stl2d7295a2wwplvzjfxukef9sud8st4ls6x",
      "age138m6vscckqxjcmswh7k043gqfqpn33zaqzd3swp5my2wgquy3yds8k9tcj",
    ],
  ),
});

/** One tenant. Its token acts for a machine user that has a password. */
export const tenant: fc.Arbitrary<DeclaredTenant> = fc.record({
  account,
  users: some(Object.fromEntries(USERNAMES.map((name) => [name, user]))) as fc.Arbitrary<Named>,
  tokens: some({ main: token, spare: token }) as fc.Arbitrary<Named>,
});
