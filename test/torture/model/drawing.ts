/** How histories are drawn. The weights decide how often a campaign reaches what it is for: its end tells (`runs/situations.ts`). */
import fc from "fast-check";
import {
  RIGHTS,
  TOKENS,
  type AccountName,
  type AccountSettings,
  type DeclaredToken,
  type Edit,
  type TokenName,
  type Username,
  type UserSettings,
} from "./declaration";
import type { Fault, Strike } from "./fault";
import {
  NO_FLAGS,
  type CallerName,
  type Flags,
  type History,
  type Reader,
  type ServiceTraits,
  type Step,
  type Verb,
} from "./history";
import type { Maker, Rival } from "./rival";

/** Mostly false, since histories without anything unusual must be common, too. */
const rarely = (weight = 6): fc.Arbitrary<boolean> =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const small = fc.integer({ min: 1, max: 3 });

/** Where others act, and where a user declares something. */
interface Scene {
  readonly account: fc.Arbitrary<AccountName>;
  readonly user: fc.Arbitrary<Username>;
  readonly place: fc.Arbitrary<{ readonly account: AccountName; readonly user: Username }>;
  readonly token: fc.Arbitrary<TokenName>;
}

const othersAccount = fc.constantFrom("acme" as const, "globex" as const);
const othersUser = fc.constantFrom("jane" as const, "csi" as const, "josé" as const);

/** Others leave the runs' own account and user alone: without them no run would get anywhere. */
const EVERYWHERE: Scene = {
  account: othersAccount,
  user: othersUser,
  // Objects that are there from the start are mostly imported, as they have to be, and the others mostly created.
  place: fc.oneof(
    { weight: 8, arbitrary: fc.record({ account: othersAccount, user: othersUser }) },
    { weight: 1, arbitrary: fc.constant({ account: "ops" as const, user: "deployer" as const }) },
    { weight: 1, arbitrary: fc.record({ account: fc.constant("ops" as const), user: othersUser }) },
  ),
  token: fc.constantFrom(...TOKENS),
};

const TENANT = { account: "acme", user: "csi" } as const;

/** All is about one tenant's user: what is declared, done and drawn comes together. */
const ONE_USER: Scene = {
  account: fc.constant(TENANT.account),
  user: fc.constantFrom(TENANT.user, TENANT.user, TENANT.user, "jane"),
  place: fc.constantFrom(TENANT, TENANT, TENANT, { ...TENANT, user: "jane" as const }),
  token: fc.constant("prod"),
};

const rightly = (isThere: boolean): fc.Arbitrary<boolean> => rarely(20).map((wrong) => wrong !== isThere);

const accountSettings = (name: AccountName): fc.Arbitrary<AccountSettings> =>
  fc.record({
    company: seldom(fc.constantFrom("Acme", "Globex"), 1),
    vssNum: seldom(small, 1),
    level: seldom(small),
    password: seldom(small),
    protected: fc.boolean(),
    imported: rightly(name === "ops"),
  });

const userSettings = (name: Username): fc.Arbitrary<UserSettings> =>
  fc.record({
    email: seldom(fc.constantFrom("a@example.com", "b@example.com"), 1),
    level: seldom(small),
    rights: seldom(fc.subarray([...RIGHTS]), 1),
    password: seldom(small, 1),
    imported: rightly(name === "deployer"),
  });

const tokenSettings: fc.Arbitrary<DeclaredToken> = fc.record({
  keepers: small,
  retainFor: fc.constantFrom("7d", "0s"),
  retain: fc.constantFrom(1, 0),
});

/** Nothing keeps a former token alive. */
const atOnce = { retainFor: "0s", retain: 0 } as const;

type TokenEdit = Extract<Edit, { readonly kind: "token" }>;

/** Edits of all kinds, and those of tokens alone. */
function editsIn({ account: others, user: othersUsers, place, token }: Scene) {
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
    .map(([where, name, settings]): TokenEdit => ({ kind: "token", ...where, token: name, settings }));
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
        account: others,
        size: fc.constantFrom(0, 0, 2, 4, 7),
      }),
    },
    { weight: 1, arbitrary: place.map(({ account }): Edit => ({ kind: "no account", account })) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("removed"),
        removal: fc.record({
          account: others,
          username: seldom(othersUsers, 1),
          identified: fc.boolean(),
        }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("not removed") }) },
  );
  return { edit, tokenEdit, noTokenEdit };
}

const maker = fc.constantFrom("nobody", "another owner", "forger", "sibling");

const restored: fc.Arbitrary<Rival> = fc.record({
  kind: fc.constant("service is restored"),
  stepsBack: fc.constantFrom(0, 1, 1, 2),
});

