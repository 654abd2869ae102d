/** Of each construct 25 misspelt members, drawn from the names of all its members, and every misplaced member of the other constructs. */
import { Token } from "cdktf";
import {
  Account,
  Authorization,
  DataTenancyAccount,
  DataTenancyUserProfile,
  Permissions,
  Deletion,
  Release,
  Secret,
  AccessToken,
  SessionToken,
  TenancyProvider,
  Tenant,
  UserProfile,
} from "tenancy";
import { TenancyError, unknownMember } from "../../src/problems";
import { Synthesized } from "./synthesized";

const stack = () => new Synthesized().stack;

const tenant = (members: object) => () => new Tenant(stack(), "acme", { name: "acme", ...members });

/** Declares a construct, or an object in it, with further members. */
const CONSTRUCTS: Readonly<Record<string, (members: object) => () => unknown>> = {
  Tenant: tenant,
  "limits of a Tenant": (members) => tenant({ limits: members }),
  "provisioning of a Tenant": (members) => tenant({ provisioning: members }),
  "access of a Tenant": (members) => tenant({ access: members }),
  "primaryContact of a Tenant": (members) => tenant({ primaryContact: members }),
  "primaryContact.address of a Tenant": (members) => tenant({ primaryContact: { address: members } }),
  "billingContact of a Tenant": (members) => tenant({ billingContact: members }),
  "a user of a Tenant": (members) => tenant({ users: { jane: members } }),
  "twoFactor of a user": (members) => tenant({ users: { jane: { twoFactor: members } } }),
  "a token of a Tenant": (members) =>
    tenant({ users: { jane: {} }, tokens: { csi: { user: "jane", ...members } } }),
  Account: (members) => () => new Account(stack(), "x", { name: "x", ...members }),
  "primaryContact of an Account": (members) => () =>
    new Account(stack(), "x", { name: "x", primaryContact: members }),
  UserProfile: (members) => () => new UserProfile(stack(), "x", { username: "x", ...members }),
  Authorization: (members) => () => new Authorization(stack(), "x", { login: "x@y", name: "z", ...members }),
  DataTenancyAccount: (members) => () => new DataTenancyAccount(stack(), "x", { name: "x", ...members }),
  DataTenancyUserProfile: (members) => () =>
    new DataTenancyUserProfile(stack(), "x", { login: "x@y", ...members }),
  TenancyProvider: (members) => () => new TenancyProvider(stack(), "x", members),
  Deletion: (members) => () => new Deletion(stack(), "x", { account: "acme", ...members }),
  Release: (members) => () => new Release(stack(), "x", { account: "acme", ...members }),
  AccessToken: (members) => () => new AccessToken(stack(), "x", { sealed: "x", ...members }),
  SessionToken: (members) => () =>
    new SessionToken(stack(), "x", {
      username: "x",
      password: Secret.variable("p"),
      ...members,
    }),
  "Secret.variable": (members) => () => Secret.variable("x", members),
};

