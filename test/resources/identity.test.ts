/** Objects whose id another record has by now. */
import { goneWithId } from "../../src/resources";

const known = {
  id: "user_profile:1:7",
  serial: "USR1B00000000000007",
  uuid: "11111111-AAAA-4111-8111-111111111111",
  ctime: 1_700_000_000_000,
};
test("the warning names the object, the id, and what differs", () => {
  const prior = { ...known, login: "jane@acme" };
  const live = { ...known, serial: "USR1B00000000000008" };
  expect(goneWithId("user profile", "jane@acme", { live: prior, prior })).toBeUndefined();
  expect(goneWithId("user profile", "jane@acme", { live, prior })).toMatchObject({
    code: "TENANCY_ID_GIVEN_AGAIN",
    detail: expect.stringMatching(/"jane@acme".*user_profile:1:7.*USR1B00000000000008/) as string,
  });
});
