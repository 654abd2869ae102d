/** What is remembered of an object, and what an apply leaves of it: covers src/plan/remembered.ts and applied-values.ts. */
import {
  absentPaths,
  declarationOf,
  hiddenPaths,
  leavesWithin,
  appliedValuesAfter,
  appliedValues,
  type Memory,
  remember,
  unseenPaths,
} from "../../src/plan";
import { canonical, leavesOf } from "../../src/plan/applied-values";
import { account } from "../../src/resources/account/description";
import { userProfile } from "../../src/resources/user-profile/description";
import type { Records } from "../../src/schema";
import { formatPath, NOT_IN_SNAPSHOT, type ObjectValue, type Path, UNKNOWN } from "../../src/lib/values";

const UUID = "13e1ec49-e2ce-5fd8-8c07-aebe705cf700";

const ACCOUNT: Records = {
  self: {
    name: "globex",
    uuid: UUID,
    primary_contact: { first_name: "Jo", address: { city: "Berlin" }, phone: { number: "********3456" } },
    billing_contact: null,
    serial: "ACT7",
    limits: { vss_num: 10, size_reserve_total: null },
    provisioning: { tags_include: ["ssd", "nvme"] },
  },
  primary: { level: 3, permissions: { vss: { rights: { manage_rules: true, remove_vss: false } } } },
};

const names = (paths: readonly Path[]) => paths.map(formatPath);

