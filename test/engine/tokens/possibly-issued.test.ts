/** Tokens that an earlier state may hold, and lists that the service refuses, without a whole run: covers src/engine/tokens/possibly-issued.ts. */
import {
  possiblyIssuedKind,
  EntryList,
  tokenKind,
  type PossiblyIssuedToken,
  type TokenEntry,
} from "../../../src/state/entries";
import {
  absentStates,
  possiblyIssuedTokens,
  mayBeIssuedAlready,
  knownElsewhere,
} from "../../../src/engine/tokens/possibly-issued";
import { refusedLists } from "../../../src/engine/diff/unseen";
import type { PlannedObject, EvaluationResult } from "../../../src/engine/planned-object";
import type { ReadTarget } from "../../../src/engine/target";
import { invalidValue } from "../../../src/problems";
import { resources } from "../../../src/resources";
import type { Resource } from "../../../src/resources/family";
import { Snapshot } from "../../../src/service";
import { UNKNOWN, UNKNOWN_TEXT } from "../../../src/lib/values";
import { csiToken } from "../../state/samples";
import { family } from "../../support/virtual-disk";

const ORIGIN = "https://storage.example";
const OTHER = "https://storage.other.example";
const TOKEN = { login: "csi@globex", name: "csi-prod" };
const csi = { id: "user_profile:1:9", serial: "USR9", login: "csi@globex" };
const jane = { serial: "USR8", login: "jane@globex" };
const ann = { id: "user_profile:1:3", login: "ann@globex" };

interface Given {
  readonly provider?: string;
  readonly origin?: string;
  readonly stack?: string;
  readonly exists?: boolean;
  readonly kept?: readonly TokenEntry[];
  readonly noted?: readonly PossiblyIssuedToken[];
  readonly neighbours?: readonly { origin: string; stack: string; logins: ReadonlySet<string> }[];
  readonly users?: readonly object[];
  readonly others?: ReadonlyMap<string, never>;
  readonly username?: string;
}

/** What a run knows of a service, and what the state has for it. */
function targetOf(given: Given = {}): ReadTarget {
  const { kept = [], noted = [], users = [csi, jane], others = new Map<string, never>() } = given;
  const { provider = "tenancy", origin = ORIGIN, stack = "acme-platform", neighbours = [] } = given;
  const tokens = new Map(kept.map((one) => [tokenKind.keyOf(one), one]));
  const notes = new Map(noted.map((one) => [possiblyIssuedKind.keyOf(one), one]));
  return {
    provider,
    origin,
    connection: { username: given.username },
    part: {
      name: { origin, stack, provider },
      exists: given.exists ?? false,
      tokens: new EntryList(tokens, tokenKind, () => undefined),
      possiblyIssued: new EntryList(notes, possiblyIssuedKind, () => undefined),
      neighbours,
    },
    snapshot: new Snapshot({
      accounts: [],
      profiles: users as never,
      others,
      caller: {},
      callerProfile: undefined,
    }),
  } as never;
}

const resourceOf = (type: string): Resource => resources.get(type)!;

interface Declared {
  readonly type?: string;
  readonly key?: string;
  readonly config?: object;
  readonly action?: string;
  readonly after?: object;
}

/** A declared token that the run plans to create, but for what is given. */
function object(target: ReadTarget, given: Declared = {}): PlannedObject {
  const { type = "tenancy_authorization", key = "csi@globex/csi-prod", config = TOKEN } = given;
  const { action = "create", after = { access_token: UNKNOWN } } = given;
  const change = { key, title: key, action, after };
  return { resource: resourceOf(type), target, config, change } as never;
}

const user = (target: ReadTarget, login: string, given: Declared = {}): PlannedObject =>
  object(target, { type: "tenancy_user_profile", key: login, config: { username: "x" }, ...given });

const KEPT = { after: { access_token: "1/kept" } };

test.each<[string, Given, boolean]>([
  ["while the state kept nothing", {}, true],
  ["not where its user is not live", { users: [jane] }, false],
  ["not where the state has the token", { kept: [csiToken] }, false],
  ["not once the state keeps something, and notes no doubt", { exists: true }, false],
  ["where the state notes it", { exists: true, noted: [{ ...TOKEN, user_id: csi.id }] }, true],
  [
    "where the state notes all tokens of its user",
    { exists: true, noted: [{ login: TOKEN.login, name: null, user_id: csi.id }] },
    true,
  ],
  [
    "not where the state notes it of a user who is another one by now",
    { exists: true, noted: [{ ...TOKEN, user_id: "user_profile:1:8" }] },
    false,
  ],
])("a token to be created may exist already %s", (_what, given, expected) => {
  expect(mayBeIssuedAlready(targetOf(given), TOKEN)).toBe(expected);
});

