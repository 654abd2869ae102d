/** What `--only` and `--exclude` take and leave out of a stack, without a run: covers src/engine/load/selection.ts. */
import {
  byAddress,
  EVERYTHING,
  refuseUnmatchedNames,
  refuseUnknownInstances,
  type Selection,
  selectionOf,
} from "../../../src/engine/load/selection";
import type { OfflineObject } from "../../../src/engine/planned-object";
import { readStack, type Stack } from "../../../src/stack";
import { UNKNOWN, UNKNOWN_TEXT, type ObjectValue, type Value } from "../../../src/lib/values";
import { OPTIONS } from "../../stack/synthesized";
import { findings } from "../../support/projects";

/** A stack with the account `acme`, the accounts `region` of two keys, and what is given of users and other things. */
function stackOf(users: ObjectValue = {}, more: ObjectValue = {}, tokens: ObjectValue = {}): Stack {
  const resource = {
    tenancy_account: {
      acme: { name: "acme", permissions: {} },
      region: { for_each: '${toset(["eu", "us"])}', name: "${each.key}", permissions: {} },
    },
    tenancy_user_profile: users,
    tenancy_authorization: tokens,
  };
  const provider = { tenancy: [{ owner: "acme-platform" }] };
  const required_providers = { tenancy: { source: "tenancy/tenancy" } };
  return readStack({ terraform: { required_providers }, provider, resource, ...more }, OPTIONS);
}

const user = (accountId: string, more: ObjectValue = {}): ObjectValue => ({
  username: "x",
  account_id: accountId,
  permissions: {},
  ...more,
});

/** A variable whose value is not the id of an account. */
const checkedBy = (region: string): ObjectValue => ({
  default: "x",
  validation: [
    { condition: `\${tenancy_account.region["${region}"].id != var.${region}}`, error_message: "no" },
  ],
});

/** Which blocks of the stack are left, without the word of our provider. */
const blocksOf = (stack: Stack, { hasBlock }: Selection) =>
  stack.blocks
    .filter(({ kind, address }) => kind !== "provider" && hasBlock(address))
    .map(({ address }) => address.replace("tenancy_", ""))
    .sort();

const EU = 'tenancy_account.region["eu"]';
const US = 'tenancy_account.region["us"]';

test("without a word of what to take, everything is", () => {
  const selection = selectionOf(stackOf(), {});
  expect(selection).toBe(EVERYTHING);
  expect([selection.hasBlock("any"), selection.hasObject("any"), selection.isPartial]).toEqual([
    true,
    true,
    false,
  ]);
});

describe("--exclude of an instance leaves out", () => {
  const excluded = (stack: Stack, ...exclude: readonly string[]) => selectionOf(stack, { exclude });

  test("locals, outputs and their users that refer to its key, and none that refer to another one", () => {
    const stack = stackOf(
      { eu: user("${local.eu}"), us: user("${local.us}") },
      {
        locals: { eu: '${tenancy_account.region["eu"].id}', us: '${tenancy_account.region["us"].id}' },
        variable: {
          eu: checkedBy("eu"),
          us: checkedBy("us"),
        },
        output: {
          eu: { value: '${tenancy_account.region["eu"].id}' },
          us: { value: '${tenancy_account.region["us"].id}' },
          checked: {
            value: "x",
            precondition: { condition: '${tenancy_account.region["eu"].id != ""}', error_message: "no" },
          },
        },
      },
    );
    const left = blocksOf(stack, excluded(stack, EU));
    expect(left).toEqual([
      "account.acme",
      "account.region",
      "local.us",
      "output.us",
      "user_profile.us",
      "var.us",
    ]);
    expect(blocksOf(stack, excluded(stack, EU, US))).toEqual(["account.acme", "account.region"]);
  });

  test("a provider that needs it, with what is made through that", () => {
    const stack = stackOf(
      { there: user("account:1:1", { provider: "tenancy.second" }), here: user("account:1:1") },
      {
        provider: {
          tenancy: [
            { owner: "acme-platform" },
            { alias: "second", owner: '${tenancy_account.region["eu"].id}' },
          ],
        },
      },
    );
    expect(blocksOf(stack, excluded(stack, EU))).not.toContain("user_profile.there");
    expect(blocksOf(stack, excluded(stack, US))).toContain("user_profile.there");
    expect(blocksOf(stack, excluded(stack, EU))).toContain("user_profile.here");
  });

  test("the instance of its key and what refers to that, by two references at once, too", () => {
    const each = "${tenancy_account.region[each.key].id}";
    const stack = stackOf({
      each: user(each, { for_each: "${tenancy_account.region}" }),
      same: user(each, { for_each: '${toset(["eu", "us"])}' }),
      counted: user('${tenancy_account.region["us"].id}', { count: 2 }),
      first: user("${tenancy_user_profile.counted[0].account_id}"),
      second: user("${tenancy_user_profile.counted[1].account_id}"),
      next: user('${tenancy_user_profile.same["us"].account_id}'),
      both: user('${tenancy_account.region["eu"].id}${tenancy_account.region["us"].id}'),
      named: user("account:1:1", { depends_on: ["tenancy_account.region"] }),
    });
    const { hasObject, hasBlock } = excluded(stack, EU, "tenancy_user_profile.counted[0]");
    expect(hasObject('tenancy_user_profile.same["eu"]')).toBe(false);
    expect(hasObject('tenancy_user_profile.same["us"]')).toBe(true);
    const gone = ["each", "first", "both", "named"].map((name) => hasBlock(`tenancy_user_profile.${name}`));
    expect(gone).toEqual([false, false, false, false]);
    expect(hasBlock("tenancy_user_profile.next")).toBe(true);
    expect(hasBlock("tenancy_user_profile.second")).toBe(true);
    const both = excluded(stack, EU, US, 'tenancy_user_profile.same["eu"]');
    expect(both.hasObject('tenancy_user_profile.same["us"]')).toBe(false);
    expect(hasObject("tenancy_user_profile.counted[0]")).toBe(false);
    expect(hasObject("tenancy_user_profile.counted[1]")).toBe(true);
    expect(blocksOf(stack, excluded(stack, "tenancy_account.region"))).toEqual(["account.acme"]);
  });

  test("with the account, the token of a login in it, whatever was declared first", () => {
    const tokens = {
      token: { login: "csi@acme", name: "prod" },
      after: { login: "${tenancy_authorization.token.login}", name: "x" },
    };
    const stack = stackOf({ csi: user("${tenancy_account.acme.id}") }, {}, tokens);
    const tokenUsers = [["tenancy_authorization.token", "tenancy_user_profile.csi"]] as const;
    const selection = selectionOf(stack, { exclude: ["tenancy_account.acme"], tokenUsers });
    expect(blocksOf(stack, selection)).toEqual(["account.region"]);
  });
});

