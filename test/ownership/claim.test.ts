import {
  seriesOf,
  isKeyed,
  hashedName,
  ownedSeries,
  ownedUuid,
  ownerAt,
  parseOwner,
  parseOwnerKey,
  proofOf,
  unmanagedOrigin,
  type NaturalKey,
} from "../../src/ownership";

const owners = parseOwner("acme-platform");
const jane: NaturalKey = { kind: "user_profile", names: ["globex", "jane"] };
const random = "436426d4-a90b-4019-9cb4-5c6a46f8adfb";

test("a record that carries our uuid is ours, in any generation and either case", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-platform" }, 3);
  expect(proofOf(uuid.toUpperCase(), jane, owners)).toEqual({ owner: "acme-platform", keyed: false });
  expect(unmanagedOrigin(uuid, jane, owners)).toBeUndefined();
});

test("our uuid under another key proves nothing for that key", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-platform" });
  expect(proofOf(uuid, { ...jane, names: ["globex", "joe"] }, owners)).toBeUndefined();
  expect(proofOf(uuid, { kind: "account", names: ["globex"] }, owners)).toBeUndefined();
});

test("a record with a random uuid is foreign, but no other owner's", () => {
  expect(proofOf(random, jane, owners)).toBeUndefined();
  expect(unmanagedOrigin(random, jane, owners)).toBe("not known");
});

test("a record with another owner's uuid is foreign and that owner's", () => {
  const uuid = ownedUuid({ ...jane, owner: "rivals" });
  expect(proofOf(uuid, jane, owners)).toBeUndefined();
  expect(unmanagedOrigin(uuid, jane, owners)).toBe("another owner");
});

test("a version 5 uuid of any variant counts as derived from a name", () => {
  expect(unmanagedOrigin("00000000-0000-5000-0000-000000000000", jane, owners)).toBe("another owner");
});

test("text that is no uuid is nobody's", () => {
  expect(proofOf("", jane, owners)).toBeUndefined();
  expect(unmanagedOrigin("", jane, owners)).toBe("not known");
});

test("live records are found by the series of their uuids", () => {
  expect(ownedSeries(jane, owners)).toEqual([seriesOf(ownedUuid({ ...jane, owner: "acme-platform" }, 9))]);
});

describe("under an owner key", () => {
  const KEY = "a key of the platform team";
  const ours = parseOwner("acme-platform", parseOwnerKey(KEY));
  const made = (key: string | undefined, owner = "acme-platform", generation = 0) =>
    ownedUuid({ ...jane, owner, ownerKey: parseOwnerKey(key) }, generation);

  test("ours is what was made under the key, in any generation", () => {
    const uuid = made(KEY, "acme-platform", 9);
    expect(proofOf(uuid.toUpperCase(), jane, ours)).toEqual({ owner: "acme-platform", keyed: true });
    expect(proofOf(uuid, { ...jane, names: ["globex", "joe"] }, ours)).toBeUndefined();
    expect(ownedSeries(jane, ours)).toEqual([seriesOf(uuid)]);
  });

  test.each([
    ["our name without the key", made(undefined), "another owner"],
    ["another name", made(undefined, "rivals"), "another owner"],
    ["our name under another key", made("the key of the year before"), "unknown key"],
    ["another name under our key", made(KEY, "rivals"), "unknown key"],
    ["no name", random, "not known"],
  ])("a record with the uuid of %s is foreign", (_maker, uuid, origin) => {
    expect(proofOf(uuid, jane, ours)).toBeUndefined();
    expect(unmanagedOrigin(uuid, jane, ours)).toBe(origin);
  });

  test("a run without the key has no share in it", () => {
    expect(unmanagedOrigin(made(KEY), jane, owners)).toBe("unknown key");
  });
});

test("what a snapshot tells of an owner key proves what the key had made, and nothing else", () => {
  const ownerKey = parseOwnerKey("a key of the platform team");
  const ofJane = (owner: string) => ownedUuid({ ...jane, owner, ownerKey });
  const series = [seriesOf(ofJane("acme-platform"))];
  const judged = { ...owners, recordedSeries: new Map([[hashedName("acme-platform", jane), series]]) };
  expect(proofOf(ofJane("acme-platform"), jane, judged)).toEqual({ owner: "acme-platform", keyed: true });
  expect(proofOf(ofJane("acme-infra"), jane, judged)).toBeUndefined();
  expect(proofOf(ownedUuid({ ...jane, owner: "acme-platform" }), jane, judged)).toBeUndefined();
  expect(ownedSeries(jane, judged)).toEqual(series);
  expect([judged, { ...owners, key: ownerKey }, owners].map(isKeyed)).toEqual([true, true, false]);
});

test("an owner at a service is one text", () => {
  expect(ownerAt("https://a.example", owners)).toBe(
    ownerAt("https://a.example", { current: "acme-platform" }),
  );
  expect(ownerAt("https://a.example", owners)).not.toBe(ownerAt("https://b.example", owners));
});
