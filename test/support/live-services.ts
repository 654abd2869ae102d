/** Services that hold what somebody has made by hand: their lists, drawn at random, as a real server answers them. */
import * as fc from "fast-check";
import { ALL_RIGHTS } from "../../src/service";
import { PRESETS } from "../../src/resources";
import { account as accountDescription } from "../../src/resources/account/description";
import { userProfile } from "../../src/resources/user-profile/description";
import type { Attributes } from "../../src/schema";
import { stringifyJson } from "../../src/lib/values";
import { drawnValue } from "./drawn-attributes";
import { SESSION, startService, text, type ScriptedService } from "./scripted-service";

type RecordOf = Record<string, unknown>;

export interface LiveLists {
  readonly accounts: readonly RecordOf[];
  readonly profiles: readonly RecordOf[];
}

export const OWNER = "acme-platform";

/** Stands in every place that holds a secret, or that no export has a use for. */
export const CANARY = "canary-5e1f";

/** Names that files, programs, templates or terminals could stumble over. */
export const AWKWARD_NAMES = [
  ..."acme Acme ACME class await constructor __proto__ toString index main terraform con aux COM1 nul.txt tenant tenants folder".split(
    " ",
  ),
  ..."acme-corp acme_corp acme.corp acme_override override 9lives _x -x $ $x a.d a.test service node import type Token".split(
    " ",
  ),
  ...[
    "*/",
    "/* x",
    "//",
    "${x}",
    "$${x}",
    "%{ if true }",
    "%%{x}",
    "`${1}`",
    "'",
    '"',
    `it's "so"`,
    `"`.repeat(3),
    "\\",
    "\\u0041",
    "a\\",
  ],
  ...[
    "line\nbreak",
    "\r\n",
    "tab\t",
    "\u2028",
    "\u202eevil\u202c",
    "\u200b",
    "\ufeff",
    "a/b",
    "a--b",
    "../up",
    ".",
    " spaced ",
    "*",
    "#",
  ],
  ...[
    "caf\u00e9",
    "cafe\u0301",
    "Stra\u00dfe",
    "\u6771\u4eac",
    "\ud83d\ude00",
    "\u0645\u062d\u0645\u062f",
    "\ufb03",
    "\u00e9t\u00e9-2",
    "m\u00fcller",
  ],
  ...["x".repeat(64), "\u6771".repeat(64), "long name with many words that goes on and on until sixty-four"],
];

const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...AWKWARD_NAMES) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }) },
);

const integers = fc.constantFrom<unknown>(
  null,
  null,
  0,
  20,
  10n ** 16n,
  9007199254740993n,
  2n ** 63n - 1n,
  2n ** 63n,
);
const texts = fc.constantFrom(
  "",
  "Acme",
  "M\u00fcller & S\u00f6hne",
  "a ${b} %{c}",
  `"quoted" 'so'`,
  "line\nbreak",
  "y".repeat(120),
);
const tags = fc.uniqueArray(fc.constantFrom("ssd", "hdd", "eu", "${x}", "cafe\u0301"), { maxLength: 4 });

/** What the service shows, or not. */
function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 6 });
}

const contact = fc.record({
  first_name: texts,
  last_name: texts,
  company: maybe(texts),
  address: maybe(
    fc.record({
      addr: fc.array(texts, { maxLength: 3 }),
      city: texts,
      state: texts,
      zip: texts,
      country: fc.constant("US"),
    }),
  ),
  phone: maybe(
    fc.constantFrom<unknown>(
      "+1 555",
      { number: "***4567", valid: false, token: CANARY },
      { number: "+49 151", valid: true, token: CANARY },
    ),
  ),
  email: maybe(
    fc.constantFrom<unknown>(
      "a@acme.example",
      { addr: "b@acme.example", valid: false, token: CANARY },
      { addr: "no address" },
    ),
  ),
});

/**
 * The members of a record that attributes are read from, each shown or not.
 * @param special members and objects that are drawn otherwise
 */
