/** Draws histories. The weights decide how often a campaign reaches each situation; its end says so (`runs/situations.ts`). */
import fc from "fast-check";
import type { ApprovalDemand, EntryKind } from "./approval";
import type { Edit } from "./declaration";
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
import {
  editsIn,
  EVERYWHERE,
  faultsIn,
  maker,
  oneUserAt,
  rarely,
  restoration,
  rivalsIn,
  seldom,
  tokenSettings,
  type Place,
  type Scene,
} from "./scenes";
import type { DeclaredUuids } from "./uuids";

const flags: fc.Arbitrary<Flags> = fc.record({
  allowAccountDeletion: rarely(2),
  allowNonempty: rarely(2),
  allowSelfChange: rarely(8),
  retireEarly: rarely(2),
  maxDeletes: seldom(fc.constantFrom(0, 2, 100), 1),
  resetPasswords: rarely(),
  initState: rarely(4),
  verifyTokens: rarely(4),
  recover: fc.constant(false),
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

const entryKinds = fc.constantFrom<readonly EntryKind[]>(
  [],
  ["whole plan"],
  ["whole plan"],
  ["ended", "whole plan"],
  ["another plan", "whole plan"],
  ["half of the plan"],
  ["ended"],
  ["another plan"],
  ["another stack", "ended"],
);

const approval: fc.Arbitrary<ApprovalDemand> = fc.record({
  level: fc.constantFrom("broadening", "broadening", "access"),
  entries: entryKinds,
});

/** Most histories declare no uuids. */
const uuids = fc.constantFrom<DeclaredUuids>("none", "none", "none", "none", "free", "free");

const step: fc.Arbitrary<Step> = fc.record({
  address: fc.constantFrom("127.0.0.1", "127.0.0.1", "127.0.0.1", "localhost"),
  reader: seldom(reader, 5),
  edits: fc.array(editsIn(EVERYWHERE).edit, { maxLength: 4 }),
  rivals: fc.array(rivalsIn(EVERYWHERE).rival, { maxLength: 2 }),
  wipesState: rarely(15),
  verb: fc.constantFrom<Verb>("apply", "apply", "apply", "saved", "plan", "destroy"),
  between: fc.array(rivalsIn(EVERYWHERE).rival, { maxLength: 2 }),
  approval: seldom(approval, 6),
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
  wipesState: false,
  verb: "apply",
  approval: undefined,
  flags: NO_FLAGS,
  faults: [],
  parallelism: 1,
  address: "127.0.0.1",
  reader: undefined,
};

/** A first run that is killed at one of its requests, and nothing else. */
const killedFirst: fc.Arbitrary<History> = fc
  .record({
    service,
    caller: callers,
    uuids,
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

/** Nothing keeps a former token alive. */
const atOnce = { retainFor: "0s", retain: 0 } as const;

/** Edits that bear on tokens above all: rotations, which may leave the former token no time, and the token's end. */
const tenantEditsIn = (scene: Scene): fc.Arbitrary<Edit> => {
  const { edit, tokenEdit, noTokenEdit } = editsIn(scene);
  return fc.oneof(
    { weight: 2, arbitrary: edit },
    { weight: 1, arbitrary: tokenEdit },
    {
      weight: 3,
      arbitrary: tokenEdit.map((one): Edit => ({ ...one, settings: { ...one.settings, ...atOnce } })),
    },
    { weight: 2, arbitrary: noTokenEdit },
  );
};

/** Another one's record in the place of one of ours: a forger's, or that of a namesake. */
const replacementByOthers = ({ account }: Place, { isHome, user }: Scene): fc.Arbitrary<readonly Rival[]> =>
  fc
    .tuple(
      isHome ? fc.constant(false) : rarely(3),
      user,
      fc.constantFrom<Maker>("forger", "forger", "forger", "another owner", "namesake", "namesake"),
    )
    .map(([isAccount, name, who]) =>
      isAccount
        ? [
            { kind: "account goes", account },
            { kind: "account appears", account, maker: who },
          ]
        : [
            { kind: "user goes", account, user: name },
            { kind: "user appears", account, user: name, maker: who },
          ],
    );

/** The service is restored, and others get the ids of what was lost. */
const idsGivenAgain = (place: Place): fc.Arbitrary<readonly Rival[]> =>
  fc
    .tuple(restoration, fc.constantFrom("jane" as const, "csi" as const), maker)
    .map(([one, user, who]) => [
      one,
      { kind: "user appears", ...place, user, maker: who },
      { kind: "token appears", ...place, user: "jane" },
      { kind: "token appears", ...place },
    ]);

const tenantRivals = (place: Place, scene: Scene): fc.Arbitrary<readonly Rival[]> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<readonly Rival[]>([]) },
    { weight: 5, arbitrary: rivalsIn(scene).suspension.map((one): readonly Rival[] => [one]) },
    { weight: 2, arbitrary: rivalsIn(scene).rival.map((one): readonly Rival[] => [one]) },
    { weight: 3, arbitrary: replacementByOthers(place, scene) },
    { weight: 2, arbitrary: idsGivenAgain(place) },
    { weight: 1, arbitrary: fc.constant<readonly Rival[]>([{ kind: "caller sees less", isOver: false }]) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<readonly Rival[]>(
        [{ kind: "user has a new id", ...place }],
        [{ kind: "twin appears", ...place }],
      ),
    },
  );

/** Less goes wrong in it than in others, so that more of what is drawn is reached. */
const tenantStep = (place: Place, scene: Scene): fc.Arbitrary<Step> =>
  fc.record({
    address: rarely(12).map((isOther) => (isOther ? "localhost" : "127.0.0.1")),
    reader: seldom(reader, 8),
    edits: fc.array(tenantEditsIn(scene), { minLength: 1, maxLength: 3 }),
    rivals: tenantRivals(place, scene),
    wipesState: rarely(30),
    verb: fc.constantFrom<Verb>("apply", "apply", "apply", "apply", "saved", "destroy"),
    between: tenantRivals(place, scene),
    approval: seldom(approval, 5),
    flags,
    faults: fc.array(faultsIn(scene, 15), { maxLength: 1 }),
    parallelism: fc.constantFrom(1, 1, 4),
  });

/**
 * The life of one user and token, begun with an apply to which nothing happens.
 * @param caller who runs; an insider's histories are in the insider's own account
 */
const lifeOfUser = (
  place: Place,
  caller: fc.Arbitrary<CallerName>,
  maxSteps: number,
): fc.Arbitrary<History> => {
  const scene = oneUserAt(place);
  return fc
    .record({
      service,
      revocation: rarely(8).map((isMissing) => !isMissing),
      revokes: fc.constantFrom<ServiceTraits["revokes"]>("as asked", "refuses", "ignores"),
      caller,
      uuids,
      hasSibling: rarely(6),
      aliases,
      passwordEndsTokens: rarely(8),
      settings: tokenSettings,
      more: seldom(editsIn(scene).edit, 2),
      steps: fc.array(tenantStep(place, scene), { minLength: 1, maxLength: Math.max(1, maxSteps - 1) }),
    })
    .map(({ settings, more, steps, service: traits, revocation, revokes, passwordEndsTokens, ...rest }) => ({
      ...rest,
      service: { ...traits, revocation, revokes, passwordEndsTokens },
      isKilledFirst: false,
      start: [{ kind: "token", ...place, token: "prod", settings }, ...(more === undefined ? [] : [more])],
      steps: [QUIET, ...steps].map((one) => (rest.uuids === "free" ? withNamesakes(one) : one)),
    }));
};

/** A forger of uuids that nobody's name gives is a namesake. */
function withNamesakes({ rivals, between, ...rest }: Step): Step {
  const asNamesake = (rival: Rival): Rival =>
    "maker" in rival && rival.maker === "forger" ? { ...rival, maker: "namesake" } : rival;
  return { ...rest, rivals: rivals.map(asNamesake), between: between.map(asNamesake) };
}

export function histories(maxSteps: number): fc.Arbitrary<History> {
  const eventful: fc.Arbitrary<History> = fc.record({
    service,
    caller: callers,
    uuids,
    hasSibling: rarely(3),
    aliases,
    isKilledFirst: fc.constant(false),
    start: fc.array(editsIn(EVERYWHERE).edit, { minLength: 1, maxLength: 8 }),
    steps: fc.array(step, { minLength: 1, maxLength: maxSteps }),
  });
  return fc.oneof(
    { weight: 8, arbitrary: eventful },
    { weight: 8, arbitrary: lifeOfUser({ account: "acme", user: "csi" }, callers, maxSteps) },
    { weight: 2, arbitrary: lifeOfUser({ account: "ops", user: "csi" }, fc.constant("insider"), maxSteps) },
    { weight: 3, arbitrary: killedFirst },
  );
}
