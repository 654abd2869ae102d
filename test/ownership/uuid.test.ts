import fc from "fast-check";
import { derivedUuid } from "../../src/ownership";
import published from "./vectors.json";

interface Vector {
  readonly owner: string;
  readonly kind: string;
  readonly account: string;
  readonly username?: string;
  readonly uuid: string;
}

test.each(published.vectors as readonly Vector[])(
  "the published vector $uuid holds",
  ({ uuid, owner, kind, account, username }) => {
    const names = [account, username].filter((name) => name !== undefined);
    expect(derivedUuid(owner, { kind, names })).toBe(uuid);
  },
);

test("an account name written with combining marks has the uuid of its composed form", () => {
  const [decomposed, composed] = ["cafe\u0301", "caf\u00e9"].map((name) =>
    derivedUuid("acme-platform", { kind: "account", names: [name] }),
  );
  expect(decomposed).toBe(composed);
});

test("names that differ in any part, or are shifted from one part into the next, have other uuids", () => {
  const part = fc.string({ minLength: 1, maxLength: 3 }).map((text) => text.normalize());
  const key = fc.tuple(part, part, fc.array(part, { minLength: 1, maxLength: 2 }));
  fc.assert(
    fc.property(key, key, (one, other) => {
      const [first, second] = [one, other].map(([owner, kind, names]) => derivedUuid(owner, { kind, names }));
      expect(first === second).toBe(JSON.stringify(one) === JSON.stringify(other));
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }),
  );
});