function membersOf(
  attributes: Attributes,
  special: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<RecordOf> {
  const samples = { text: texts, email: texts, phone: texts, integer: integers, texts: tags };
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  const objects: Record<string, Record<string, fc.Arbitrary<unknown>>> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const { codec, readPath: [first = name, second] = [name], sentWith, shown, of } = attribute;
    if (sentWith !== "both" || !shown || codec !== undefined || of !== "self") continue;
    if (Object.hasOwn(special, String(first))) continue;
    const value = drawnValue(attribute, samples);
    // A declaration of a whole object clears each absent member, also a hidden one, so such a member is sent once after an export.
    const isWhole = attribute.memberOf?.whole === true;
    const drawn = isWhole ? (attribute.nullable ? fc.option(value, { nil: null }) : value) : maybe(value);
    if (second === undefined) members[first] = drawn;
    else (objects[first] ??= {})[second] = drawn;
  }
  const drawnObjects = Object.entries(objects).map(([name, inner]) => [name, maybe(fc.record(inner))]);
  return fc.record({
    ...members,
    ...(Object.fromEntries(drawnObjects) as Record<string, fc.Arbitrary<unknown>>),
    ...special,
  });
}

const rights = fc
  .tuple(
    fc.constantFrom(...Object.values(PRESETS).map((preset) => [...preset] as string[])),
    fc.uniqueArray(fc.constantFrom(...ALL_RIGHTS), { maxLength: 8 }),
    fc.constantFrom<readonly string[]>([], [], [], ["vss.fly"], ["moon.land", "vss.*/"]),
  )
  .map(([preset, changed, unknown]) => [
    ...preset.filter((right) => !changed.includes(right as never)),
    ...changed.filter((right) => !preset.includes(right)),
    ...unknown,
  ]);

const scopes = fc.constantFrom<RecordOf>(
  { all: true },
  { all: true, list: [] },
  { all: false, list: [] },
  { all: false, list: ["thing:1:2", "thing:1:1"] },
  { list: ["thing:1:7"] },
  {},
);

const permissions = fc.tuple(rights, scopes, scopes).map(([granted, vss, node]) => {
  const groups: Record<string, RecordOf> = { realm: {}, node: {}, vss: {}, user: {}, account: {} };
  for (const right of [...ALL_RIGHTS, ...granted]) {
    const at = right.indexOf(".");
    const group = (groups[right.slice(0, at)] ??= {});
    const inGroup = (group["rights"] ??= {}) as RecordOf;
    inGroup[right.slice(at + 1)] = granted.includes(right);
  }
  Object.assign(groups["vss"] ?? {}, { all_account_scope: vss["all"], vsses: vss["list"] });
  Object.assign(groups["node"] ?? {}, { all_realm_scope: node["all"], nodes: node["list"] });
  return groups;
});

const profile = fc.record({
  isUuidShown: fc.boolean(),
  username: fc.oneof({ weight: 9, arbitrary: names }, { weight: 1, arbitrary: fc.constant("a@b") }),
  record: membersOf(userProfile.attributes, {
    activated: fc.boolean(),
    password_set: fc.boolean(),
    level: maybe(fc.constantFrom(0, 3, -1)),
    timezone: fc.constant("local"),
    account_admin: fc.boolean(),
    app_default: maybe(fc.constantFrom("storage", "account", "news")),
    email: maybe(fc.constantFrom(null, "", "jane@acme.example", "j***@acme.example", "nobody")),
    sms: fc.constantFrom(
      null,
      { number: "********4567", valid: true, token: CANARY },
      { number: "+49", token: CANARY },
    ),
    two_factor: maybe(
      fc.record({
        auth: fc.constantFrom("none", "google", "yubikey", "face"),
        yubikey_id: fc.constant(CANARY),
        secret: fc.constant(CANARY),
        security_email: fc.constantFrom(null, { addr: "s@acme.example", verified: false, bounce: false }),
      }),
    ),
    permissions: maybe(permissions),
    xref: maybe(fc.constantFrom(null, "", "HR-17", "z".repeat(300))),
    xmd: fc.constantFrom(null, { id: "xmd:1:1", ref: "k", mtime: 1, tags: [], self: true, data: CANARY }),
    sessions: fc.constant([{ serial: "SES1", id: "s", created_ms: 1, last_ms: 2, addr: CANARY }]),
    password: fc.constant(CANARY),
    access_token: fc.constant(CANARY),
  }),
});

const account = fc.record({
  isUuidShown: fc.boolean(),
  name: names,
  record: membersOf(accountDescription.attributes, {
    disabled: fc.boolean(),
    primary_contact: maybe(contact),
    billing_contact: fc.oneof(fc.constant(null), contact),
    password: fc.constant(CANARY),
  }),
  primary: profile,
  users: fc.array(profile, { maxLength: 4 }),
});

