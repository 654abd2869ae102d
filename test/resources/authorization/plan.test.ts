/** What is planned of a token, and what a plan says of a rotation: covers src/resources/authorization/plan.ts. */
import {
  resource,
  endedEarly,
  endOfLife,
  retainedByRotation,
  describeRotation,
  isRotatedByAge,
  rotationDay,
} from "../../../src/resources/authorization";
import { isUnknown, type ObjectValue, UNKNOWN, type Value } from "../../../src/lib/values";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2025-03-01T00:00:00.000Z");
const day = (count: number) => new Date(START + count * DAY);
const replaced = (serial: string, on: number) => ({
  serial,
  access_token: `secret of ${serial}`,
  created_at: null,
  retired_at: day(on).toISOString(),
});

const CONFIG: ObjectValue = { login: "csi@globex", name: "ci", login_with: "temporary_password" };
const PREVIOUS = [replaced("second", 2), replaced("first", 1)];
/** A token with two others that it replaced. */
const TOKEN: ObjectValue = {
  ...CONFIG,
  serial: "third",
  access_token: "secret of third",
  user_id: "u1",
  previous: PREVIOUS,
};
const serials = (tokens: readonly ObjectValue[]) => tokens.map(({ serial }) => serial);
const propose = (config: ObjectValue, prior: ObjectValue, asOf: Date | undefined = undefined) =>
  resource.propose({ ...CONFIG, ...config }, prior, { asOf });

test.each<readonly [string, ObjectValue, readonly string[]]>([
  ["by default", {}, ["the old one stays valid for 7d", "first: at once", "second: at once"]],
  [
    "where more are kept",
    { retain_previous: 3, retain_previous_for: "10d" },
    [
      "the old one stays valid for 10d",
      "second: until 2025-03-13T00:00:00.000Z",
      "first: until 2025-03-12T00:00:00.000Z",
    ],
  ],
  [
    "where the time of one of them is over",
    { retain_previous: 3, retain_previous_for: "48h" },
    ["the old one stays valid for 48h", "second: until 2025-03-05T00:00:00.000Z", "first: at once"],
  ],
  [
    "where none is kept",
    { retain_previous_for: "0s" },
    ["the old one is revoked at once", "second: at once", "first: at once"],
  ],
  [
    "where only the apply will tell how long and how many are kept",
    { retain_previous: UNKNOWN, retain_previous_for: UNKNOWN },
    [
      "the old one stays valid for a time known after apply",
      "second: until a time known after apply",
      "first: until a time known after apply",
    ],
  ],
])("a plan tells of each token how long a rotation leaves it good: %s", (_when, config, fates) => {
  const told = describeRotation(TOKEN, { ...CONFIG, ...config }, day(3));
  const inFull = fates.map((fate) =>
    fate.replace(/^(first|second): (at once)?/, (_all, serial: string, atOnce?: string) =>
      atOnce === undefined ? `an earlier one (${serial}) ` : `an earlier one (${serial}) is revoked at once`,
    ),
  );
  expect(told.split("; ").sort()).toEqual(["a new token", ...inFull].sort());
  expect(told).toMatch(/^a new token; the old one /);
});

test("a replaced token without a serial number or a time is told as one that nothing is known of", () => {
  const before = { ...TOKEN, previous: [{ serial: null, access_token: "s", retired_at: null }] };
  expect(describeRotation(before, { retain_previous: 2 }, day(3))).toMatch(
    /; an earlier one \(of an unknown serial number\) until a time known after apply$/,
  );
});

test("a rotation keeps the newest of the replaced tokens, for as long as is declared", () => {
  const kept = (config: ObjectValue, asOf?: Date) => serials(retainedByRotation(TOKEN, config, asOf));
  expect(kept({}, day(3))).toEqual(["third"]);
  expect(kept({ retain_previous: 2 }, day(3))).toEqual(["third", "second"]);
  expect(kept({ retain_previous: 3, retain_previous_for: "2d" }, day(3))).toEqual(["third", "second"]);
  expect(kept({ retain_previous: 3, retain_previous_for: "2d" })).toEqual(["third", "second", "first"]);
  expect(kept({ retain_previous: UNKNOWN, retain_previous_for: UNKNOWN }, day(99))).toHaveLength(3);
});