describe("of an object that is live, the prior state", () => {
  type Digest = ReturnType<Memory["digest"]>;
  interface Known {
    readonly digest?: Digest;
    readonly version?: number | null;
    readonly resetPasswords?: boolean;
    readonly sendUnseen?: boolean;
    readonly isOnlyRecorded?: boolean;
    readonly records?: Records;
  }

  function priorOf(config: ObjectValue, known: Known = {}) {
    const { digest = "none", version, isOnlyRecorded = false, records = ACCOUNT, ...send } = known;
    const memory: Memory = {
      digest: () => digest,
      version: () => version,
      isOnlyRecorded: () => isOnlyRecorded,
    };
    const { prior, sentOnce, recorded, lacking } = remember(account.attributes, config, records, memory, {
      resetPasswords: false,
      ...send,
    });
    return { prior, sentOnce: names(sentOnce), recorded: names(recorded), lacking: names(lacking) };
  }

  const PHONE = { primary_contact: { first_name: "Jo", phone: "+4930123456", company: "Globex" } };

  test("has what the service hides as it is declared, unless another value is known to have been sent", () => {
    const known = priorOf(PHONE, { digest: "same" });
    expect(known.prior["primary_contact"]).toMatchObject({
      first_name: null,
      phone: "+4930123456",
      company: "Globex",
    });
    expect(known).toMatchObject({ sentOnce: [], recorded: [], lacking: [] });
    const differs = priorOf(PHONE, { digest: "different" });
    expect(differs.prior["primary_contact"]).toMatchObject({ phone: null, company: null });
    expect(differs).toMatchObject({ sentOnce: [], recorded: [], lacking: [] });
  });

  test("lacks what the service hides and nothing is remembered of, so that it is sent once", () => {
    const hidden = ["primary_contact.company", "primary_contact.phone"];
    const sent = priorOf(PHONE);
    expect(sent.prior["primary_contact"]).toMatchObject({ phone: null, company: null });
    expect(sent).toMatchObject({ sentOnce: hidden, recorded: [], lacking: [] });
    expect(priorOf(PHONE, { digest: "hidden" })).toMatchObject({
      sentOnce: [],
      recorded: [],
      lacking: hidden,
    });
  });

  test("has nothing of a group that is not there, or that is known only after apply", () => {
    const { prior, recorded } = priorOf({ billing_contact: { phone: "1" }, primary_contact: UNKNOWN });
    expect(prior).toMatchObject({ billing_contact: null, primary_contact: null });
    expect(recorded).toEqual([]);
  });

  test("takes a group that the answer leaves out for hidden", () => {
    const records = { self: { name: "globex" } };
    const { prior, sentOnce } = priorOf({ billing_contact: { phone: "1" } }, { records });
    expect(prior).toMatchObject({ billing_contact: { phone: null } });
    expect(sentOnce).toEqual(["billing_contact.phone"]);
  });

  test("has the values of a record that the caller does not see as they are declared, until they are to be sent", () => {
    const records = { self: ACCOUNT.self };
    const config = { permissions: {}, level: 4 };
    const unseen = priorOf(config, { records });
    expect(unseen.prior).toMatchObject(config);
    expect(unseen).toMatchObject({ sentOnce: [], recorded: ["permissions", "level"] });
    const sent = priorOf(config, { records, sendUnseen: true });
    expect(sent.prior).toMatchObject({ permissions: null, level: null });
    expect(sent).toMatchObject({ sentOnce: ["permissions", "level"], recorded: [] });
    const recorded = { records, digest: "same", isOnlyRecorded: true } as const;
    expect(priorOf(config, { ...recorded, sendUnseen: true })).toMatchObject(sent);
    expect(priorOf(config, { ...recorded, records: ACCOUNT })).toMatchObject({ sentOnce: [] });
    expect(priorOf(config, { ...recorded, isOnlyRecorded: false, sendUnseen: true }).prior).toMatchObject(
      config,
    );
  });

  test("has what no PATCH carries as it is declared, although the service does not show it", () => {
    const records = { self: { name: "globex" } };
    const config = { uuid: "5a8dd3ad-0756-5d8b-a6b4-1bd1e3a1f700" };
    const { prior, ...found } = priorOf(config, { records, sendUnseen: true });
    expect(prior).toMatchObject(config);
    expect(found).toMatchObject({ sentOnce: [], recorded: ["uuid"] });
  });

  test("has nothing of a hidden value that is known only after apply, in whole or in part", () => {
    const records = { self: { name: "globex" } };
    const config = { limits_vss_num: UNKNOWN, provisioning_tags_include: ["ssd", UNKNOWN] };
    const { prior, recorded } = priorOf(config, { records });
    expect(prior).toMatchObject({ limits_vss_num: null, provisioning_tags_include: null });
    expect(recorded).toEqual([]);
  });

  test("has what only the client knows as it is declared, or else its default", () => {
    const flags = ({ prior }: ReturnType<typeof priorOf>) => [
      prior["deletion_protection"],
      prior["allow_nonempty_delete"],
      prior["unset"],
    ];
    expect(flags(priorOf({}))).toEqual([true, false, null]);
    expect(flags(priorOf({ deletion_protection: false, unset: ["*"] }))).toEqual([false, false, ["*"]]);
    expect(flags(priorOf({ deletion_protection: UNKNOWN }))).toEqual([null, false, null]);
  });

  test("has declared rights as they are declared, and no secret", () => {
    const permissions = { "vss.manage_rules": true, "vss.remove_vss": true };
    expect(priorOf({ permissions, password_wo: "secret" })).toMatchObject({
      prior: { permissions, password_wo: null },
      recorded: [],
    });
    expect(priorOf({ permissions: UNKNOWN }).prior["permissions"]).toBeNull();
  });

  test("has the version of a secret that is remembered, or else the declared one, which is noted", () => {
    const version = (config: ObjectValue, known?: Known) => {
      const { prior, recorded } = priorOf(config, known);
      return [prior["password_wo_version"], ...recorded];
    };
    const second = { password_wo_version: 2 };
    expect(version(second, { version: 1 })).toEqual([1]);
    expect(version(second, { version: null })).toEqual([null]);
    expect(version(second)).toEqual([2, "password_wo_version"]);
    expect(version({})).toEqual([null]);
    expect(version(second, { resetPasswords: true })).toEqual([null]);
    expect(version(second, { resetPasswords: true, version: 2 })).toEqual([2]);
    expect(version(second, { resetPasswords: true, version: 2, isOnlyRecorded: true })).toEqual([null]);
    expect(version(second, { version: 2, isOnlyRecorded: true })).toEqual([2]);
    expect(version({ password_wo_version: UNKNOWN })).toEqual([null]);
  });

  test("lacks what a snapshot has left out, and tells which of it is declared", () => {
    const self = { name: "globex", primary_contact: NOT_IN_SNAPSHOT, limits: { vss_num: NOT_IN_SNAPSHOT } };
    const { prior, recorded, lacking } = priorOf(
      { primary_contact: { phone: "1", address: { city: "Berlin" } } },
      { records: { self } },
    );
    expect(prior["limits_vss_num"]).toBe(NOT_IN_SNAPSHOT);
    expect(prior["primary_contact"]).toMatchObject({
      company: NOT_IN_SNAPSHOT,
      phone: NOT_IN_SNAPSHOT,
      address: { city: NOT_IN_SNAPSHOT },
    });
    expect(lacking).toEqual(["primary_contact.address.city", "primary_contact.phone"]);
    expect(recorded).toEqual([]);
  });
});

