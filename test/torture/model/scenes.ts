/** Draws the events of a place: edits of the user, writes of others, and faults. */
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
import type { Rival } from "./rival";

/** Mostly false, since histories without anything unusual must be common, too. */
export const rarely = (weight = 6): fc.Arbitrary<boolean> =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
export const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const small = fc.integer({ min: 1, max: 3 });

/** The places in which others act and a user declares something. */
export interface Scene {
  /** True for the account of the runs' own user. Others leave it there: without it no run would get anywhere. */
  readonly isHome: boolean;
  readonly account: fc.Arbitrary<AccountName>;
  readonly user: fc.Arbitrary<Username>;
  readonly place: fc.Arbitrary<{ readonly account: AccountName; readonly user: Username }>;
  readonly token: fc.Arbitrary<TokenName>;
}

const othersAccount = fc.constantFrom("acme" as const, "globex" as const);
const othersUser = fc.constantFrom("jane" as const, "csi" as const, "josé" as const);

/** Others leave the runs' own account and user alone: without them no run would get anywhere. */
export const EVERYWHERE: Scene = {
  isHome: false,
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

export interface Place {
  readonly account: AccountName;
  readonly user: "csi";
}

/** All is about one user of an account: what is declared, done and drawn comes together. */
export const oneUserAt = (place: Place): Scene => ({
  isHome: place.account === "ops",
  account: fc.constant(place.account),
  user: fc.constantFrom(place.user, place.user, place.user, "jane"),
  place: fc.constantFrom(place, place, place, { ...place, user: "jane" as const }),
  token: fc.constant("prod"),
});

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

export const tokenSettings: fc.Arbitrary<DeclaredToken> = fc.record({
  keepers: small,
  retainFor: fc.constantFrom("7d", "0s"),
  retain: fc.constantFrom(1, 0),
});

type TokenEdit = Extract<Edit, { readonly kind: "token" }>;

/** Edits of all kinds, and those of tokens alone. */
export function editsIn({ isHome, account: others, user: othersUsers, place, token }: Scene) {
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
          username: isHome ? othersUsers : seldom(othersUsers, 1),
          identified: fc.boolean(),
        }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("not removed") }) },
  );
  return { edit, tokenEdit, noTokenEdit };
}

export const maker = fc.constantFrom("nobody", "another owner", "forger", "sibling", "namesake");

export const restoration: fc.Arbitrary<Rival> = fc.record({
  kind: fc.constant("service is restored"),
  stepsBack: fc.constantFrom(0, 1, 1, 2),
});

export function rivalsIn({ isHome, account, user, place }: Scene) {
  const away = isHome ? 0 : 1;
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
      weight: away,
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
    { weight: away, arbitrary: fc.record({ kind: fc.constant("account goes"), account }) },
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
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("caller sees less"), isOver: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("user has a new id"), account, user }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("twin appears"),
        account,
        user,
      }),
    },
    { weight: 1, arbitrary: restoration },
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
export const faultsIn = (scene: Scene, last = 30): fc.Arbitrary<Fault> =>
  fc.record({
    at: fc.nat({ max: last }),
    times: fc.constantFrom(1, 1, 2, 4),
    strike: strikesIn(scene),
  });