describe("a run that creates tokens without its state", () => {
  test("is refused for each service, with the tokens that may exist", () => {
    const [first, second, empty] = [targetOf(), targetOf({ origin: OTHER }), targetOf({ users: [] })];
    const errors = absentStates(
      [
        object(first),
        object(first, { key: "jane@globex/ci", config: { login: "jane@globex", name: "ci" } }),
        object(first, {
          key: "csi@globex/kept",
          config: { ...TOKEN, name: "kept" },
          action: "update",
          ...KEPT,
        }),
        object(first, { key: "csi@globex/same", config: { ...TOKEN, name: "same" }, action: "none" }),
        user(first, "jane@globex"),
        object(second),
        object(empty),
      ],
      "state.json",
    );
    expect([...errors.keys()]).toEqual([first, second]);
    const [told, other] = [...errors.values()].map((error) =>
      [error.message, error.detail, error.advice].join(),
    );
    expect(told).toContain("csi@globex/csi-prod");
    expect(told).toContain("jane@globex/ci");
    expect(told).toContain("state.json");
    expect(told).not.toContain("kept");
    expect(told).not.toContain("same");
    expect(other).toContain("csi@globex/csi-prod");
    expect(other).not.toContain("jane@globex/ci");
  });

  test("is told of a token for the run's own user", () => {
    const target = targetOf({ username: "csi@globex" });
    expect(absentStates([object(target, { config: { name: "own" } })], "state").size).toBe(1);
    expect(absentStates([object(target, { config: {} })], "state").size).toBe(0);
  });
});

describe("a new state notes", () => {
  const walked = (
    objects: readonly PlannedObject[],
    more: Partial<EvaluationResult> = {},
  ): EvaluationResult => ({ objects, unread: [], offlineObjects: [], ...more }) as never;
  const note = { ...TOKEN, user_id: csi.id };
  const ofAll = [
    { login: "csi@globex", name: null, user_id: csi.id },
    { login: "jane@globex", name: null, user_id: jane.serial },
  ];

  test("the declared tokens of its provider configuration whose users are live", () => {
    const target = targetOf();
    const gone = { key: "eve@globex/ci", config: { login: "eve@globex", name: "ci" } };
    const jim = { key: "jane@globex/jim", config: { login: "jane@globex", name: "jim" } };
    const objects = [
      object(target),
      object(target, gone),
      user(target, "jane@globex"),
      object(targetOf({ provider: "tenancy.other", origin: OTHER }), jim),
      object(targetOf({ provider: "tenancy.cloud" }), jim),
    ];
    expect(possiblyIssuedTokens(target, walked(objects))).toEqual([note]);
  });

  test("a token whose login is known by the planned key alone", () => {
    const target = targetOf();
    const planned = object(target, { config: { login: UNKNOWN, name: "csi-prod" } });
    expect(possiblyIssuedTokens(target, walked([planned]))).toEqual([note]);
  });

  test("a user without id by the serial, and one without either, too", () => {
    const target = targetOf({ users: [{ login: "csi@globex" }, jane] });
    const ci = { key: "jane@globex/ci", config: { login: "jane@globex", name: "ci" } };
    expect(possiblyIssuedTokens(target, walked([object(target), object(target, ci)]))).toEqual([
      { ...TOKEN, user_id: "" },
      { login: "jane@globex", name: "ci", user_id: jane.serial },
    ]);
  });

  test.each<[string, (target: ReadTarget) => EvaluationResult]>([
    ["some blocks were not read", (target) => walked([object(target)], { unread: ["a.b"] as never })],
    [
      "a token is only foreseen",
      (target) =>
        walked([object(target)], {
          offlineObjects: [{ type: "tenancy_account" }, { type: "tenancy_authorization" }] as never,
        }),
    ],
    [
      "a token's user is not known",
      (target) =>
        walked([object(target), object(target, { key: `${UNKNOWN_TEXT}/ci`, config: { name: "ci" } })]),
    ],
    ["a token's name is not known", (target) => walked([object(target), object(target, { config: {} })])],
  ])("every user, where %s", (_what, walk) => {
    const target = targetOf({ users: [csi, jane, { id: "user_profile:1:7" }] });
    expect(possiblyIssuedTokens(target, walk(target))).toEqual(ofAll);
  });

  test("the declared tokens alone, where accounts are foreseen", () => {
    const target = targetOf();
    const foreseen = [{ type: "tenancy_account" }] as never;
    expect(possiblyIssuedTokens(target, walked([object(target)], { offlineObjects: foreseen }))).toEqual([
      note,
    ]);
  });
});