test("what a rotation ends early are the tokens that still have time left, and no others", () => {
  const early = (config: ObjectValue, now: Date, after: ObjectValue = { access_token: UNKNOWN }) =>
    endedEarly(TOKEN, { ...CONFIG, ...config, ...after }, now);
  expect(early({}, day(3))).toEqual([
    { serial: "second", until: day(9) },
    { serial: "first", until: day(8) },
  ]);
  expect(early({}, day(8))).toEqual([{ serial: "second", until: day(9) }]);
  expect(early({ retain_previous: 2 }, day(3))).toEqual([{ serial: "first", until: day(8) }]);
  expect(early({ retain_previous_for: UNKNOWN }, day(3))[0]).toEqual({ serial: "second", until: undefined });
  // What the declaration itself ends, what is not rotated, what is made and what is deleted.
  expect(early({ retain_previous_for: "0s" }, day(3))).toEqual([]);
  expect(early({}, day(3), { access_token: "secret of third" })).toEqual([]);
  expect(endedEarly(null, { access_token: UNKNOWN }, day(3))).toEqual([]);
  expect(endedEarly(TOKEN, null, day(3))).toEqual([]);
  expect(
    endedEarly(
      { ...TOKEN, previous: [{ retired_at: day(1).toISOString() }] },
      { access_token: UNKNOWN },
      day(3),
    ),
  ).toMatchObject([{ serial: "unknown" }]);
});

/** As an apply of a declaration leaves it. */
function applied(config: ObjectValue, shown: ObjectValue = {}): ObjectValue {
  const { planned } = resource.propose({ ...CONFIG, ...config }, null, { asOf: undefined });
  const known = Object.entries(planned).map(([name, value]) => [name, isUnknown(value) ? null : value]);
  return { ...(Object.fromEntries(known) as ObjectValue), serial: "third", access_token: "secret", ...shown };
}

test("a token ends by itself where the service says when", () => {
  const from = day(1).toISOString();
  expect(endOfLife({ created_at: from, expires_in: 2 * 24 * 60 * 60 })).toEqual(day(3));
  expect(endOfLife({ created_at: from, expires_in: null })).toBeUndefined();
  expect(endOfLife({ created_at: null, expires_in: 60 })).toBeUndefined();
});

test("keepers that are not known yet rotate a token, in whole or in part; what is the same does not", () => {
  const isCreated = (wanted: Value, kept: Value) =>
    isUnknown(propose({ keepers: wanted }, applied({ keepers: kept })).planned["access_token"]);
  const two = { cluster: "a", year: "2025" };
  expect(isCreated(two, { ...two })).toBe(false);
  expect(isCreated({ ...two, year: UNKNOWN }, two)).toBe(true);
  expect(isCreated(UNKNOWN, null)).toBe(true);
  expect(isCreated(null, null)).toBe(false);
});

test("which replaced tokens stay is unknown while only the apply will tell how long and how many are kept", () => {
  const stays = (config: ObjectValue, asOf: Date, previous: readonly ObjectValue[] = PREVIOUS) =>
    propose(config, applied(config, { previous }), asOf).planned["previous"];
  expect(stays({ retain_previous: 2 }, day(3))).toEqual(PREVIOUS);
  for (const config of [
    { retain_previous: UNKNOWN },
    { retain_previous: 2, retain_previous_for: UNKNOWN },
  ] satisfies ObjectValue[]) {
    expect(stays(config, day(3))).toBe(UNKNOWN);
    expect(stays(config, day(3), [])).toEqual([]);
  }
  // The time of all of them is over, however many are kept.
  expect(stays({ retain_previous: UNKNOWN }, day(99))).toEqual([]);
});

test("what nothing is known of is created, and has replaced nothing yet", () => {
  const { action, planned, replacedBy } = resource.propose(CONFIG, null, { asOf: undefined });
  expect({ action, previous: planned["previous"], replacedBy }).toEqual({
    action: "create",
    previous: [],
    replacedBy: [],
  });
});

test("a token that the service shows without a serial number is kept as any other", () => {
  expect(propose({}, applied({}, { serial: null })).action).toBe("none");
});

test("replaced tokens leave the plan when their time is over, which it takes a time of now to tell", () => {
  const config = { retain_previous: 2, retain_previous_for: "2d" };
  const planned = (asOf?: Date) => propose(config, applied(config, { previous: PREVIOUS }), asOf);
  const left = (asOf: Date) => serials(planned(asOf).planned["previous"] as readonly ObjectValue[]);
  expect(left(day(3))).toEqual(["second"]);
  expect(left(day(4))).toEqual([]);
  expect(planned(day(2)).action).toBe("none");
  expect(planned().action).toBe("none");
});