describe("to be remembered is", () => {
  test("what is declared, and hidden by the answer", () => {
    const config = {
      name: "globex",
      primary_contact: { first_name: "Jo", company: "Globex", phone: "+4930123456" },
      billing_contact: { company: "Globex" },
      limits_vss_num: 10,
      level: 3,
      password_wo: "secret",
      deletion_protection: false,
    };
    expect(names(hiddenPaths(account.attributes, config, ACCOUNT))).toEqual([
      "primary_contact.company",
      "primary_contact.phone",
    ]);
    // An answer without the group, and no primary user profile.
    expect(names(hiddenPaths(account.attributes, config, { self: { name: "globex" } }))).toEqual([
      "primary_contact.first_name",
      "primary_contact.company",
      "primary_contact.phone",
      "billing_contact.company",
      "limits_vss_num",
      "level",
    ]);
  });

  test("no number or address that is shown in full, and no other text that looks like a mask", () => {
    const contact = { company: "********", email: "jo@globex.example" };
    const self = { name: "globex", primary_contact: contact };
    expect(hiddenPaths(account.attributes, { primary_contact: contact }, { self })).toEqual([]);
  });

  test("that nothing was ever sent of what is neither declared nor shown", () => {
    const self = { name: "jane", email: null, sms: { number: "********4567" } };
    const config = { username: "jane", email_notify: true };
    const absent = names(absentPaths(userProfile.attributes, config, { self }));
    expect(absent).toContain("level");
    expect(absent).toContain("xref");
    for (const known of ["username", "email", "email_notify", "sms", "login", "password_wo", "unset"])
      expect(absent).not.toContain(known);
  });

  test("the same of members of contacts, and of no record that is not known", () => {
    const config = { primary_contact: { company: "Globex", first_name: null } };
    const self = { ...ACCOUNT.self, primary_contact: { last_name: "" } };
    const absent = names(absentPaths(account.attributes, config, { self }));
    expect(absent).toContain("primary_contact.first_name");
    expect(absent).toContain("primary_contact.address.city");
    expect(absent).toContain("billing_contact.company");
    for (const known of ["primary_contact.company", "primary_contact.last_name", "level"])
      expect(absent).not.toContain(known);
    expect(names(absentPaths(account.attributes, {}, { self, primary: {} }))).toContain("level");
  });
});

