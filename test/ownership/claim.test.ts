import { claimOf } from "../../src/ownership/claim";
import {
  familyOf,
  ownedFamilies,
  ownedUuid,
  parseOwners,
  parseOwnerKeys,
  proofOf,
  strangerOf,
  type NaturalKey,
} from "../../src/ownership";

const owners = parseOwners("acme-platform", ["acme-infra"]);
const jane: NaturalKey = { kind: "user_profile", names: ["globex", "jane"] };
const random = "436426d4-a90b-4019-9cb4-5c6a46f8adfb";

test("a record that carries our uuid is ours, in any generation and either case", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-platform" }, 3);
  expect(proofOf(uuid.toUpperCase(), jane, owners)).toEqual({
    owner: "acme-platform",
    previous: false,
    keyed: false,
    generation: 3,
  });
  expect(claimOf(uuid, jane, owners)).toBe("ours");
  expect(strangerOf(uuid, jane, owners)).toBeUndefined();
});

test("a record that a previous owner made is ours, and says so", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-infra" });
  expect(proofOf(uuid, jane, owners)).toEqual({
    owner: "acme-infra",
    previous: true,
    keyed: false,
    generation: 0,
  });
  expect(claimOf(uuid, jane, owners)).toBe("ours");
});

test("our uuid under another key proves nothing for that key", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-platform" });
  expect(claimOf(uuid, { ...jane, names: ["globex", "joe"] }, owners)).toBe("foreign");
  expect(claimOf(uuid, { kind: "account", names: ["globex"] }, owners)).toBe("foreign");
});

test("a record with a random uuid is foreign, but no other owner's", () => {
  expect(proofOf(random, jane, owners)).toBeUndefined();
  expect(claimOf(random, jane, owners)).toBe("foreign");
  expect(strangerOf(random, jane, owners)).toBe("nobody known");
});

test("a record with another owner's uuid is foreign and that owner's", () => {
  const uuid = ownedUuid({ ...jane, owner: "rivals" });
  expect(claimOf(uuid, jane, owners)).toBe("foreign");
  expect(strangerOf(uuid, jane, owners)).toBe("another owner");
});

test("a version 5 uuid of any variant counts as derived from a name", () => {
  expect(strangerOf("00000000-0000-5000-0000-000000000000", jane, owners)).toBe("another owner");
});

test("text that is no uuid is nobody's", () => {
  expect(claimOf("", jane, owners)).toBe("foreign");
  expect(strangerOf("", jane, owners)).toBe("nobody known");
});

test("live records are found by family, the current owner's first", () => {
  const families = ownedFamilies(jane, owners);
  expect(families.map(({ owner, previous }) => [owner, previous])).toEqual([
    ["acme-platform", false],
    ["acme-infra", true],
  ]);
  expect(families.map(({ family }) => family)).toEqual(
    ["acme-platform", "acme-infra"].map((owner) => familyOf(ownedUuid({ ...jane, owner }, 9))),
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
      previous: false,
      keyed: true,
      generation: 9,
    });
    expect(proofOf(made(KEY, "acme-infra"), jane, under(KEY))).toMatchObject({ previous: true, keyed: true });
    expect(claimOf(made(KEY), { ...jane, names: ["globex", "joe"] }, under(KEY))).toBe("foreign");
  });

  test("what an earlier key made is ours while that key is given", () => {
    expect(claimOf(made(OLD), jane, under(KEY))).toBe("foreign");
    expect(proofOf(made(OLD), jane, under(KEY, OLD))).toMatchObject({ owner: "acme-platform", keyed: true });
    expect(claimOf(made(OLD, "acme-infra"), jane, under(KEY, OLD))).toBe("ours");
    expect(claimOf(made(KEY), jane, under(KEY, OLD))).toBe("ours");
    expect(claimOf(made(undefined), jane, under(KEY, OLD))).toBe("foreign");
  });

  test("what names alone gave is ours only while there was no key before", () => {
    for (const owner of ["acme-platform", "acme-infra"]) {
      expect(claimOf(made(undefined, owner), jane, under(KEY))).toBe("foreign");
      expect(proofOf(made(undefined, owner), jane, under(KEY, "none"))).toMatchObject({
        owner,
        keyed: false,
      });
    }
    expect(claimOf(made(KEY), jane, under(KEY, "none"))).toBe("ours");
  });

  test("who made what is not ours is told as far as its uuid tells", () => {
    expect(strangerOf(made(undefined), jane, under(KEY))).toBe("ourselves without a key");
    expect(strangerOf(made(undefined, "rivals"), jane, under(KEY))).toBe("another owner");
    expect(strangerOf(made(OLD), jane, under(KEY))).toBe("unknown key");
    expect(strangerOf(made(KEY), jane, owners)).toBe("unknown key");
    expect(strangerOf(random, jane, under(KEY))).toBe("nobody known");
  });

  test("live records are found by every family that is ours, those of the present key first", () => {
    const families = (given: ReturnType<typeof under>) =>
      ownedFamilies(jane, given).map(({ family }) => `${family}00`);
    const both = (key: string | undefined) => [made(key), made(key, "acme-infra")];
    expect(families(under(KEY))).toEqual(both(KEY));
    expect(families(under(KEY, OLD))).toEqual([...both(KEY), ...both(OLD)]);
    expect(families(under(KEY, "none"))).toEqual([...both(KEY), ...both(undefined)]);
  });
});
