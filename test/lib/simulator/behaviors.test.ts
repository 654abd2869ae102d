/** Services that read a gap of the specification in another way. */
import type { ServiceBehavior } from "../../../src/lib/simulator";
import { simulators } from "../../support/simulators";

const start = simulators();

async function answers(behavior: ServiceBehavior) {
  const { simulator, system, account, user } = await start({ behaviors: [behavior] });
  const acme = await account("acme");
  const jane = await user(acme, "jane", { level: 5 });
  const profiles = (await system("GET", "/user-profile")).list;
  const storedAccount = simulator.records.account("acme");
  const element = profiles.find(({ id }) => id === jane.id);
  const single = (await system("GET", `/user-profile/${jane.serial}`)).body;
  return { acme, jane, element, single, storedAccount, primary: simulator.records.profile("acme") };
}

test("references are serials or uuids in every answer", async () => {
  for (const [behavior, form] of [
    ["referencesBySerial", "serial"],
    ["referencesByUuid", "uuid"],
  ] as const) {
    const { acme, jane, element, single, storedAccount, primary } = await answers(behavior);
    expect(acme).toMatchObject({ id: storedAccount.id, admin_profile_id: primary[form] });
    for (const profile of [jane, element, single])
      expect(profile).toMatchObject({ account_id: storedAccount[form] });
  }
});

test("elements of lists are summaries, and a single read is whole", async () => {
  const { element, single } = await answers("summaryLists");
  expect(Object.keys(element ?? {}).sort()).toEqual(
    ["account_id", "ctime", "id", "label", "login", "mtime", "seq", "serial", "uuid"].sort(),
  );
  expect(single).toMatchObject({ activated: true, permissions: {} });
});

test("numbers and booleans have another type, at every depth", async () => {
  expect((await answers("numbersAsText")).single).toMatchObject({ level: "5", activated: true });
  expect((await answers("booleansAsText")).element).toMatchObject({
    level: 5,
    activated: "true",
    permissions: { realm: { rights: { view_logs: "false" } } },
  });
  expect((await answers("booleansAsNumbers")).jane).toMatchObject({ activated: 1, access: { web: 1 } });
});