describe("a state that knows a service otherwise", () => {
  const known = (origin: string, stack: string, ...logins: readonly string[]) => ({
    origin,
    stack,
    logins: new Set(logins),
  });
  const found = (targets: readonly ReadTarget[], objects: readonly PlannedObject[] = []) =>
    knownElsewhere({ targets, objects }, "state.json", new Set(["acme-cloud"])).map(
      ({ code, severity, address, summary }) => {
        expect([code, severity]).toEqual(["TENANCY_STATE_ELSEWHERE", "warning"]);
        return [address, summary];
      },
    );

  test("for another stack alone tells that stack, those of the app left out", () => {
    const neighbours = [
      known(ORIGIN, "acme-platfrom"),
      known(ORIGIN, "acme-cloud"),
      known(OTHER, "acme-team"),
    ];
    expect(found([targetOf({ neighbours })])).toEqual([
      [
        "provider.tenancy",
        `the state state.json knows ${ORIGIN} for the stack "acme-platfrom", and not for "acme-platform"`,
      ],
    ]);
    expect(found([targetOf({ neighbours, exists: true })])).toEqual([]);
    expect(found([targetOf({ neighbours: [known(OTHER, "acme-team")] })])).toEqual([]);
  });

  const told = (...logins: readonly string[]) => [
    "provider.tenancy",
    `the state state.json keeps its records of ${logins.join(", ")} for ${OTHER}, and not for ${ORIGIN}`,
  ];
  const there = known(OTHER, "acme-platform", "csi@globex", "jane@globex", "eve@globex");

  test("under another address tells the live users that the run declares, each once", () => {
    const target = targetOf({ neighbours: [there], users: [csi, jane, ann] });
    const objects = [
      user(target, "ann@globex"),
      user(target, "jane@globex"),
      user(target, "eve@globex"),
      user(target, "jim@globex"),
      object(target),
      object(target, { config: { ...TOKEN, name: "more" } }),
    ];
    expect(found([target], objects)).toEqual([told("jane@globex", "csi@globex")]);
    expect(found([target], [user(targetOf(), "jane@globex")])).toEqual([]);
    expect(found([targetOf({ neighbours: [known(OTHER, "other-team", "jane@globex")] })], objects)).toEqual(
      [],
    );
    expect(found([target], [user(target, "jim@globex")])).toEqual([]);
  });

  test("under another address tells only users of tokens to be created, where it knows this one, too", () => {
    const given = { exists: true, neighbours: [there] };
    const target = targetOf(given);
    expect(found([target], [user(target, "jane@globex")])).toEqual([]);
    expect(found([target], [object(target, KEPT), object(target, { config: {} })])).toEqual([]);
    expect(found([target], [object(target)])).toEqual([told("csi@globex")]);
    const keeping = targetOf({ ...given, kept: [csiToken] });
    expect(found([keeping], [object(keeping)])).toEqual([]);
  });

  test("for another stack at another address is somebody else's", () => {
    const target = targetOf({
      exists: true,
      neighbours: [known(OTHER, "acme-team", "csi@globex"), known(ORIGIN, "acme-platform", "csi@globex")],
    });
    expect(found([target], [object(target)])).toEqual([]);
  });
});

describe("a list that the service refuses", () => {
  const registry = resources as Map<string, Resource>;
  beforeAll(() => void registry.set("tenancy_virtual_disk", family.resource));
  afterAll(() => void registry.delete("tenancy_virtual_disk"));

  test("is told; the others are not", () => {
    const others = new Map([["virtual_disk", invalidValue.error("the list is refused") as never]]);
    const found = refusedLists(targetOf({ others }));
    expect(found).toMatchObject([{ code: "TENANCY_LIST_REFUSED", address: "provider.tenancy" }]);
    expect(found[0]?.summary).toContain("virtual disk");
    expect(refusedLists(targetOf())).toEqual([]);
  });
});