describe("rotation by age", () => {
  const created = (at: string) => applied({ rotate_after: "30d" }, { created_at: at, previous: [] });
  const isRotated = (prior: ObjectValue, asOf: string | undefined, config: ObjectValue = {}) =>
    isUnknown(
      propose({ rotate_after: "30d", ...config }, prior, asOf === undefined ? undefined : new Date(asOf))
        .planned["access_token"],
    );

  test.each([
    ["2026-01-01T00:00:00Z", "2026-01-31"],
    ["2026-01-01T00:00:00.001Z", "2026-02-01"],
    ["2026-01-01T23:59:59Z", "2026-02-01"],
    ["2026-01-02T00:30:00+01:00", "2026-02-01"],
  ])("a token of %s is due on %s, from the first moment of that day in UTC", (at, day) => {
    const prior = created(at);
    expect(rotationDay({ rotate_after: "30d" }, prior)).toBe(day);
    const before = new Date(Date.parse(day) - 1).toISOString();
    expect(isRotated(prior, before)).toBe(false);
    expect(isRotated(prior, day)).toBe(true);
    expect(isRotated(prior, `${day}T23:59:59Z`)).toBe(true);
    expect(isRotated(prior, undefined)).toBe(false);
  });

  test("a token is not rotated where its age is not known, or no age is declared", () => {
    for (const at of [null, "yesterday", "", 7n])
      expect(isRotated({ ...created(""), created_at: at }, "2030-01-01")).toBe(false);
    expect(isRotated(created("2026-01-01T00:00:00Z"), "2030-01-01", { rotate_after: null })).toBe(false);
  });

  test("a rotation by age waits for a replaced token that it would end early", () => {
    // The clock of the service is two days behind.
    const prior = {
      ...created("2026-01-01T00:00:00Z"),
      previous: [{ serial: "s", access_token: "a", created_at: null, retired_at: "2026-01-03T00:00:00Z" }],
    };
    const overlap = { retain_previous_for: "29d" };
    expect(isRotated(prior, "2026-01-31", overlap)).toBe(false);
    expect(isRotated(prior, "2026-02-01T00:00:00Z", overlap)).toBe(true);
    expect(isRotated(prior, "2026-01-31", { ...overlap, retain_previous: 2n })).toBe(true);
  });

  test("it is told from a rotation for another reason, and says since when it is due", () => {
    const prior = created("2026-01-01T00:00:00Z");
    const after = { ...prior, access_token: UNKNOWN };
    const day = (text: string) => new Date(text);
    expect(isRotatedByAge(prior, after, day("2026-01-31"))).toBe(true);
    expect(isRotatedByAge(prior, after, day("2026-01-30"))).toBe(false);
    expect(isRotatedByAge(prior, prior, day("2026-01-31"))).toBe(false);
    expect(isRotatedByAge(prior, { ...after, keepers: { a: "b" } }, day("2026-01-31"))).toBe(false);
    expect(isRotatedByAge(null, after, day("2026-01-31"))).toBe(false);
    expect(describeRotation(prior, after, day("2026-02-03"))).toBe(
      "due since 2026-01-31: a new token; the old one stays valid for 7d",
    );
    expect(describeRotation(prior, after, day("2026-01-03"))).not.toContain("due");
  });

  test("an age has to be known while planning, a day long, and longer than the overlap", () => {
    const said = (config: ObjectValue) =>
      resource.check({ ...CONFIG, ...config }).map(({ summary }) => summary);
    expect(said({ rotate_after: "90d" })).toEqual([]);
    expect(said({ rotate_after: "7d" })).toEqual([expect.stringContaining("must be longer than")]);
    expect(said({ rotate_after: "7d1ms" })).toEqual([]);
    expect(said({ rotate_after: "23h", retain_previous_for: "0s" })).toEqual([
      expect.stringContaining("must be at least one day"),
    ]);
    expect(said({ rotate_after: "24h", retain_previous_for: "0s" })).toEqual([]);
    expect(said({ rotate_after: "1d", retain_previous_for: UNKNOWN })).toEqual([]);
    const { findings } = resource.propose({ ...CONFIG, rotate_after: UNKNOWN }, null, { asOf: undefined });
    expect(findings).toMatchObject([{ attribute: ["rotate_after"] }]);
    const foreseen = { asOf: undefined, isForeseen: true };
    expect(resource.propose({ ...CONFIG, rotate_after: UNKNOWN }, null, foreseen).findings).toEqual([]);
  });
});
