/** Notes on an object that the provider keeps in its private state. */
import { type Notes, notesOf, privateStateOf } from "../../src/provider/private-state";
import { parseJson, stringifyJson, type ObjectValue } from "../../src/lib/values";
import { alteredService } from "../support/altered-service";
import { asSystem, call, configured } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

test("notes come back from private state as they went in, digit by digit", () => {
  const notes: Notes = {
    seq: 9007199254740993n,
    partSeq: 7,
    isImported: true,
    notedAt: new Date("2025-01-02T03:04:05.678Z"),
    declaredPaths: ["email", "primary_contact.phone"],
    declaredRights: ["vss.manage_targets"],
    grantedRights: [],
    isPasswordSet: false,
    hasPasswordAppeared: true,
    replacedObject: { id: "account:1:2", deletion_protection: false },
  };
  const stored = parseJson(stringifyJson(privateStateOf(notes))) as ObjectValue;
  expect(notesOf(stored)).toEqual(notes);
});

test("private state without notes, or with somebody else's values, gives no notes", () => {
  expect(privateStateOf({})).toStrictEqual({});
  expect(privateStateOf({ isImported: false })).toStrictEqual({});
  expect(
    notesOf({ seq: "7", part_seq: null, imported: "yes", noted_at: "yesterday", replaced_object: [] }),
  ).toEqual({});
  expect(notesOf({ noted_at: 2025, declared: "email", rights: ["a", 7], granted: [7] })).toEqual({});
});

describe("the notes of a write", () => {
  async function written(type: "account" | "user" | "token", config: ObjectValue) {
    const { simulator } = await start();
    simulator.records.createAccount({ name: "acme" });
    const provider = await configured(simulator, asSystem(simulator));
    const { planned } =
      (await provider[type].plan?.({ prior: null, config, private: {} } as never, call)) ?? {};
    return (await provider[type].create({ planned, config, private: {} } as never, call)).private;
  }

  test("name what is declared, with the members of contacts, and the rights that are named and granted", async () => {
    const permissions = { "vss.manage_targets": true, "vss.format_disks": false };
    const config = {
      ...{ name: "globex", permissions, deletion_protection: false, template: "small" },
      primary_contact: { company: "Globex", email: null, address: { city: "Springfield" } },
      limits_vss_num: null,
    };
    const notes = await written("account", config);
    expect(notes).toMatchObject({
      declared: [
        ...["primary_contact", "primary_contact.company", "primary_contact.address"],
        ...["primary_contact.address.city", "permissions", "deletion_protection"],
      ],
      granted: ["vss.manage_targets"],
    });
    expect((notes?.["rights"] as string[]).toSorted()).toEqual(["vss.format_disks", "vss.manage_targets"]);
  });

  test("name no rights where permissions are not declared, but those that the service grants", async () => {
    const notes = await written("user", { username: "jane", account_id: "account:1:1" });
    expect(notes).toMatchObject({ rights: [] });
    expect(notes?.["granted"]).toContain("vss.format_disks");
  });

  test("know nothing of rights where the object has none", async () => {
    const notes = await written("token", { login: "system", name: "prod", login_with: "password" });
    expect(Object.keys(notes ?? {})).toEqual(["declared"]);
  });
});

describe("a refresh of permissions", () => {
  const permissions = { "vss.manage_targets": true, "user.manage_users": true };
  const rights = ["vss.manage_targets", "vss.format_disks"];

  test.each([
    ["live", { "vss.manage_targets": true, "vss.format_disks": false }, { private: { rights } }],
    ["live, as far as the state names them", { ...permissions, "user.manage_users": false }, { private: {} }],
    [
      "in the state, where no answer shows any",
      { "vss.manage_targets": true, "vss.format_disks": false },
      { private: { rights }, isHidden: true },
    ],
    ["unknown as before, where the state has none", null, { private: { rights }, isHidden: true, had: null }],
  ])("shows the rights that the last apply named as they are %s", async (_how, shown, given) => {
    const {
      private: notes,
      isHidden = false,
      had = permissions,
    } = given as {
      readonly private: object;
      readonly isHidden?: boolean;
      readonly had?: object | null;
    };
    const { simulator } = await start();
    const { id: account_id } = simulator.records.createAccount({ name: "acme" });
    const baseUrl = await alteredService(simulator.baseUrl, ({ method, path }, { status, body }) =>
      isHidden && method === "GET" && path.includes("/user-profile")
        ? { status, body: parseJson(stringifyJson(body).replaceAll('"permissions"', '"hidden"')) }
        : { status, body },
    );
    const { user } = await configured({ baseUrl }, asSystem(simulator));
    const config = { username: "csi", account_id, permissions: { "vss.manage_targets": true } };
    const { planned } = (await user.plan?.({ prior: null, config, private: {} } as never, call)) ?? {};
    const made = await user.create({ planned, config, private: {} } as never, call);
    const state = { ...made.state, permissions: had };
    const found = await user.read({ state, private: notes } as never, call);
    expect(found.state?.["permissions"]).toEqual(shown);
  });
});
