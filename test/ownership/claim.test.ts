import {
  seriesOf,
  isKeyed,
  hashedName,
  ownedSeries,
  ownedUuid,
  ownerAt,
  ownersAt,
  parseOwners,
  parseOwnerKeys,
  proofOf,
  unmanagedOrigin,
  takesUnkeyed,
  type NaturalKey,
} from "../../src/ownership";

const owners = parseOwners("acme-platform", ["acme-infra"]);
const jane: NaturalKey = { kind: "user_profile", names: ["globex", "jane"] };
const random = "436426d4-a90b-4019-9cb4-5c6a46f8adfb";

test("a record that carries our uuid is ours, in any generation and either case", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-platform" }, 3);
  expect(proofOf(uuid.toUpperCase(), jane, owners)).toEqual({ owner: "acme-platform", keyed: false });
  expect(unmanagedOrigin(uuid, jane, owners)).toBeUndefined();
});

test("a record that a previous owner made is ours, and says so", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-infra" });
  expect(proofOf(uuid, jane, owners)).toEqual({ owner: "acme-infra", keyed: false });
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

test("live records are found by their uuids' series, the current owner's first", () => {
  expect(ownedSeries(jane, owners)).toEqual(
    ["acme-platform", "acme-infra"].map((owner) => seriesOf(ownedUuid({ ...jane, owner }, 9))),
  );
});

describe("under an owner key", () => {
  const KEY = "a key of the platform team";
  const OLD = "the key of the year before";
  const under = (key: string, previousKey?: string) =>
    parseOwners("acme-platform", ["acme-infra"], parseOwnerKeys(key, previousKey));
  const made = (key: string | undefined, owner = "acme-platform", generation = 0) =>
    ownedUuid({ ...jane, owner, ownerKey: parseOwnerKeys(key, undefined)?.current }, generation);

  test("ours is what was made under the key, by the owner or a previous one, in any generation", () => {
    expect(proofOf(made(KEY, "acme-platform", 9).toUpperCase(), jane, under(KEY))).toEqual({
      owner: "acme-platform",
      keyed: true,
    });
    expect(proofOf(made(KEY, "acme-infra"), jane, under(KEY))).toEqual({ owner: "acme-infra", keyed: true });
    expect(proofOf(made(KEY), { ...jane, names: ["globex", "joe"] }, under(KEY))).toBeUndefined();
  });

  test("what an earlier key made is ours while that key is given", () => {
    expect(proofOf(made(OLD), jane, under(KEY))).toBeUndefined();
    expect(proofOf(made(OLD), jane, under(KEY, OLD))).toMatchObject({ owner: "acme-platform", keyed: true });
    expect(proofOf(made(OLD, "acme-infra"), jane, under(KEY, OLD))).toBeDefined();
    expect(proofOf(made(KEY), jane, under(KEY, OLD))).toBeDefined();
    expect(proofOf(made(undefined), jane, under(KEY, OLD))).toBeUndefined();
  });

  test("what names alone gave is ours only while there was no key before", () => {
    for (const owner of ["acme-platform", "acme-infra"]) {
      expect(proofOf(made(undefined, owner), jane, under(KEY))).toBeUndefined();
      expect(proofOf(made(undefined, owner), jane, under(KEY, "none"))).toMatchObject({
        owner,
        keyed: false,
      });
    }
    expect(proofOf(made(KEY), jane, under(KEY, "none"))).toBeDefined();
  });

  test("who made what is not ours is told as far as its uuid tells", () => {
    expect(unmanagedOrigin(made(undefined), jane, under(KEY))).toBe("this owner without a key");
    expect(unmanagedOrigin(made(undefined, "rivals"), jane, under(KEY))).toBe("another owner");
    expect(unmanagedOrigin(made(OLD), jane, under(KEY))).toBe("unknown key");
    expect(unmanagedOrigin(made(KEY), jane, owners)).toBe("unknown key");
    expect(unmanagedOrigin(random, jane, under(KEY))).toBe("not known");
  });

  test("live records are found by every series of uuids that is ours, those of the present key first", () => {
    const seriesUnder = (given: ReturnType<typeof under>) =>
      ownedSeries(jane, given).map((series) => `${series}00`);
    const both = (key: string | undefined) => [made(key), made(key, "acme-infra")];
    expect(seriesUnder(under(KEY))).toEqual(both(KEY));
    expect(seriesUnder(under(KEY, OLD))).toEqual([...both(KEY), ...both(OLD)]);
    expect(seriesUnder(under(KEY, "none"))).toEqual([...both(KEY), ...both(undefined)]);
  });
});

describe("what a snapshot tells of an owner key, which nobody needs to read it", () => {
  const key = parseOwnerKeys("a key of the platform team", undefined)?.current;
  const ofJane = (owner: string, ownerKey = key) => ownedUuid({ ...jane, owner, ownerKey });
  const unkeyed = ownedUuid({ ...jane, owner: "acme-platform", ownerKey: undefined });
  const judgedAs = (keyed: boolean, takes: boolean) => ({
    ...owners,
    recordedKeys: {
      keyed,
      takesUnkeyed: takes,
      keyedSeries: new Map([[hashedName("acme-platform", jane), [seriesOf(ofJane("acme-platform"))]]]),
    },
  });

  test("proves what the key had made, and nothing else that looks like it", () => {
    const judged = judgedAs(true, false);
    expect(proofOf(ofJane("acme-platform"), jane, judged)).toEqual({ owner: "acme-platform", keyed: true });
    expect(proofOf(ofJane("acme-infra"), jane, judged)).toBeUndefined();
    expect(ownedSeries(jane, judged)).toEqual([seriesOf(ofJane("acme-platform"))]);
    expect(isKeyed(judged)).toBe(true);
    expect(isKeyed({ ...owners, keys: parseOwnerKeys("a key of the platform team", undefined) })).toBe(true);
  });

  test("leaves what names alone gave ours only where it was ours then, or where there was no key", () => {
    expect(proofOf(unkeyed, jane, judgedAs(true, false))).toBeUndefined();
    expect(proofOf(unkeyed, jane, judgedAs(true, true))).toEqual({ owner: "acme-platform", keyed: false });
    expect(takesUnkeyed(judgedAs(true, true))).toBe(true);
    expect(takesUnkeyed(judgedAs(true, false))).toBe(false);
    expect(takesUnkeyed(judgedAs(false, true))).toBe(false);
    expect(isKeyed(judgedAs(false, false))).toBe(false);
    expect(proofOf(unkeyed, jane, judgedAs(false, false))).toEqual({ owner: "acme-platform", keyed: false });
    expect(proofOf(ofJane("acme-platform"), jane, judgedAs(false, false))).toBeUndefined();
  });
});

test("an owner at a service is one text, and those of former days stand behind the present one", () => {
  expect(ownersAt("https://a.example", owners)).toEqual([
    ownerAt("https://a.example", { current: "acme-platform" }),
    ownerAt("https://a.example", { current: "acme-infra" }),
  ]);
  expect(ownerAt("https://a.example", owners)).not.toBe(ownerAt("https://b.example", owners));
});