function uuidOf(isShown: boolean, index: number): string | undefined {
  return isShown ? `6ba7b810-9dad-41d1-80b4-${String(index).padStart(12, "0")}` : undefined;
}

export const services: fc.Arbitrary<LiveLists> = fc
  .uniqueArray(account, { minLength: 1, maxLength: 5, selector: ({ name }) => name })
  .map((drawn) => {
    const accounts: RecordOf[] = [SYSTEM.account];
    const profiles: RecordOf[] = [SYSTEM.profile];
    drawn.forEach(({ isUuidShown, name, record, primary, users }, index) => {
      const id = `account:1:${index + 10}`;
      const common = (kind: string, number: string) => ({
        id: `${kind}:1:${number}`,
        serial: `${kind}${number}`,
        seq: 1,
      });
      const adminId = `user-profile:1:${index + 10}00`;
      accounts.push({
        ...common("account", String(index + 10)),
        uuid: uuidOf(isUuidShown, index),
        name,
        admin_profile_id: adminId,
        usage_id: `account-usage:1:${index}`,
        ...record,
      });
      profiles.push({
        ...common("user-profile", `${index + 10}00`),
        uuid: uuidOf(isUuidShown, index + 1000),
        account_id: id,
        login: name,
        ...primary.record,
      });
      const unique = [...new Map(users.map((user) => [user.username, user])).values()];
      unique.forEach((user, number) => {
        const { username } = user;
        profiles.push({
          ...common("user-profile", `${index + 10}${String(number + 1).padStart(2, "0")}`),
          uuid: uuidOf(user.isUuidShown, index * 100 + number + 2000),
          account_id: id,
          login: `${username}@${name}`,
          ...user.record,
        });
      });
    });
    return { accounts, profiles };
  });

/** The account of the run's own user: it has no users but that one. */
const SYSTEM = {
  account: {
    id: "account:1:1",
    serial: "ACT1",
    uuid: "6ba7b810-9dad-41d1-80b4-999999999999",
    name: "system",
    admin_profile_id: "user-profile:1:1",
    disabled: false,
    primary_contact: { first_name: "", last_name: "" },
    billing_contact: null,
    limits: { vss_num: null, size_reserve_total: null },
    provisioning: {
      size_reserve_max: null,
      iops_reserve_max: null,
      tags_include: [],
      tags_exclude: [],
      tags_permit: null,
    },
  },
  profile: {
    id: "user-profile:1:1",
    serial: "USR1",
    account_id: "account:1:1",
    login: "system",
    activated: true,
  },
};

/** Serves the lists; ends with the test. */
export function serve({ accounts, profiles }: LiveLists): Promise<ScriptedService> {
  const answer = (body: unknown, status = 200) =>
    text(status, stringifyJson(body), { "content-type": "application/json" });
  return startService({
    "POST /api/oauth2/token": answer(SESSION, 201),
    "GET /api/status/authorization": answer({ account: { serial: "ACT1", name: "system" } }),
    "GET /api/account": answer(accounts),
    "GET /api/user-profile": answer(profiles),
  });
}

export function environmentOf(service: ScriptedService): Record<string, string> {
  return {
    TENANCY_BASE_URL: service.url,
    TENANCY_USERNAME: "system",
    TENANCY_PASSWORD: "system",
    TENANCY_OWNER: OWNER,
  };
}

/** A service in which an account and a user have each of these names; nobody knows who made them. */
export function listsNamed(names: readonly string[]): LiveLists {
  const common = (kind: string, number: number) => ({
    id: `${kind}:1:${number}`,
    serial: `${kind}${number}`,
    uuid: `6ba7b810-9dad-41d1-80b4-${String(number).padStart(12, "0")}`,
  });
  return {
    accounts: [
      SYSTEM.account,
      ...names.map((name, index) => ({
        ...common("account", 100 + index),
        name,
        admin_profile_id: `user-profile:1:${1000 + index}`,
      })),
    ],
    profiles: [
      SYSTEM.profile,
      ...names.flatMap((name, index) => {
        const account_id = `account:1:${100 + index}`;
        // The next name is the user's, so that each name is an account's once and a user's once.
        const username = names[(index + 1) % names.length] ?? "";
        const users = [{ ...common("user-profile", 2000 + index), account_id, login: `${username}@${name}` }];
        return [{ ...common("user-profile", 1000 + index), account_id, login: name }, ...users];
      }),
    ],
  };
}
