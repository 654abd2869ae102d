/** A password that an earlier creation has left is taken away by an apply: covers the end of src/resources/authorization/with-password.ts. */
import { removeTemporaryPassword } from "../../../src/resources";
import type { Fault, UserProfile } from "../../../src/lib/simulator";
import { connected, type Connected } from "../../support/connections";

const LOGIN = "robot@globex";

interface WithLeft extends Connected {
  readonly user: UserProfile;
}

/** A service with a user who still has the password that was set for creating a token. */
async function withLeft(): Promise<WithLeft> {
  const service = await connected();
  const { records } = service.simulator;
  records.createAccount({ name: "globex" });
  return { ...service, user: records.createProfile("globex", { username: "robot", password: "left-left" }) };
}

const take = ({ connection, user }: WithLeft, login = LOGIN) =>
  removeTemporaryPassword(connection, login, user.id);

/** What the service does to the look for the user's id. */
const onLook = ({ simulator, user }: WithLeft, fault: Fault) =>
  simulator.fail({ method: "GET", path: `/api/user-profile/${user.id}`, times: 9, ...fault });

const changesIn = ({ simulator }: Connected) => simulator.requests.filter(({ method }) => method === "PATCH");

test("its user is the same where the login is written in other letters", async () => {
  const service = await connected();
  const { records } = service.simulator;
  records.createAccount({ name: "globex" });
  const user = records.createProfile("globex", { username: "ren\u00e9", password: "left-left" });
  expect(await take({ ...service, user }, "rene\u0301@globex")).toMatchObject({
    user: { password_set: false },
  });
});

test.each<readonly [string, (service: WithLeft) => void]>([
  [
    "was taken away before",
    ({ simulator: { records } }) => void records.patchProfile(LOGIN, { password: null }),
  ],
  [
    "is that of a user with another login",
    (service) => onLook(service, { alter: (user) => ({ ...(user as object), login: "other@globex" }) }),
  ],
  ["has ended with its user", ({ simulator: { records } }) => records.deleteProfile(LOGIN)],
])("nothing is sent, and nothing is left to do, where it %s", async (_what, change) => {
  const service = await withLeft();
  await service.connection.directory.snapshot();
  change(service);
  expect(await take(service)).toBeUndefined();
  expect(changesIn(service)).toEqual([]);
});

test.each<readonly [string, Fault, string]>([
  ["a list still has a user whom the service does not find", { status: 404 }, "the list still has it"],
  ["nobody may look at its user", { status: 403 }, "access denied"],
])("it may still be there where %s", async (_what, fault, why) => {
  const service = await withLeft();
  onLook(service, fault);
  expect(await take(service)).toEqual({ why: expect.stringContaining(why) as string });
  expect(changesIn(service)).toEqual([]);
});

test("it is gone where only the answer was lost, and stays where nothing can be told of it", async () => {
  const service = await withLeft();
  service.simulator.fail({ method: "PATCH", when: "after", reset: true, times: 9 });
  expect(await take(service)).toMatchObject({ user: { password_set: false } });
  service.simulator.records.patchProfile(LOGIN, { password: "left-again" });
  onLook(service, { skip: 1, status: 403 });
  expect(await take(service)).toMatchObject({ why: expect.stringMatching(/\S/) as string });
});
