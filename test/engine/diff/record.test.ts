/** What a plan makes of one declared account or user, and of what is live of it, without a whole run. */
import { StatePart } from "../../../src/state";
import { StateDocument } from "../../../src/state/document";
import {
  idOfRecords,
  planRecord,
  type PlanRecordOptions,
  observedRecordOf,
} from "../../../src/engine/diff/record";
import type { PlannedObject } from "../../../src/engine/planned-object";
import { identityOf, parseOwner } from "../../../src/ownership";
import { appliedValues } from "../../../src/plan/applied-values";
import type { Diagnostic, TenancyError } from "../../../src/problems";
import { resource as accountFamily } from "../../../src/resources/account";
import { resource as userFamily } from "../../../src/resources/user-profile";
import { Snapshot } from "../../../src/service";
import { NOT_IN_SNAPSHOT, type ObjectValue, type Path, UNKNOWN } from "../../../src/lib/values";
import { ORIGIN, OWNER } from "../../state/samples";

const OTHERS = "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f";

const acme = {
  id: "account:1:2",
  serial: "ACC2",
  name: "acme",
  uuid: "6ba7b810-9dad-41d1-80b4-000000000002",
  admin_profile_id: "user_profile:1:2",
  seq: 4,
};
const admin = {
  id: "user_profile:1:2",
  serial: "USR2",
  uuid: "6ba7b810-9dad-41d1-80b4-000000000003",
  login: "acme",
  account_id: acme.id,
  permissions: { vss: { rights: { manage_targets: true, manage_rules: false } } },
};
const jane = {
  id: "user_profile:1:9",
  serial: "USR9",
  uuid: "6ba7b810-9dad-41d1-80b4-000000000009",
  login: "jane@acme",
  account_id: acme.id,
  email: "jane@acme.example",
  xref: null,
  permissions: {},
  seq: 7,
};
const joe = {
  ...jane,
  id: "user_profile:1:8",
  serial: "USR8",
  login: "joe@acme",
  uuid: "6ba7b810-9dad-41d1-80b4-000000000008",
};
const system = { id: "account:1:1", serial: "ACC1", name: "system", admin_profile_id: "user_profile:1:1" };
const root = { id: "user_profile:1:1", serial: "USR1", login: "system", account_id: system.id };

/** How the state calls jane. */
const REMEMBERED = { key: "user_profile:jane@acme", uuid: jane.uuid };

/** A state that has recorded these. */
function newPart(...recorded: readonly string[]): StatePart {
  const part = new StatePart(
    StateDocument.empty(true),
    { origin: ORIGIN, stack: OWNER, provider: "tenancy" },
    false,
  );
  const records = { "account:acme": acme, "user_profile:jane@acme": jane, "user_profile:joe@acme": joe };
  for (const [key, record] of Object.entries(records)) {
    if (recorded.length > 0 && !recorded.includes(key)) continue;
    const draft = part.objects.draft({ key, uuid: record.uuid });
    const account = "account_id" in record && { account_id: record.account_id };
    draft.noteRecord({ ...identityOf(record), ...account });
    draft.keep();
  }
  return part;
}

interface Given {
  /** Those that are live besides the system's and the tenant's own. */
  readonly users?: readonly object[];
  readonly account?: object | undefined;
  readonly config?: ObjectValue;
  readonly part?: StatePart;
  readonly importId?: string;
  readonly ignored?: readonly Path[];
  readonly titleOf?: (key: string) => string;
  readonly options?: Partial<PlanRecordOptions>;
  /** Whether the caller sees every account and every user; undefined where the service does not tell. */
  readonly seesAll?: boolean | undefined;
}