describe("in a destroy, --exclude keeps", () => {
  const kept = (stack: Stack, ...exclude: readonly string[]) =>
    selectionOf(stack, { exclude, destroy: true });

  test("the account of what stays, and all instances where a reference does not tell which", () => {
    const stack = stackOf({
      jane: user("${tenancy_account.acme.id}"),
      eu: user('${tenancy_account.region["eu"].id}'),
      any: user("${values(tenancy_account.region)[0].id}"),
      same: user("${tenancy_account.region[each.key].id}", { for_each: '${toset(["eu", "us"])}' }),
    });
    const jane = kept(stack, "tenancy_user_profile.jane");
    expect(blocksOf(stack, jane)).toEqual([
      "account.region",
      "user_profile.any",
      "user_profile.eu",
      "user_profile.same",
    ]);
    const eu = kept(stack, "tenancy_user_profile.eu");
    expect([eu.hasObject(EU), eu.hasObject(US)]).toEqual([false, true]);
    const same = kept(stack, 'tenancy_user_profile.same["us"]');
    expect([same.hasObject(EU), same.hasObject(US)]).toEqual([true, false]);
    const any = kept(stack, "tenancy_user_profile.any");
    expect([any.hasObject(EU), any.hasObject(US)]).toEqual([false, false]);
  });
});

describe("the address of an instance that there is not", () => {
  const stack = stackOf({}, { data: { tenancy_account: { there: { count: 1, name: "x" } } } });
  const refuse = (request: object, instances = [EU, US]) => refuseUnknownInstances(stack, request, instances);

  test("is refused where a resource has others", async () => {
    const [found] = await findings(
      Promise.resolve().then(() => refuse({ only: ['tenancy_account.region["uk"]'] })),
    );
    expect(found).toMatchObject({ code: "TENANCY_UNKNOWN_NAME" });
  });

  test("is no error of what is no resource, or is undeclared, or is a whole block", () => {
    refuse({ only: ["data.tenancy_account.there[0]", 'tenancy_account.undeclared["x"]', EU] });
    refuse({ exclude: ["tenancy_account.region"] }, []);
  });
});

