/** Permissions that only `ignore_changes` has put into a configuration. */
import { WrittenPermissions } from "../../src/provider/written-permissions";
import { resource as userProfile } from "../../src/resources/user-profile";
import { type ObjectValue, UNKNOWN, type Value } from "../../src/lib/values";
import { asSystem, call, configured } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

describe("permissions that only ignore_changes has put into a configuration", () => {
  const ALL = { "vss.format_disks": true, "vss.manage_targets": true };
  const KEY = { "vss.format_disks": true };
  const ACME = { account_id: "account:1:2" };
  const jane = (permissions: ObjectValue | null) => ({ ...ACME, username: "jane", permissions });
  const janet = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "janet" });
  const bob = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "bob" });
  const PRIOR = { ...jane(ALL), uuid: "11111111-1111-5111-8111-111111111111", id: "user_profile:1:3" };
  const REFUSED = [{ code: "TENANCY_INVALID_VALUE" }];

  /** What is told of each configuration that Core plans, after the one as it is written was validated. */
  const toldOf = (
    ...calls: readonly [written: ObjectValue, planned: ObjectValue, prior?: ObjectValue | null][]
  ) => {
    const noted = new WrittenPermissions();
    return calls.flatMap(([written, planned, prior = PRIOR]) => {
      noted.note(userProfile, written);
      return noted.findings(userProfile, planned, prior);
    });
  };

  test("are refused", () => {
    expect(toldOf([jane(null), jane(KEY)])).toMatchObject(REFUSED);
  });

  test.each<[string, ObjectValue, ObjectValue]>([
    ["its username", janet(null), jane(KEY)],
    ["its uuid", jane(null), { ...jane(KEY), uuid: PRIOR.uuid }],
    ["its account", { ...jane(null), account_id: "account:1:9" }, jane(KEY)],
  ])("are refused where %s is ignored, too", (_which, written, planned) => {
    expect(toldOf([written, planned])).toMatchObject(REFUSED);
    expect(toldOf([bob({}), bob({}), null], [written, planned])).toMatchObject(REFUSED);
  });

  test.each<[string, ObjectValue, ObjectValue]>([
    [
      "declared, and a key of them is ignored",
      janet({ "vss.update_vss": true }),
      jane({ ...KEY, "vss.update_vss": true }),
    ],
    ["declared, and no key is ignored", janet({ "vss.update_vss": true }), jane({ "vss.update_vss": true })],
    ["declared to be none", janet({}), jane({})],
    ["not declared", janet(null), jane(null)],
    ["ignored as a whole", janet(null), jane(ALL)],
  ])("are none where the username is ignored, and permissions are %s", (_how, written, planned) => {
    expect(toldOf([written, planned])).toEqual([]);
    expect(toldOf([bob(null), bob(null), null], [written, planned])).toEqual([]);
  });

  test("are not looked for where another object may be the one that is planned", () => {
    const noted = new WrittenPermissions();
    noted.note(userProfile, janet(KEY));
    noted.note(userProfile, bob(null));
    expect(noted.findings(userProfile, jane(KEY), PRIOR)).toEqual([]);
    // Which of the two it was stays open, for the other one, too.
    expect(noted.findings(userProfile, jill(KEY), jill(ALL))).toEqual([]);
  });

  const jill = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "jill" });
  /** An object whose username is ignored, and whose permissions only ignore_changes has put there. */
  const IGNORED = [bob(null), jill(KEY), jill(ALL)] as const;

  test.each<[string, Value, ObjectValue]>([
    ["are as they were written", { "vss.update_vss": true }, { "vss.update_vss": true }],
    ["were not known when they were written", UNKNOWN, { "vss.update_vss": true }],
    ["were not all known when they were written", { "vss.update_vss": UNKNOWN }, { "vss.update_vss": true }],
    ["are ignored as a whole", { "vss.update_vss": true }, ALL],
  ])("are refused after another object was planned whose permissions %s", (_how, written, planned) => {
    const other = { ...janet(null), permissions: written };
    expect(toldOf([other, jane(planned)], [...IGNORED])).toMatchObject(REFUSED);
  });

  test("are refused after two others that nothing tells from each other: both in accounts that are yet to be made", () => {
    const noted = new WrittenPermissions();
    const anew = (permissions: ObjectValue) => ({ ...jane(permissions), account_id: UNKNOWN });
    const others = [anew(KEY), anew(KEY)];
    for (const other of others) noted.note(userProfile, other);
    for (const other of others) expect(noted.findings(userProfile, other, null)).toEqual([]);
    const [written, planned, prior] = IGNORED;
    noted.note(userProfile, written);
    expect(noted.findings(userProfile, planned, prior)).toMatchObject(REFUSED);
  });

  test.each<[string, ObjectValue, ObjectValue, ObjectValue]>([
    ["has other permissions", bob({ "vss.manage_targets": false }), janet(null), jane(KEY)],
    [
      "is in another account",
      bob(KEY),
      { ...janet(null), account_id: "account:1:9" },
      { ...jane(KEY), account_id: "account:1:9" },
    ],
  ])("are refused while another object that %s is yet to be planned", (_how, other, written, planned) => {
    const noted = new WrittenPermissions();
    noted.note(userProfile, other);
    noted.note(userProfile, written);
    expect(noted.findings(userProfile, planned, PRIOR)).toMatchObject(REFUSED);
  });

  test("are none for what is declared as it was, once another object of its former name has been planned", () => {
    const noted = new WrittenPermissions();
    const declared = { "vss.update_vss": true };
    noted.note(userProfile, janet(declared));
    noted.note(userProfile, jane(null));
    expect(noted.findings(userProfile, jane(null), PRIOR)).toEqual([]);
    expect(noted.findings(userProfile, jill(declared), jill({ ...ALL, ...declared }))).toEqual([]);
  });

  test("are judged by the configuration of this run alone", async () => {
    const { simulator } = await start();
    const { provider, user } = await configured(simulator, asSystem(simulator));
    for (const written of [jane(KEY), bob(KEY)]) await user.validate?.(written, call);
    await provider.configure?.({}, call);
    await user.validate?.(jane(null), call);
    const planned = await user.plan?.({ prior: PRIOR, config: jane(KEY), private: {} } as never, call);
    expect(JSON.stringify(planned?.diagnostics)).toContain("TENANCY_INVALID_VALUE");
  });
});