function planned(resource: typeof accountFamily, given: Given & { config: ObjectValue }): PlannedObject {
  const { users = [jane], titleOf = (key) => key } = given;
  const account = "account" in given ? given.account : acme;
  const may = "seesAll" in given ? given.seesAll : true;
  const permissions = {
    realm: { rights: { manage_accounts: may ?? null } },
    user: { rights: { manage_users: may ?? null } },
  };
  const snapshot = new Snapshot({
    accounts: [system, ...(account === undefined ? [] : [account])] as never,
    profiles: [root, ...(account === undefined ? [] : [admin]), ...users] as never,
    caller: { account: { name: "system" }, permissions },
    callerProfile: "system",
  });
  const declared = {
    block: { lifecycle: { ignoreChanges: given.ignored ?? [] }, constructPath: "prod/one" },
    instance: { address: `${resource.description.type}.one` },
    resource,
    target: {
      provider: "tenancy",
      origin: ORIGIN,
      owners: parseOwner(OWNER),
      part: given.part ?? newPart(),
      snapshot,
      readAt: 7,
    },
    config: given.config,
    sensitive: [],
    titleOf,
    importId: given.importId,
  };
  return planRecord(declared as never, resource.inventory, {
    resetPasswords: false,
    destroy: false,
    plannedAt: new Date("2026-01-03T00:00:00Z"),
    foreseenKey: () => "foreseen",
    ...given.options,
  });
}

/** Plans jane, who is declared as she is live, but for what is given. */
const user = ({ config = {}, ...given }: Given = {}) =>
  planned(userFamily, {
    ...given,
    config: { username: "jane", account_id: acme.id, permissions: {}, ...config },
  });

/** Plans the account acme, likewise. */
const tenant = ({ config = {}, ...given }: Given = {}) =>
  planned(accountFamily, {
    ...given,
    config: { name: "acme", permissions: { "vss.manage_targets": true }, ...config },
  });

/** What the user reads of an object that cannot be planned. */
function refusal(plan: () => unknown): Diagnostic {
  try {
    plan();
  } catch (error) {
    const [first, ...others] = (error as TenancyError).toDiagnostics();
    expect(others).toEqual([]);
    return first!;
  }
  throw new Error("it was planned");
}

const changedIn = ({ change }: PlannedObject) =>
  change.attributes.map(({ path, before, after }) => [path.join("."), before, after]);

describe("an object that is not live", () => {
  test("is created under its key, as it is declared", () => {
    const { change, proposal, lookup, remembered, recorded } = user({
      users: [],
      config: { email: "jane@acme.example", sms: null },
    });
    expect(change).toMatchObject({ action: "create", key: "jane@acme", title: "jane@acme", notes: [] });
    expect([...change.declared!].sort()).toEqual(["account_id", "email", "permissions", "username"]);
    expect(change.attributes).toContainEqual(expect.objectContaining({ path: ["email"] }));
    expect(lookup).toMatchObject({ kind: "absent" });
    expect([proposal?.action, remembered, recorded]).toEqual(["create", undefined, []]);
  });

  test("tells what its declaration leaves to the service", () => {
    const { findings } = user({ users: [], config: { permissions: null } });
    expect(findings.map(({ code }) => code)).toEqual(["TENANCY_UNDECLARED_PERMISSIONS"]);
  });

  test.each([
    ["while its account is yet to be made", UNKNOWN],
    ["where its account is in no list", "account:1:99"],
  ])("has the key that can be foreseen %s", (_when, account_id) => {
    expect(user({ config: { account_id } }).change).toMatchObject({ action: "create", key: "foreseen" });
  });

  test("is told as deleted outside where the last apply has left it, and its end is proven", () => {
    const part = newPart();
    const left = appliedValues(userFamily.description.attributes, { self: jane });
    part.objects.note({ object: REMEMBERED, left, declaration: null });
    const told = ["deleted outside since the last apply"];
    const { notes } = user({ users: [], part }).change;
    expect(notes).toEqual(told);
    expect(user({ users: [], part, config: { username: "jim" } }).change.notes).toEqual([]);
    // The account was deleted with all that was in it.
    const options = { foreseenKey: () => "jane@acme" };
    const config = { account_id: UNKNOWN };
    expect(user({ account: undefined, users: [], part, config, options }).change.notes).toEqual(told);
    const unproven = user({ users: [], part, seesAll: false }).change.notes;
    expect(unproven).toHaveLength(1);
    expect(unproven[0]).toMatch(/^not verified: may exist: .*lacks the right user.manage_users/);
    // A run that was about to write it may have deleted it.
    part.objects.begin(REMEMBERED.key);
    expect(user({ users: [], part }).change.notes).toEqual([]);
  });

  test("is created without more ado where it was never left, and where it cannot be known what the caller sees", () => {
    expect(user({ users: [] }).change.notes).toEqual([]);
    expect(user({ users: [], seesAll: undefined }).change.notes).toEqual([]);
  });
});