function rivalsIn({ account, user, place }: Scene) {
  const suspension: fc.Arbitrary<Rival> = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("user is suspended"),
        account,
        user,
        by: fc.constantFrom("activation", "api access"),
        isOver: rarely(2),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("account is disabled"), account, isOver: rarely(2) }),
    },
  );
  const rival: fc.Arbitrary<Rival> = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("account appears"), account, maker }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("user appears"),
        account,
        user,
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
        account,
        user,
        member: fc.constantFrom("email", "level", "xref", "right", "password"),
        value: small,
      }),
    },
    { weight: 3, arbitrary: suspension },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("account goes"), account }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("user goes"), account, user }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("token goes"), nth: fc.nat({ max: 5 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("token appears"), account, user }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("sessions end") }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("user has a new id"), account, user }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("twin appears"),
        account,
        user,
        by: fc.constantFrom("name", "uuid"),
      }),
    },
    { weight: 1, arbitrary: restored },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("storage appears"),
        account,
        disks: fc.nat({ max: 1 }),
      }),
    },
  );
  return { rival, suspension };
}

const strikesIn = (scene: Scene): fc.Arbitrary<Strike> =>
  fc.oneof(
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
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant("rival"), rival: rivalsIn(scene).rival, after: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("kill"), committed: fc.boolean() }) },
  );

