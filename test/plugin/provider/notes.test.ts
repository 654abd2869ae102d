import { notesOf, type Notes, privateStateOf, WrittenPermissions } from "../../../src/plugin/provider/notes";
import { resource as userProfile } from "../../../src/resources/user-profile";
import { parseJson, stringifyJson, type ObjectValue } from "../../../src/values";

test("notes come back from private state as they went in, digit by digit", () => {
  const notes: Notes = {
    seq: 9007199254740993n,
    partSeq: 7,
    imported: true,
    notedAt: new Date("2025-01-02T03:04:05.678Z"),
    replacedObject: { id: "account:1:2", deletion_protection: false },
  };
  const stored = parseJson(stringifyJson(privateStateOf(notes))) as ObjectValue;
  expect(notesOf(stored)).toEqual(notes);
});

test("private state without notes, or with somebody else's values, gives no notes", () => {
  expect(privateStateOf({})).toEqual({});
  expect(
    notesOf({ seq: "7", part_seq: null, imported: "yes", noted_at: "yesterday", replaced_object: [] }),
  ).toEqual({});
});

describe("permissions that only ignore_changes has put into a configuration", () => {
  const ALL = { "vss.format_disks": true, "vss.manage_targets": true };
  const KEY = { "vss.format_disks": true };
  const ACME = { account_id: "account:1:2" };
  const jane = (permissions: ObjectValue | null) => ({ ...ACME, username: "jane", permissions });
  const janet = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "janet" });
  const bob = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "bob" });
  const PRIOR = { ...jane(ALL), uuid: "11111111-1111-5111-8111-111111111111", id: "user_profile:1:3" };
  const REFUSED = [{ code: "TENANCY_IGNORED_RIGHT" }];

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
    noted.note(userProfile, bob(null));
    noted.note(userProfile, janet(KEY));
    expect(noted.findings(userProfile, jane(KEY), PRIOR)).toEqual([]);
  });
});
