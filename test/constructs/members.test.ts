/** Misspelt and misplaced members, as JavaScript lets them pass: covers src/constructs/members.ts and l1-config.ts. */
import {
  Account,
  Deletion,
  Permissions,
  Secret,
  SessionToken,
  TenancyProvider,
  Tenant,
  UserProfile,
} from "tenancy";
import { invalidValue, TenancyError, unknownMember } from "../../src/problems";
import { Synthesized } from "./synthesized";

function errorOf(declare: () => unknown): TenancyError {
  try {
    declare();
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** Options as an app gives them that nobody type-checked. */
type Unchecked = never;

/** Declares a tenant with further members, and with members of its user and its token. */
function tenant(members: object, user: object = {}, token: object = {}): () => unknown {
  const declared: object = {
    name: "acme",
    users: { jane: user },
    tokens: { csi: { user: "jane", ...token } },
    ...members,
  };
  return () => new Tenant(new Synthesized().stack, "acme", declared as Unchecked);
}

const stack = () => new Synthesized().stack;

const MISTAKES: readonly [mistake: string, declare: () => unknown, message: string, advice: string][] = [
  ["limts", tenant({ limts: {} }), 'tenant "acme" has no member "limts"', 'Did you mean "limits"?'],
  ["permisions", tenant({ permisions: Permissions.none() }), 'tenant "acme" has no member', '"permissions"'],
  ["user", tenant({ user: {} }), 'tenant "acme" has no member "user"', '"users"'],
  ["token", tenant({ token: {} }), 'tenant "acme" has no member "token"', '"tokens"'],
  ["dependson", tenant({ dependson: [] }), 'tenant "acme" has no member', '"dependsOn"'],
  ["deletionProtecton", tenant({ deletionProtecton: false }), 'tenant "acme" has no', '"deletionProtection"'],
  ["vssNum", tenant({ vssNum: 5 }), 'tenant "acme" has no member "vssNum"', 'Write it inside "limits".'],
  [
    "company",
    tenant({ company: "Acme" }),
    'tenant "acme" has no member',
    'Write it inside "primaryContact".',
  ],
  [
    "limits.vsNum",
    tenant({ limits: { vsNum: 5 } }),
    '"limits" of tenant "acme" has no member "vsNum"',
    '"vssNum"',
  ],
  [
    "limits.iopsReserveMax",
    tenant({ limits: { iopsReserveMax: 5 } }),
    '"limits" of tenant',
    'inside "provisioning"',
  ],
  [
    "provisioning.tagInclude",
    tenant({ provisioning: { tagInclude: [] } }),
    '"provisioning" of',
    '"tagsInclude"',
  ],
  ["access.wep", tenant({ access: { wep: true } }), '"access" of tenant "acme"', '"web"'],
  [
    "primaryContact.emial",
    tenant({ primaryContact: { emial: "a@b.example" } }),
    '"primaryContact" of',
    '"email"',
  ],
  [
    "primaryContact.address.zipp",
    tenant({ primaryContact: { address: { zipp: "1" } } }),
    '"primaryContact.address" of tenant "acme"',
    '"zip"',
  ],
  [
    "user's emial",
    tenant({}, { emial: "j@acme.example" }),
    'user "jane@acme" has no member "emial"',
    '"email"',
  ],
  ["user's permisions", tenant({}, { permisions: Permissions.none() }), 'user "jane@acme"', '"permissions"'],
  [
    "user's username",
    tenant({}, { username: "joe" }),
    'user "jane@acme" has no member "username"',
    "The members are",
  ],
  ["user's otp", tenant({}, { otp: "1" }), 'user "jane@acme" has no member "otp"', 'inside "twoFactor"'],
  ["user's twoFactor.authh", tenant({}, { twoFactor: { authh: "sms" } }), '"twoFactor" of user', '"auth"'],
  ["token's keeper", tenant({}, {}, { keeper: {} }), 'token "csi" has no member "keeper"', '"keepers"'],
  [
    "token's retainPreviousfor",
    tenant({}, {}, { retainPreviousfor: "1d" }),
    'token "csi"',
    '"retainPreviousFor"',
  ],
  [
    "fromName's providers",
    () => Tenant.fromName(stack(), "x", "acme", { providers: 1 } as Unchecked),
    "fromName",
    '"provider"',
  ],
  [
    "Deletion's acount",
    () => new Deletion(stack(), "x", { acount: "acme" } as Unchecked),
    "Deletion has",
    '"account"',
  ],
  [
    "Secret's versoin",
    () => Secret.variable("x", { versoin: 2 } as Unchecked),
    "Secret.variable has",
    '"version"',
  ],
  ["scope's vss", () => Permissions.none().scopedTo({ vss: [] } as Unchecked), "scopedTo has", "vsses"],
  [
    "session's user",
    () => new SessionToken(stack(), "x", { user: "jane" } as Unchecked),
    "SessionToken",
    "username",
  ],
  [
    "L1 user's emial",
    () => new UserProfile(stack(), "x", { username: "x", emial: "" } as Unchecked),
    "UserProfile",
    '"email"',
  ],
  [
    "L1 account's limits",
    () => new Account(stack(), "x", { name: "x", limits: {} } as Unchecked),
    "Account",
    "limitsVssNum",
  ],
  [
    "provider's ownr",
    () => new TenancyProvider(stack(), "x", { ownr: "me" } as Unchecked),
    "TenancyProvider",
    '"owner"',
  ],
];

test.each(MISTAKES)("%s is refused with the nearest name", (_, declare, message, advice) => {
  const error = errorOf(declare);
  expect(unknownMember.is(error)).toBe(true);
  expect(error.message).toContain(message);
  expect(error.advice).toContain(advice);
});

test.each([
  ["limits.vssNum", { limits: { vssNum: -5 } }],
  ["limits.sizeReserveTotal", { limits: { sizeReserveTotal: -1 } }],
  ["provisioning.iopsReserveMax", { provisioning: { iopsReserveMax: -1 } }],
])("a negative quota %s is refused", (path, members) => {
  const error = errorOf(tenant(members));
  expect(invalidValue.is(error)).toBe(true);
  expect(error.message).toContain(`"${path}" must be 0 or more`);
});

test("keys of keepers are free, and so are members without a value", () => {
  expect(tenant({ nobody: undefined }, {}, { keepers: { anything: "1" } })).not.toThrow();
});
