/** A history: what a user declares and runs, what others do meanwhile, and what goes wrong. */
import fc from "fast-check";
import {
  RIGHTS,
  TOKENS,
  type AccountName,
  type AccountSettings,
  type DeclaredToken,
  type Edit,
  type Username,
  type UserSettings,
} from "./declaration";
import type { Fault, Strike } from "./fault";
import type { Rival } from "./rival";
import type { Sibling } from "./synthesize";
import type { AddressName } from "../world/gateway";

export type Verb = "plan" | "apply" | "saved" | "destroy";

export interface Flags {
  readonly allowAccountDeletion: boolean;
  readonly allowNonempty: boolean;
  readonly allowSelfChange: boolean;
  readonly retireEarly: boolean;
  readonly maxDeletes: number | undefined;
  readonly resetPasswords: boolean;
  readonly initStore: boolean;
  readonly verifyTokens: boolean;
}

/** Who reads what a run prints, and not to its end. Of an engine without output: who stops it after so many events. */
export type Reader =
  | { readonly kind: "leaves"; readonly afterLines: number }
  /** There is no room for what it prints. */
  | { readonly kind: "full disk" };

export interface Step {
  /** By which of its names the service is known in this step. */
  readonly address: AddressName;
  /** Of the run that may write. */
  readonly reader: Reader | undefined;
  /** What the stack and its sibling know of each other, where there is one. */
  readonly sibling: Sibling;
  readonly edits: readonly Edit[];
  /** Done by others before the run. */
  readonly rivals: readonly Rival[];
  readonly wipesStore: boolean;
  readonly verb: Verb;
  /** Done by others between the plan and the apply of a saved plan. */
  readonly between: readonly Rival[];
  readonly flags: Flags;
  readonly faults: readonly Fault[];
  readonly parallelism: 1 | 4;
}

/** What kind of service it is, where the specification is silent. */
export interface ServiceTraits {
  readonly contacts: "names" | "full";
  readonly accountDelete: "cascade" | "refuse";
  readonly duplicateStatus: 400 | 409;
  readonly reuseUuids: boolean;
  readonly revocation: boolean;
  /** What becomes of a revocation where there is such a call: refused (403), or answered and not done. */
  readonly revokes: "as asked" | "refuses" | "ignores";
  readonly suspendedStatus: 401 | 403;
  readonly passwordEndsTokens: boolean;
  readonly describeCaller: { readonly permissions: boolean; readonly user: boolean };
}

/** With which credential the runs work. */
export type CallerName = "system" | "deployer" | "token of deployer";

export interface History {
  readonly service: ServiceTraits;
  readonly caller: CallerName;
  /** Whether the runs hold an owner key; `taken later`: from the second step on, and what was made before stays ours. */
  readonly ownerKey: "never" | "always" | "taken later";
  /** Whether another stack stands in the app, with an owner and records of its own. */
  readonly hasSibling: boolean;
  /** How many provider configurations there are for the service besides the first one. */
  readonly aliases: number;
  /** Whether nothing happens but that the first run is killed. */
  readonly isKilledFirst: boolean;
  /** What is declared at first. */
  readonly start: readonly Edit[];
  readonly steps: readonly Step[];
}

export const NO_FLAGS: Flags = {
  allowAccountDeletion: false,
  allowNonempty: false,
  allowSelfChange: false,
  retireEarly: false,
  maxDeletes: undefined,
  resetPasswords: false,
  initStore: false,
  verifyTokens: false,
};

/** Every decision that a run can ask for, given beforehand, except those about the run's own credential. */
export const ALL_ALLOWED: Flags = {
  allowAccountDeletion: true,
  allowNonempty: true,
  allowSelfChange: false,
  retireEarly: true,
  maxDeletes: 1000,
  resetPasswords: true,
  initStore: true,
  verifyTokens: true,
};

/** Mostly false, since histories without anything unusual must be common, too. */
const rarely = (weight = 6): fc.Arbitrary<boolean> =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const small = fc.integer({ min: 1, max: 3 });

