import fc from "fast-check";
import { seriesOf, ownedUuid, parseOwnerKey, uuidVersion } from "../../src/ownership";
import { NAMESPACE, uuidSeries, type OwnedKey } from "../../src/ownership/uuid";
import published from "./vectors.json";

interface Vector {
  readonly owner: string;
  readonly kind: string;
  readonly account: string;
  readonly username?: string;
  readonly generation: number;
  /** The owner key. */
  readonly key?: string;
  readonly uuid: string;
}

const vectors: readonly Vector[] = published.vectors;
const globex: OwnedKey = { owner: "acme-platform", kind: "account", names: ["globex"] };
const jane: OwnedKey = { owner: "acme-platform", kind: "user_profile", names: ["globex", "jane"] };

test("the namespace is the published one", () => {
  expect(NAMESPACE).toBe(published.namespace);
});

test.each([...vectors, ...published.keyed_vectors] as readonly Vector[])(
  "the published vector $uuid holds",
  ({ uuid, generation, owner, kind, key, ...named }) => {
    const names = [named.account, named.username].filter((name) => name !== undefined);
    const ownerKey = parseOwnerKey(key);
    expect(ownedUuid({ owner, kind, names, ownerKey }, generation)).toBe(uuid);
  },
);

test("a uuid under an owner key has version 8 and the standard variant, whatever the key", () => {
  for (const { uuid } of published.keyed_vectors)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("an account name written with combining marks has the uuid of its composed form", () => {
  expect(ownedUuid({ ...globex, names: ["cafe\u0301"] })).toBe(
    ownedUuid({ ...globex, names: ["caf\u00e9"] }),
  );
});

test("the first generation is 0, and only the last byte tells generations apart", () => {
  expect(ownedUuid(jane)).toBe(ownedUuid(jane, 0));
  expect(ownedUuid(jane, 0)).toBe(`${uuidSeries(jane)}00`);
  expect(ownedUuid(jane, 10)).toBe(`${uuidSeries(jane)}0a`);
  expect(ownedUuid(jane, 255)).toBe(`${uuidSeries(jane)}ff`);
});

test.each([-1, 256, 0.5, Number.NaN])("there is no generation %p", (generation) => {
  expect(() => ownedUuid(jane, generation)).toThrow(RangeError);
});

test("an account, its primary profile and a user of the same name are three objects", () => {
  const uuids = [
    ownedUuid(globex),
    ownedUuid({ ...globex, kind: "primary" }),
    ownedUuid({ ...jane, names: ["globex", "globex"] }),
  ];
  expect(new Set(uuids).size).toBe(3);
});

test("every uuid of ours is a version 5 uuid from which series and generation can be read again", () => {
  const name = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(
      name,
      name,
      name,
      fc.integer({ min: 0, max: 255 }),
      (owner, account, username, generation) => {
        const key: OwnedKey = { owner, kind: "user_profile", names: [account, username] };
        const uuid = ownedUuid(key, generation);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(seriesOf(uuid.toUpperCase())).toBe(uuidSeries(key));
        expect(parseInt(uuid.slice(-2), 16)).toBe(generation);
      },
    ),
  );
});

test("names cannot be shifted from one part of the key into the next", () => {
  const shifted: OwnedKey = { ...jane, names: ['globex","jane', ""] };
  expect(uuidSeries(shifted)).not.toBe(uuidSeries(jane));
});

test("a text that is no uuid is a series of its own and has no version", () => {
  expect(seriesOf("Not a uuid, although it is as long as one")).toBe(
    "Not a uuid, although it is as long as one",
  );
  expect(uuidVersion("not a uuid")).toBeUndefined();
  expect(uuidVersion("")).toBeUndefined();
});

test("the version is read whatever the variant and the case", () => {
  expect(uuidVersion("436426D4-A90B-4019-9CB4-5C6A46F8ADFB")).toBe(4);
  expect(uuidVersion("00000000-0000-5000-0000-000000000000")).toBe(5);
  expect(uuidVersion("00000000-0000-0000-0000-000000000000")).toBe(0);
});
