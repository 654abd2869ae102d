import {
  claimOf,
  familyOf,
  madeByOther,
  ownedFamilies,
  ownedUuid,
  parseOwners,
  proofOf,
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
    generation: 3,
  });
  expect(claimOf(uuid, jane, owners)).toBe("ours");
  expect(madeByOther(uuid, jane, owners)).toBe(false);
});

test("a record that a previous owner made is ours, and says so", () => {
  const uuid = ownedUuid({ ...jane, owner: "acme-infra" });
  expect(proofOf(uuid, jane, owners)).toEqual({ owner: "acme-infra", previous: true, generation: 0 });
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
  expect(madeByOther(random, jane, owners)).toBe(false);
});

test("a record with another owner's uuid is foreign and that owner's", () => {
  const uuid = ownedUuid({ ...jane, owner: "rivals" });
  expect(claimOf(uuid, jane, owners)).toBe("foreign");
  expect(madeByOther(uuid, jane, owners)).toBe(true);
});

test("a version 5 uuid of any variant counts as derived from a name", () => {
  expect(madeByOther("00000000-0000-5000-0000-000000000000", jane, owners)).toBe(true);
});

test("text that is no uuid is nobody's", () => {
  expect(claimOf("", jane, owners)).toBe("foreign");
  expect(madeByOther("", jane, owners)).toBe(false);
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