describe("what is live and not ours", () => {
  const stranger = { ...jane, uuid: OTHERS };
  const foreign: Given = { users: [stranger], part: newPart("account:acme") };

  test("is refused under its title", () => {
    expect(refusal(() => user({ ...foreign, titleOf: (key) => `<${key}>` }))).toMatchObject({
      code: "TENANCY_UNMANAGED",
      summary: 'user profile "<jane@acme>" exists, and this configuration does not manage it',
    });
  });

  test.each(["destroy", "toleratesUnmanaged"])("is planned where the plan only looks at it: %s", (option) => {
    const { change } = user({ ...foreign, options: { [option]: true } });
    expect(change).toMatchObject({ action: "none", claim: "unmanaged", key: "jane@acme" });
  });
});

describe("what is live", () => {
  test("as it is declared stays, is ours, and shows its state with what only the declaration tells", () => {
    const plan = tenant({ config: { deletion_protection: false } });
    expect(plan).toMatchObject({ proposal: undefined, recorded: [], findings: [] });
    expect(plan.remembered).toEqual({ key: "account:acme", uuid: acme.uuid });
    expect(plan.change).toMatchObject({ action: "none", key: "acme", claim: "managed" });
    expect(plan.change.before).toMatchObject({ id: acme.id, deletion_protection: false });
    expect(plan.change.observedRecord).toEqual({
      id: acme.id,
      serial: acme.serial,
      ctime: undefined,
      uuid: acme.uuid,
      accountId: undefined,
      seq: 4,
      key: "acme",
      readAt: 7,
    });
  });

  test("otherwise than it is declared is updated, and the change tells of whom and why", () => {
    const plan = user({ config: { email: "j@acme.example" } });
    expect(plan.change).toMatchObject({
      action: "update",
      key: "jane@acme",
      claim: "managed",
      before: { email: "jane@acme.example" },
      after: { email: "j@acme.example" },
      notes: [],
      observedRecord: {
        id: jane.id,
        uuid: jane.uuid,
        accountId: acme.id,
        seq: 7,
        key: "jane@acme",
        readAt: 7,
      },
    });
    expect(changedIn(plan)).toContainEqual(["email", "jane@acme.example", "j@acme.example"]);
    expect(plan.proposal).toMatchObject({ action: "update" });
    expect(plan.remembered).toEqual(REMEMBERED);
  });

  test("has rights that nobody declares: they are told, and nothing is written", () => {
    const plan = tenant({
      config: { permissions: { "vss.manage_rules": false }, undeclared_rights: "keep" },
    });
    expect(plan.change).toMatchObject({ action: "none", granted: ["vss.manage_targets"] });
    expect(plan.findings.map(({ code }) => code)).toEqual(["TENANCY_RIGHTS_KEPT"]);
    expect(plan.proposal).toBeUndefined();
  });

  test("keeps what its declaration ignores, be it nothing else that is declared", () => {
    const config = { email: "j@acme.example", xref: "hr-7" };
    const plan = user({ config, ignored: [["email"]] });
    expect(changedIn(plan)).toEqual([["xref", null, "hr-7"]]);
    expect(plan.config).toMatchObject({ email: jane.email, xref: "hr-7" });
    expect(user({ config, ignored: [["email"], ["xref"]] }).change.action).toBe("none");
    expect(user({ config, ignored: [[]] }).change.action).toBe("none");
  });

  test("tells which attributes are declared, of a contact its members too", () => {
    const contact = { first_name: "Ada", company: null, address: { city: "Berlin", zip: UNKNOWN } };
    const config = { primary_contact: contact, billing_contact: UNKNOWN, limits_vss_num: null };
    for (const { change } of [tenant({ config }), tenant({ config, account: undefined, users: [] })])
      expect([...change.declared!].sort()).toEqual([
        "billing_contact",
        "name",
        "permissions",
        "primary_contact",
        "primary_contact.address",
        "primary_contact.address.city",
        "primary_contact.address.zip",
        "primary_contact.first_name",
      ]);
  });

  test("under its name with another uuid than the declared one is refused", () => {
    const config = { user_uuid: OTHERS };
    expect(refusal(() => tenant({ config }))).toMatchObject({
      code: "TENANCY_OTHER_UUID",
      attribute: ["user_uuid"],
      summary: `account "acme" is live, and its primary user has another uuid than the declared ${OTHERS}`,
      detail: `The live primary user (id ${admin.id}) has the uuid ${admin.uuid}.`,
      advice: "Correct or remove `userUuid`, or choose another name.",
    });
  });

  test.each(["uuid", "user_uuid"])("is refused where the declared %s is known only after apply", (name) => {
    const whose = name === "uuid" ? "uuid" : "uuid of its primary user";
    const called = name === "uuid" ? "`uuid`" : "`userUuid`";
    expect(refusal(() => tenant({ config: { [name]: UNKNOWN } }))).toMatchObject({
      code: "TENANCY_OTHER_UUID",
      attribute: [name],
      summary: `account "acme" is live, and the declared ${whose} is known only after apply`,
      advice: `Declare ${called} by a value that is known before the apply, or remove it.`,
    });
  });

  test.each<[string, readonly Path[]]>([
    ["by themselves", [["sms"], ["password_wo_version"]]],
    ["with all others", [[]]],
  ])("has no values recorded whose changes are ignored %s", (_how, ignored) => {
    const config = { sms: "+4912345", password_wo: "geheim", password_wo_version: 3 };
    const users = [{ ...jane, sms: "***345" }];
    const all = user({ config, users });
    expect(all.recorded).toEqual([["sms"], ["password_wo_version"]]);
    expect(all.change.notes).toHaveLength(2);
    expect(user({ config, users, ignored })).toMatchObject({ recorded: [], change: { notes: [] } });
  });
});