function errorOf(declare: () => unknown): TenancyError | undefined {
  try {
    declare();
    return undefined;
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}

/** The members of a construct, as it lists them where nothing is near. */
function membersOf(construct: string): readonly string[] {
  const advice = errorOf(CONSTRUCTS[construct]!({ qqqqqqqqqqqqqqqqqqqqqqqqq: 1 }))?.advice ?? "";
  return /^The members are: (.*)\.$/.exec(advice)?.[1]?.split(", ") ?? [];
}

/** Each with a letter left out, doubled, swapped with its neighbour, wrong or too many, at places all over the word. */
function misspellings(member: string): readonly string[] {
  return [...member].flatMap((letter, at) => [
    member.slice(0, at) + member.slice(at + 1),
    member.slice(0, at) + letter + member.slice(at),
    member.slice(0, at) + (member[at + 1] ?? "") + letter + member.slice(at + 2),
    ...["x", "q"].flatMap((wrong) => [
      member.slice(0, at) + wrong + member.slice(at + 1),
      member.slice(0, at) + wrong + member.slice(at),
    ]),
  ]);
}

/** 25 misspellings, taken from one member after the other. */
function mistakesOf(members: readonly string[]): readonly (readonly [mistake: string, member: string])[] {
  const columns = members
    .filter(({ length }) => length > 2)
    .map((member) =>
      misspellings(member)
        .filter((mistake) => !members.includes(mistake))
        .map((mistake) => [mistake, member] as const),
    );
  const rows = Array.from({ length: 100 }, (_unused, row) =>
    columns.flatMap((column) => column.slice(row, row + 1)),
  );
  return [...new Map(rows.flat()).entries()].slice(0, 25);
}

const NAMES = Object.keys(CONSTRUCTS);

test.each(NAMES)(
  "%s: 25 misspelt members are refused, with the nearest name and the line of the app",
  (construct) => {
    const members = membersOf(construct);
    const mistakes = mistakesOf(members);
    expect(mistakes).toHaveLength(25);
    const faults = mistakes.flatMap(([mistake, member]) => {
      const error = errorOf(CONSTRUCTS[construct]!({ [mistake]: 1 }));
      if (!unknownMember.is(error)) return [`${mistake} passes`];
      // Another object that has a member of this very name is named instead.
      const isNamed =
        error.advice?.includes(`"${member}"`) === true ||
        /^(Did you mean|Write it inside) "/.test(error.advice ?? "");
      const isPlaced = error.stack?.includes("misspelt-members.test.ts:") === true;
      return isNamed && isPlaced
        ? []
        : [`${mistake}: ${error.advice ?? ""} ${isPlaced ? "" : "without a line"}`];
    });
    expect(faults).toEqual([]);
  },
);

test.each([
  "limits.vssNum",
  "limits.sizeReserveTotal",
  "provisioning.sizeReserveMax",
  "provisioning.iopsReserveMax",
])("a negative quota is refused, with the line of the app: %s", (path) => {
  const [group = "", quota = ""] = path.split(".");
  for (const value of [-1, -5, -(10 ** 12)]) {
    const error = errorOf(tenant({ [group]: { [quota]: value } }));
    expect(error?.message).toBe(`"${path}" must be 0 or more, not ${value}`);
    expect(error?.stack).toContain("misspelt-members.test.ts:");
  }
});

test.each([
  ["Account", "limitsVssNum"],
  ["Account", "limitsSizeReserveTotal"],
  ["Account", "provisioningSizeReserveMax"],
  ["Account", "provisioningIopsReserveMax"],
  ["Authorization", "retainPrevious"],
])("a negative number in L1 is refused, too: %s.%s", (construct, property) => {
  const error = errorOf(CONSTRUCTS[construct]!({ [property]: -5 }));
  expect(error?.message).toBe(`"${property}" must be 0 or more, not -5`);
  expect(error?.stack).toContain("misspelt-members.test.ts:");
  // A value that is known later is a number that the library has made up, a negative one.
  for (const value of [0, Token.asNumber({ later: true })])
    expect(errorOf(CONSTRUCTS[construct]!({ [property]: value }))).toBeUndefined();
});

test("a value that cannot fit is refused when the app runs, with its line", () => {
  const day = `must be a day such as "2026-12-04", not "tomorrow"`;
  const refused: readonly [readonly [string, unknown], string][] = [
    [["Account", { limitsVssNum: 1.5 }], '"limitsVssNum" must be a whole number, not 1.5'],
    [["UserProfile", { accessUntil: "tomorrow" }], `"accessUntil" ${day}`],
    [
      ["UserProfile", { permissions: Permissions.operator() }],
      '"permissions" must be rights by name in this construct: write `...permissions.toAttributes()` instead',
    ],
  ];
  for (const [[construct, members], message] of refused) {
    const error = errorOf(CONSTRUCTS[construct]!(members as object));
    expect(error?.message).toBe(message);
    expect(error?.stack).toContain("misspelt-members.test.ts:");
  }
  for (const until of ["2026-12-04", "${local.day}", Token.asString({ later: true })])
    expect(errorOf(CONSTRUCTS["UserProfile"]!({ accessUntil: until }))).toBeUndefined();

  expect(errorOf(tenant({ limits: { vssNum: 1.5 } }))?.message).toBe(
    '"limits.vssNum" must be a whole number, not 1.5',
  );
  expect(errorOf(tenant({ users: { jane: { until: "tomorrow" } } }))?.message).toBe(`"until" ${day}`);
  for (const props of [
    { permissions: { "vss.format_disks": true } },
    { users: { jane: { permissions: {} } } },
  ])
    expect(errorOf(tenant(props))?.message).toBe(
      '"permissions" must be a `Permissions`, such as `Permissions.operator()`',
    );
});

test.each(NAMES)("%s: members of the other constructs are refused", (construct) => {
  const members = membersOf(construct);
  const others = new Set(NAMES.flatMap(membersOf));
  const passing = [...others].filter(
    (member) =>
      !members.includes(member) && !unknownMember.is(errorOf(CONSTRUCTS[construct]!({ [member]: 1 }))),
  );
  expect(passing).toEqual([]);
  expect(others.size - members.length).toBeGreaterThan(25);
});