const token = fc.constantFrom(...TOKENS);
/** Others leave the runs' own account and user alone: without them no run would get anywhere. */
const othersAccount = fc.constantFrom("acme" as const, "globex" as const);
const othersUser = fc.constantFrom("jane" as const, "csi" as const);
/** Objects that are there from the start are mostly adopted, as they have to be, and the others mostly created. */
const place = fc.oneof(
  { weight: 8, arbitrary: fc.record({ account: othersAccount, user: othersUser }) },
  { weight: 1, arbitrary: fc.constant({ account: "ops" as const, user: "deployer" as const }) },
  { weight: 1, arbitrary: fc.record({ account: fc.constant("ops" as const), user: othersUser }) },
);
const rightly = (isThere: boolean): fc.Arbitrary<boolean> => rarely(20).map((wrong) => wrong !== isThere);

const accountSettings = (name: AccountName): fc.Arbitrary<AccountSettings> =>
  fc.record({
    company: seldom(fc.constantFrom("Acme", "Globex"), 1),
    vssNum: seldom(small, 1),
    level: seldom(small),
    password: seldom(small),
    protected: fc.boolean(),
    adopted: rightly(name === "ops"),
  });

const userSettings = (name: Username): fc.Arbitrary<UserSettings> =>
  fc.record({
    email: seldom(fc.constantFrom("a@example.com", "b@example.com"), 1),
    level: seldom(small),
    rights: seldom(fc.subarray([...RIGHTS]), 1),
    password: seldom(small, 1),
    adopted: rightly(name === "deployer"),
  });

const tokenSettings: fc.Arbitrary<DeclaredToken> = fc.record({
  keepers: small,
  retainFor: fc.constantFrom("7d", "0s"),
  retain: fc.constantFrom(1, 0),
});

const accountEdit = place.chain(({ account }) =>
  fc.record({
    kind: fc.constant("account"),
    account: fc.constant(account),
    settings: accountSettings(account),
  }),
);
const userEdit = place.chain(({ account, user }) =>
  fc.record({
    kind: fc.constant("user"),
    account: fc.constant(account),
    user: fc.constant(user),
    settings: userSettings(user),
  }),
);
const tokenEdit = fc
  .tuple(place, token, tokenSettings)
  .map(([where, name, settings]): Edit => ({ kind: "token", ...where, token: name, settings }));
const noTokenEdit = fc
  .tuple(place, token)
  .map(([where, name]): Edit => ({ kind: "no token", ...where, token: name }));

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: accountEdit },
  { weight: 6, arbitrary: userEdit },
  { weight: 6, arbitrary: tokenEdit },
  { weight: 4, arbitrary: place.map((where): Edit => ({ kind: "no user", ...where })) },
  { weight: 3, arbitrary: noTokenEdit },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("crowd"),
      account: othersAccount,
      size: fc.constantFrom(0, 0, 2, 4, 7),
    }),
  },
  { weight: 1, arbitrary: place.map(({ account }): Edit => ({ kind: "no account", account })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("removed"),
      removal: fc.record({
        account: othersAccount,
        username: seldom(othersUser, 1),
        identified: fc.boolean(),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("not removed") }) },
);

const maker = fc.constantFrom("nobody", "another owner", "forger", "sibling");

const rival: fc.Arbitrary<Rival> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("account appears"), account: othersAccount, maker }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("user appears"),
      account: othersAccount,
      user: othersUser,
      maker,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("account changes"),
      account: place.map(({ account }) => account),
      company: fc.constantFrom("Acme", "Rival"),
      vssNum: small,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("user changes"),
      account: othersAccount,
      user: othersUser,
      member: fc.constantFrom("email", "level", "xref", "right", "password"),
      value: small,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("user is suspended"),
      account: othersAccount,
      user: othersUser,
      by: fc.constantFrom("activation", "api access"),
      isOver: rarely(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("account is disabled"),
      account: othersAccount,
      isOver: rarely(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("account goes"), account: othersAccount }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("user goes"), account: othersAccount, user: othersUser }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("token goes"), nth: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("token appears"), account: othersAccount, user: othersUser }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("sessions end") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("storage appears"),
      account: othersAccount,
      disks: fc.nat({ max: 1 }),
    }),
  },
);

const strike: fc.Arbitrary<Strike> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<Strike>(
      { kind: "status", status: 500, html: false },
      { kind: "status", status: 503, html: false },
      { kind: "status", status: 503, html: false, retryAfter: 0 },
      { kind: "status", status: 502, html: true },
      { kind: "status", status: 504, html: true },
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("reset"), committed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("truncated") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hang"), committed: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("short list"), dropped: fc.nat({ max: 255 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lagging list") }) },
  { weight: 1, arbitrary: fc.constantFrom<Strike>({ kind: "echo" }, { kind: "redirect" }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("rival"), rival, after: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("kill"), committed: fc.boolean() }) },
);