describe("names in place of addresses", () => {
  const object = (address: string, key: string, config: ObjectValue = {}): OfflineObject => ({
    type: address.split(".")[0] ?? "",
    provider: "tenancy",
    address,
    key,
    config,
    titleOf: (title) => title,
  });
  const token = (address: string, key: string, name: Value = "prod") =>
    object(`tenancy_authorization.${address}`, key, { name });
  const acme = object("tenancy_account.acme", "acme");
  const csi = object("tenancy_user_profile.csi", "csi@acme");
  const authorization = { login: "csi@acme", name: "prod" };

  /** What comes of a request, and how often the objects were asked for. */
  async function named(stack: Stack, request: object, objects: readonly OfflineObject[] = [acme]) {
    let asked = 0;
    const answer = await byAddress(stack, request, () => {
      asked++;
      return Promise.resolve(objects);
    });
    return { ...answer, presumed: Object.fromEntries(answer.presumed), asked };
  }

  test("are not looked for among addresses, or where nothing is named, as long as there is no token", async () => {
    const addresses = { only: ["tenancy_account.acme", EU], exclude: ['tenancy_account.undeclared["x"]'] };
    expect(await named(stackOf(), addresses)).toEqual({
      ...addresses,
      presumed: {},
      tokenUsers: [],
      asked: 0,
    });
    const withToken = stackOf({}, {}, { token: authorization });
    expect((await named(withToken, {})).asked).toBe(0);
    expect((await named(withToken, addresses)).asked).toBe(1);
    const mixed = await named(stackOf(), { only: ["tenancy_account.region", "acme"] });
    expect([mixed.only, mixed.asked]).toEqual([["tenancy_account.region", "tenancy_account.acme"], 1]);
  });

  test("that nothing has that is declared are presumed to be undeclared, of the kind that they look like", async () => {
    const names = ["globex", "jane@globex", "jane@globex/ci", "acme"];
    const { only, presumed } = await named(stackOf(), { only: names, exclude: ["globex"] });
    const expected = [
      'tenancy_account.undeclared["globex"]',
      'tenancy_user_profile.undeclared["jane@globex"]',
      'tenancy_authorization.undeclared["jane@globex/ci"]',
    ];
    expect(only).toEqual([...expected, "tenancy_account.acme"]);
    expect(presumed).toEqual(Object.fromEntries(expected.map((address, index) => [names[index], address])));
    const address = 'tenancy_account.undeclared["globex"]';
    expect(await named(stackOf(), { only: [address, "acme"] })).toMatchObject({
      only: [address, acme.address],
    });
    expect(await named(stackOf(), { only: [EU, "acme"] })).toMatchObject({
      only: [EU, acme.address],
      presumed: {},
    });
  });

  test("lead from each token to the user of its login, if that is known", async () => {
    const stack = stackOf({ csi: user("${tenancy_account.acme.id}") }, {}, { token: authorization });
    const objects = [
      acme,
      csi,
      object("tenancy_user_profile.later", UNKNOWN_TEXT),
      token("token", "csi@acme/prod"),
      token("owner", "acme/prod"),
      token("other", "jane@acme/prod"),
      token("later", `${UNKNOWN_TEXT}/prod`),
      token("unnamed", "csi@acme/prod", UNKNOWN),
      // Looks like the token of a token, and is none.
      token("odd", "csi@acme/prod/prod"),
    ];
    const { tokenUsers } = await named(stack, { only: ["csi@acme"] }, objects);
    expect(tokenUsers).toEqual([
      ["tenancy_authorization.token", "tenancy_user_profile.csi"],
      ["tenancy_authorization.owner", "tenancy_account.acme"],
    ]);
  });

  test("lead from a token to the user of its own provider; to that of another one, where it has none", async () => {
    const second = { provider: "tenancy.second" };
    const stack = stackOf(
      { csi: user("x"), there: user("x", second), jane: user("x") },
      { provider: { tenancy: [{ owner: "a" }, { alias: "second", owner: "b" }] } },
      { token: authorization, far: { ...authorization, ...second }, lone: { ...authorization, ...second } },
    );
    const objects = [
      csi,
      object("tenancy_user_profile.there", "csi@acme"),
      object("tenancy_user_profile.jane", "jane@acme"),
      token("token", "csi@acme/prod"),
      token("far", "csi@acme/prod"),
      token("lone", "jane@acme/prod"),
    ];
    const { tokenUsers } = await named(stack, { only: ["csi@acme"] }, objects);
    expect(tokenUsers).toEqual([
      ["tenancy_authorization.token", "tenancy_user_profile.csi"],
      ["tenancy_authorization.far", "tenancy_user_profile.there"],
      ["tenancy_authorization.lone", "tenancy_user_profile.jane"],
    ]);
  });

  test("that a plan does not delete either are refused, and only those", async () => {
    const presumed = new Map([
      ["bob@acme", 'tenancy_user_profile.undeclared["bob@acme"]'],
      ["jnae@acme", 'tenancy_user_profile.undeclared["jnae@acme"]'],
    ]);
    const changes = [{ address: 'tenancy_user_profile.undeclared["bob@acme"]' }];
    const declared = [{ change: { key: "jane@acme" } }] as never;
    const refuse = () => refuseUnmatchedNames(presumed, { changes } as never, declared);
    expect(await findings(Promise.resolve().then(refuse))).toMatchObject([
      { code: "TENANCY_UNKNOWN_NAME", advice: "Did you mean jane@acme?" },
    ]);
  });
});