describe("the live record that a change was planned for", () => {
  const seen = (self: ObjectValue) =>
    observedRecordOf({ records: { self } }, "jane@acme", { readAt: 7 } as never);

  test.each<[string, ObjectValue, unknown]>([
    ["a number", { seq: 7 }, 7],
    ["a number that no double holds", { seq: 9007199254740993n }, 9007199254740993n],
    ["no number", { seq: "7" }, undefined],
    ["nothing", {}, undefined],
  ])("is known again by its sequence number: %s", (_what, record, expected) => {
    expect(seen({ id: jane.id, ...record }).seq).toBe(expected);
  });

  test("is called by its id, or else by its serial number", () => {
    expect(idOfRecords({ self: jane })).toBe(jane.id);
    expect(idOfRecords({ self: { serial: "USR9" } })).toBe("USR9");
    expect(idOfRecords({ self: {} })).toBe("");
    expect(seen({ serial: "USR9" })).toMatchObject({ id: "USR9", uuid: undefined, accountId: undefined });
  });
});

describe("a value that the service masks", () => {
  const masked = { ...jane, sms: { number: "********4567" } };
  const NUMBER = "+14155554567";
  const declared: Given = { users: [masked], config: { sms: NUMBER } };

  test("is neither sent nor noted where a snapshot does not tell what was sent", () => {
    const document = StateDocument.empty(true);
    document.part({ origin: ORIGIN, stack: OWNER, provider: "tenancy" }).objects.objects.set(REMEMBERED.key, {
      uuid: jane.uuid,
      sent: { sms: NOT_IN_SNAPSHOT },
    });
    const part = new StatePart(document, { origin: ORIGIN, stack: OWNER, provider: "tenancy" }, true);
    const notes = ["sms is not known here: only the apply shows whether it changes"];
    expect(user({ ...declared, part })).toMatchObject({
      change: { action: "none", notes },
      recorded: [],
    });
    const leftOut = { ...jane, sms: { number: NOT_IN_SNAPSHOT } };
    expect(user({ ...declared, users: [leftOut] }).change.notes).toEqual(notes);
  });
});