const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.nat({ max: 30 }),
  times: fc.constantFrom(1, 1, 2, 4),
  strike,
});

const flags: fc.Arbitrary<Flags> = fc.record({
  allowAccountDeletion: rarely(2),
  allowNonempty: rarely(2),
  allowSelfChange: rarely(8),
  retireEarly: rarely(2),
  maxDeletes: seldom(fc.constantFrom(0, 2, 100), 1),
  resetPasswords: rarely(),
  initStore: rarely(4),
  verifyTokens: rarely(4),
});

const reader: fc.Arbitrary<Reader> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("leaves"), afterLines: fc.nat({ max: 25 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("full disk") }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  address: fc.constantFrom("127.0.0.1", "127.0.0.1", "127.0.0.1", "localhost"),
  reader: seldom(reader, 5),
  sibling: fc.constantFrom("apart", "apart", "apart", "apart", "apart", "named by us", "names us"),
  edits: fc.array(edit, { maxLength: 4 }),
  rivals: fc.array(rival, { maxLength: 2 }),
  wipesStore: rarely(15),
  verb: fc.constantFrom<Verb>("apply", "apply", "apply", "saved", "plan", "destroy"),
  between: fc.array(rival, { maxLength: 2 }),
  flags,
  faults: fc.array(fault, { maxLength: 3 }),
  parallelism: fc.constantFrom(1, 1, 4),
});

const service: fc.Arbitrary<ServiceTraits> = fc.record({
  contacts: fc.constantFrom("names", "full"),
  accountDelete: fc.constantFrom("cascade", "refuse"),
  duplicateStatus: fc.constantFrom(409, 400),
  reuseUuids: fc.boolean(),
  revocation: fc.constantFrom(true, true, true, false),
  revokes: fc.constantFrom("as asked", "as asked", "as asked", "refuses", "ignores"),
  suspendedStatus: fc.constantFrom(403, 401),
  passwordEndsTokens: rarely(3),
  describeCaller: fc.record({ permissions: fc.boolean(), user: fc.boolean() }),
});

const callers = fc.constantFrom<CallerName>("system", "system", "deployer", "token of deployer");
const ownerKeys = fc.constantFrom<History["ownerKey"]>("never", "always", "taken later");
const aliases = fc.constantFrom(0, 0, 0, 1, 2);

/** Edits that need no decision when they are declared for the first time: they neither touch nor adopt records of others. */
const plainEdits = fc.array(edit, { minLength: 1, maxLength: 8 }).map((edits) =>
  edits.filter((one) => {
    if (one.kind === "removed" || one.kind === "not removed" || one.account === "ops") return false;
    return (one.kind !== "user" && one.kind !== "account") || !one.settings.adopted;
  }),
);

/** A first run that is killed at one of its requests, and nothing else. */
const killedFirst: fc.Arbitrary<History> = fc
  .record({
    service,
    caller: callers,
    ownerKey: fc.constantFrom<History["ownerKey"]>("never", "always"),
    aliases,
    start: plainEdits,
    at: fc.nat({ max: 40 }),
    committed: fc.boolean(),
    parallelism: fc.constantFrom<1 | 4>(1, 4),
  })
  .map(({ at, committed, parallelism, ...rest }) => ({
    ...rest,
    hasSibling: false,
    isKilledFirst: true,
    steps: [
      {
        edits: [],
        rivals: [],
        between: [],
        wipesStore: false,
        verb: "apply",
        flags: NO_FLAGS,
        faults: [{ at, times: 1, strike: { kind: "kill", committed } }],
        parallelism,
        address: "127.0.0.1",
        reader: undefined,
        sibling: "apart",
      },
    ],
  }));

export function histories(maxSteps: number): fc.Arbitrary<History> {
  const eventful: fc.Arbitrary<History> = fc.record({
    service,
    caller: callers,
    ownerKey: ownerKeys,
    hasSibling: rarely(3),
    aliases,
    isKilledFirst: fc.constant(false),
    start: fc.array(edit, { minLength: 1, maxLength: 8 }),
    steps: fc.array(step, { minLength: 1, maxLength: maxSteps }),
  });
  return fc.oneof({ weight: 8, arbitrary: eventful }, { weight: 1, arbitrary: killedFirst });
}