describe("what an apply leaves", () => {
  const { paths, flags } = leavesOf(account.attributes).layout;
  const shown = ({ values }: { values: readonly unknown[] }) =>
    Object.fromEntries(
      paths.flatMap((path, index) => (values[index] === undefined ? [] : [[path, values[index]]])),
    );

  test("is what the service shows, in one form", () => {
    const left = appliedValues(account.attributes, {
      ...ACCOUNT,
      self: { ...ACCOUNT.self, uuid: UUID.toUpperCase() },
    });
    expect(shown(left)).toMatchObject({
      uuid: UUID,
      "primary_contact.first_name": "Jo",
      "primary_contact.address.city": "Berlin",
      "billing_contact.company": null,
      "billing_contact.address.city": null,
      limits_vss_num: 10,
      provisioning_tags_include: ["nvme", "ssd"],
      level: 3,
    });
    for (const path of ["primary_contact.company", "access_web", "provisioning_tags_permit"])
      expect(shown(left)).not.toHaveProperty([path]);
    for (const path of ["password_wo", "deletion_protection", "unset"]) expect(paths).not.toContain(path);
    expect(flags.filter(left.isSet)).toEqual(["permissions.vss.manage_rules"]);
    expect(shown(appliedValues(account.attributes, { self: ACCOUNT.self }))).not.toHaveProperty("level");
    expect(shown(appliedValues(account.attributes, { self: { name: "globex" } }))).toEqual({
      name: "globex",
    });
  });

  test("is as it was where the answer of a write shows nothing, and the write did not change it", () => {
    const answer: Records = { self: { name: "globex", serial: "ACT8", limits: { vss_num: 20 } } };
    const written = [["limits_vss_num"], ["primary_contact", "phone"], ["billing_contact"]];
    const left = appliedValuesAfter(account.attributes, answer, ACCOUNT, written);
    expect(shown(left)).toMatchObject({
      serial: "ACT8",
      limits_vss_num: 20,
      limits_size_reserve_total: null,
      "primary_contact.first_name": "Jo",
      level: 3,
    });
    for (const path of ["primary_contact.phone", "billing_contact.company"])
      expect(shown(left)).not.toHaveProperty([path]);
    expect(flags.filter(left.isSet)).toEqual(["permissions.vss.manage_rules"]);
    const withRights = appliedValuesAfter(account.attributes, answer, ACCOUNT, [...written, ["permissions"]]);
    expect(flags.filter(withRights.isSet)).toEqual([]);
  });

  test("is the same for the same set, rights and uuid", () => {
    const { attributes } = account;
    expect(canonical(attributes["provisioning_tags_include"]!, ["b", "a", "c"])).toEqual(["a", "b", "c"]);
    expect(canonical(attributes["permissions"]!, { "b.b": true, "c.c": false, "a.a": true })).toEqual([
      "a.a",
      "b.b",
    ]);
    expect(canonical(attributes["vss_scope"]!, ["vss:1:2", "vss:1:1"])).toEqual(["vss:1:1", "vss:1:2"]);
    expect(canonical(attributes["uuid"]!, null)).toBeNull();
    expect(canonical(attributes["name"]!, "Globex")).toBe("Globex");
    const address = leavesOf(attributes).list.find(({ name }) => name === "primary_contact.address.addr");
    expect(canonical(address!.attribute, ["b", "a"])).toEqual(["b", "a"]);
  });

  test("is not to be seen where the service masks what was written, or shows nothing of it", () => {
    const unseen = (...written: Path[]) => names(unseenPaths(account.attributes, ACCOUNT, written));
    expect(unseen()).toEqual([]);
    expect(unseen(["name"], ["limits_vss_num"], ["limits_size_reserve_total"])).toEqual([]);
    expect(unseen(["primary_contact", "phone"])).toEqual(["primary_contact.phone"]);
    expect(unseen(["name"], ["primary_contact", "company"])).toEqual(["primary_contact.company"]);
    expect(unseen(["primary_contact", "first_name"])).toEqual([]);
    expect(unseen(["access_web"])).toEqual(["access_web"]);
    expect(unseen(["billing_contact"])).toEqual(paths.filter((path) => path.startsWith("billing_contact.")));
    // Rights are written one by one, and stand in one value.
    const self = { self: ACCOUNT.self, primary: {} };
    const rights = unseenPaths(account.attributes, self, [["permissions", "vss.manage_rules"]]);
    expect(names(rights)).toEqual(["permissions"]);
  });

  test("within some paths is every value that stands in one of them", () => {
    const within = (...some: Path[]) => names(leavesWithin(account.attributes, some));
    expect(within()).toEqual([]);
    expect(within(["name"], ["primary_contact", "address"])).toEqual([
      "name",
      ...paths.filter((path) => path.startsWith("primary_contact.address.")),
    ]);
  });
});

describe("the declaration that is remembered", () => {
  const declared = (config: ObjectValue, ignored?: readonly Path[]) =>
    declarationOf(account.attributes, config, ignored);
  const CONFIG = {
    name: "globex",
    uuid: UUID.toUpperCase(),
    level: null,
    provisioning_tags_include: ["ssd", "nvme"],
    password_wo: "secret",
    deletion_protection: false,
  };

  test("holds all that has a value, in one form, but no secret", () => {
    expect(declared(CONFIG)).toEqual({
      name: "globex",
      uuid: UUID,
      provisioning_tags_include: ["nvme", "ssd"],
      deletion_protection: false,
    });
  });

  test("leaves out what is ignored", () => {
    const paths = [["uuid"], ["provisioning_tags_include", 0]];
    expect(declared(CONFIG, paths)).toEqual({ name: "globex", deletion_protection: false });
    expect(declared(CONFIG, [["uuid"], []])).toEqual({});
  });

  test("is not known while a part of it is known only after apply, unless that part is ignored", () => {
    expect(declared({ name: "globex", level: UNKNOWN })).toBeUndefined();
    expect(declared({ name: "globex", primary_contact: { phone: UNKNOWN } })).toBeUndefined();
    expect(declared({ name: "globex", level: UNKNOWN }, [["level"]])).toEqual({ name: "globex" });
  });
});
