import { Declarations } from "../../../src/engine/diff/declarations";
import type { PlannedObject } from "../../../src/engine/planned-object";
import { resource as userProfile } from "../../../src/resources/user-profile";
import { change } from "../../support/plans";

/** Users who are declared and live, in one of two accounts each; and how often any of them was looked at. */
function declared(count: number) {
  const seen = { looks: 0 };
  const objects = Array.from({ length: count }, (_one, index) => {
    const observedRecord = {
      id: `profile:1:${index}`,
      uuid: undefined,
      accountId: `account:1:${index % 2}`,
      seq: undefined,
      key: `user-${index}`,
      readAt: 0,
    };
    const user = change({ kind: "user_profile", name: `user-${index}`, action: "none", observedRecord });
    return {
      resource: userProfile,
      lookup: undefined,
      get change() {
        seen.looks++;
        return user;
      },
    } as unknown as PlannedObject;
  });
  return { seen, declarations: new Declarations(objects, false) };
}

test("the declared users of each account are found, and none where the account has none", () => {
  const { declarations } = declared(5);
  const keysIn = (id: string) => declarations.inAccount(id).map(({ change: { key } }) => key);
  expect(keysIn("account:1:0")).toEqual(["user-0", "user-2", "user-4"]);
  expect(keysIn("account:1:1")).toEqual(["user-1", "user-3"]);
  expect(keysIn("account:1:2")).toEqual([]);
});

test("asking for each of many records that go looks at no declared object again", () => {
  const { seen, declarations } = declared(100);
  const before = seen.looks;
  for (let index = 0; index < 100; index++) declarations.inAccount(`profile:1:${100 + index}`);
  expect(seen.looks).toBe(before);
});