/** @param last the last request that may be struck; a run sends fewer or more */
const faultsIn = (scene: Scene, last = 30): fc.Arbitrary<Fault> =>
  fc.record({
    at: fc.nat({ max: last }),
    times: fc.constantFrom(1, 1, 2, 4),
    strike: strikesIn(scene),
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
    arbitrary: fc.record({
      kind: fc.constant("leaves"),
      afterLines: fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 25 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("full disk") }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  address: fc.constantFrom("127.0.0.1", "127.0.0.1", "127.0.0.1", "localhost"),
  reader: seldom(reader, 5),
  sibling: fc.constantFrom("apart", "apart", "apart", "apart", "apart", "named by us", "names us"),
  edits: fc.array(editsIn(EVERYWHERE).edit, { maxLength: 4 }),
  rivals: fc.array(rivalsIn(EVERYWHERE).rival, { maxLength: 2 }),
  wipesStore: rarely(15),
  verb: fc.constantFrom<Verb>("apply", "apply", "apply", "saved", "plan", "destroy"),
  between: fc.array(rivalsIn(EVERYWHERE).rival, { maxLength: 2 }),
  flags,
  faults: fc.array(faultsIn(EVERYWHERE), { maxLength: 3 }),
  parallelism: fc.constantFrom(1, 1, 4),
});

const service: fc.Arbitrary<ServiceTraits> = fc.record({
  contacts: fc.constantFrom("names", "full"),
  accountDelete: fc.constantFrom("cascade", "refuse"),
  duplicateStatus: fc.constantFrom(409, 400),
  reuseUuids: fc.boolean(),
  revocation: fc.constantFrom(true, true, true, false),
  revokes: fc.constantFrom("as asked", "as asked", "refuses", "ignores"),
  suspendedStatus: fc.constantFrom(403, 401),
  passwordEndsTokens: rarely(3),
  describeCaller: fc.record({ permissions: fc.boolean(), user: fc.boolean() }),
});

const callers = fc.constantFrom<CallerName>("system", "system", "deployer", "token of deployer");
const ownerKeys = fc.constantFrom<History["ownerKey"]>("never", "always", "taken later");
const aliases = fc.constantFrom(0, 0, 0, 1, 2);

/** Edits that need no decision when they are declared for the first time: they neither touch nor import records of others. */
const plainEdits = fc.array(editsIn(EVERYWHERE).edit, { minLength: 1, maxLength: 8 }).map((edits) =>
  edits.filter((one) => {
    if (one.kind === "removed" || one.kind === "not removed" || one.account === "ops") return false;
    return (one.kind !== "user" && one.kind !== "account") || !one.settings.imported;
  }),
);

/** An apply to which nothing happens. */
const QUIET: Step = {
  edits: [],
  rivals: [],
  between: [],
  wipesStore: false,
  verb: "apply",
  flags: NO_FLAGS,
  faults: [],
  parallelism: 1,
  address: "127.0.0.1",
  reader: undefined,
  sibling: "apart",
};

/** A first run that is killed at one of its requests, and nothing else. */
const killedFirst: fc.Arbitrary<History> = fc
  .record({
    service,
    caller: callers,
    ownerKey: fc.constantFrom<History["ownerKey"]>("never", "always"),
    aliases,
    start: plainEdits,
    at: fc.oneof(fc.nat({ max: 15 }), fc.nat({ max: 40 })),
    committed: fc.boolean(),
    parallelism: fc.constantFrom<1 | 4>(1, 4),
  })
  .map(({ at, committed, parallelism, ...rest }) => ({
    ...rest,
    hasSibling: false,
    isKilledFirst: true,
    steps: [{ ...QUIET, faults: [{ at, times: 1, strike: { kind: "kill", committed } }], parallelism }],
  }));

const { edit, tokenEdit, noTokenEdit } = editsIn(ONE_USER);

/** What bears on tokens above all: rotations, which may leave the former token no time, and the token's end. */
const tenantEdit = fc.oneof(
  { weight: 2, arbitrary: edit },
  { weight: 1, arbitrary: tokenEdit },
  {
    weight: 3,
    arbitrary: tokenEdit.map((one): Edit => ({ ...one, settings: { ...one.settings, ...atOnce } })),
  },
  { weight: 2, arbitrary: noTokenEdit },
);

/** A forger's record in the place of another one. */
const forged: fc.Arbitrary<readonly Rival[]> = fc
  .tuple(rarely(3), ONE_USER.user, fc.constantFrom<Maker>("forger", "forger", "forger", "another owner"))
  .map(([isAccount, user, maker]) => {
    const { account } = TENANT;
    return isAccount
      ? [
          { kind: "account goes", account },
          { kind: "account appears", account, maker },
        ]
      : [
          { kind: "user goes", account, user },
          { kind: "user appears", account, user, maker },
        ];
  });

/** The service is restored, and others get the ids of what was lost. */
const idsGivenAgain: fc.Arbitrary<readonly Rival[]> = fc
  .tuple(restored, fc.constantFrom("jane" as const, "csi" as const), maker)
  .map(([one, user, who]) => [
    one,
    { kind: "user appears", ...TENANT, user, maker: who },
    { kind: "token appears", ...TENANT, user: "jane" },
    { kind: "token appears", ...TENANT },
  ]);

const tenantRivals = fc.oneof(
  { weight: 8, arbitrary: fc.constant<readonly Rival[]>([]) },
  { weight: 5, arbitrary: rivalsIn(ONE_USER).suspension.map((one): readonly Rival[] => [one]) },
  { weight: 2, arbitrary: rivalsIn(ONE_USER).rival.map((one): readonly Rival[] => [one]) },
  { weight: 3, arbitrary: forged },
  { weight: 2, arbitrary: idsGivenAgain },
  {
    weight: 2,
    arbitrary: fc.constantFrom<readonly Rival[]>(
      [{ kind: "user has a new id", ...TENANT }],
      [{ kind: "twin appears", ...TENANT, by: "uuid" }],
    ),
  },
);

/** Less goes wrong in it than in others, so that more of what is drawn is reached. */
const tenantStep: fc.Arbitrary<Step> = fc.record({
  address: rarely(12).map((isOther) => (isOther ? "localhost" : "127.0.0.1")),
  reader: seldom(reader, 8),
  sibling: rarely(8).map((isNamed) => (isNamed ? "named by us" : "apart")),
  edits: fc.array(tenantEdit, { minLength: 1, maxLength: 3 }),
  rivals: tenantRivals,
  wipesStore: rarely(30),
  verb: fc.constantFrom<Verb>("apply", "apply", "apply", "apply", "saved", "destroy"),
  between: tenantRivals,
  flags,
  faults: fc.array(faultsIn(ONE_USER, 15), { maxLength: 1 }),
  parallelism: fc.constantFrom(1, 1, 4),
});

/** The life of one tenant's user and token, begun with an apply to which nothing happens. */
const tenantsLife = (maxSteps: number): fc.Arbitrary<History> =>
  fc
    .record({
      service,
      revocation: rarely(8).map((isMissing) => !isMissing),
      revokes: fc.constantFrom<ServiceTraits["revokes"]>("as asked", "refuses", "ignores"),
      caller: callers,
      ownerKey: ownerKeys,
      hasSibling: rarely(6),
      aliases,
      passwordEndsTokens: rarely(8),
      settings: tokenSettings,
      more: seldom(edit, 2),
      steps: fc.array(tenantStep, { minLength: 1, maxLength: Math.max(1, maxSteps - 1) }),
    })
    .map(({ settings, more, steps, service: traits, revocation, revokes, passwordEndsTokens, ...rest }) => ({
      ...rest,
      service: { ...traits, revocation, revokes, passwordEndsTokens },
      isKilledFirst: false,
      start: [{ kind: "token", ...TENANT, token: "prod", settings }, ...(more === undefined ? [] : [more])],
      steps: [QUIET, ...steps],
    }));

export function histories(maxSteps: number): fc.Arbitrary<History> {
  const eventful: fc.Arbitrary<History> = fc.record({
    service,
    caller: callers,
    ownerKey: ownerKeys,
    hasSibling: rarely(3),
    aliases,
    isKilledFirst: fc.constant(false),
    start: fc.array(editsIn(EVERYWHERE).edit, { minLength: 1, maxLength: 8 }),
    steps: fc.array(step, { minLength: 1, maxLength: maxSteps }),
  });
  return fc.oneof(
    { weight: 8, arbitrary: eventful },
    { weight: 9, arbitrary: tenantsLife(maxSteps) },
    { weight: 3, arbitrary: killedFirst },
  );
}
