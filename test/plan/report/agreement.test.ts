/** The matrix, who-can and user questions are one evaluation: covers src/plan/report. */
import fc from "fast-check";
import type { AccountRecord, ProfileRecord } from "../../../src/api";
import {
  answerQuestion,
  changesSince,
  readReport,
  type Report,
  REPORT_FORMAT,
  REPORT_VERSION,
  reportedService,
} from "../../../src/plan";
import { jsonText } from "../../../src/render/json";
import { ALL_RIGHTS, RIGHTS, Snapshot } from "../../../src/service";
import type { ObjectValue, Value } from "../../../src/lib/values";
import { rounds } from "../../support/rounds";

const NOON = new Date("2026-03-01T12:00:00.000Z");
const NOBODY_ASKED = { who_can: null, user: null, account: null };
const ACCOUNTS = ["acme", "globex"] as const;

/** True, false, or not shown. */
const flag = fc.constantFrom(true, true, false, null);

/** What a record shows of a scope; null for a member that is not shown. */
interface DrawnScope {
  readonly everywhere: boolean | null;
  readonly ids: readonly string[] | null;
}

interface Drawn {
  readonly account: (typeof ACCOUNTS)[number];
  readonly rights: readonly string[] | null;
  readonly activated: boolean | null;
  readonly web: boolean | null;
  readonly api: boolean | null;
  readonly administers: boolean | null;
  readonly services: DrawnScope;
  readonly nodes: DrawnScope;
  readonly factor: string | null;
}

const scope: fc.Arbitrary<DrawnScope> = fc.record({
  everywhere: flag,
  ids: fc.constantFrom<readonly string[] | null>([], ["vss:1:1"], null),
});

const user: fc.Arbitrary<Drawn> = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  rights: fc.option(fc.subarray([...ALL_RIGHTS, "vss.brand_new"], { maxLength: 12 })),
  activated: flag,
  web: flag,
  api: flag,
  administers: flag,
  services: scope,
  nodes: scope,
  factor: fc.constantFrom("none", "google", null),
});

const service = fc.record({
  users: fc.array(user, { maxLength: 8 }),
  disabled: fc.record({ acme: flag, globex: flag }),
});

type Drawing = typeof service extends fc.Arbitrary<infer T> ? T : never;

function profile(drawn: Drawn, index: number): ProfileRecord {
  const granted = drawn.rights;
  const permissions =
    granted === null
      ? null
      : Object.fromEntries(
          Object.entries<readonly string[]>(RIGHTS).map(([group, names]) => {
            const all = group === "vss" ? [...names, "brand_new"] : names;
            const rights = Object.fromEntries(
              all.map((name) => [name, granted.includes(`${group}.${name}`)]),
            );
            if (group === "vss")
              return [group, { rights, ...shown(drawn.services, "all_account_scope", "vsses") }];
            if (group === "node")
              return [group, { rights, ...shown(drawn.nodes, "all_realm_scope", "nodes") }];
            return [group, { rights }];
          }),
        );
  return {
    id: `user:1:${index}`,
    login: loginOf(drawn, index),
    account_id: `account:1:${ACCOUNTS.indexOf(drawn.account)}`,
    activated: drawn.activated,
    account_admin: drawn.administers,
    access: { web: drawn.web, api: drawn.api },
    two_factor: { auth: drawn.factor },
    permissions,
  };
}

function shown({ everywhere, ids }: DrawnScope, flagName: string, listName: string): ObjectValue {
  return {
    ...(everywhere !== null && { [flagName]: everywhere }),
    ...(ids !== null && { [listName]: ids }),
  };
}

function loginOf({ account }: Drawn, index: number): string {
  return `user${index}@${account}`;
}

function reportOn({ users, disabled }: Drawing, isTurned = false): Report {
  const accounts: AccountRecord[] = ACCOUNTS.map((name, index) => ({
    id: `account:1:${index}`,
    name,
    disabled: disabled[name],
  }));
  const profiles = users.map(profile);
  const snapshot = new Snapshot({
    accounts: isTurned ? [...accounts].reverse() : accounts,
    profiles: isTurned ? [...profiles].reverse() : profiles,
    caller: {},
    callerProfile: undefined,
  });
  return reportOf(snapshot);
}

function reportOf(snapshot: Snapshot): Report {
  const facts = {
    origin: "https://storage.example",
    caller: "system",
    stacks: [],
    snapshot,
    stacksById: new Map(),
    declarationsById: undefined,
    wholly: false,
    tokens: [],
    endsByUuid: new Map(),
    usage: undefined,
  };
  return {
    format: REPORT_FORMAT,
    version: REPORT_VERSION,
    made_at: NOON.toISOString(),
    taken_at: null,
    project: false,
    usage: false,
    max_token_age_days: 90,
    question: NOBODY_ASKED,
    notes: [],
    services: [reportedService(facts, { now: NOON, maxTokenAgeDays: 90 })],
  };
}

const logins = ({ services }: Report) => services.flatMap(({ users }) => users.map(({ login }) => login));

/** The rule in other words: whether the right can be used, or null where that is not known. */
function canBeUsed(drawn: Drawn, right: string, { disabled }: Drawing): boolean | null {
  if (drawn.activated === false || disabled[drawn.account] === true) return false;
  if (drawn.web === false && drawn.api === false) return false;
  if (drawn.rights === null) return null;
  if (!drawn.rights.includes(right)) return false;
  if (right.startsWith("vss.")) return !isEmpty(drawn.services);
  return right.startsWith("node.") ? !isEmpty(drawn.nodes) : true;
}

/** A scope is empty only if its flag says that it is limited, and no id is shown. */
function isEmpty({ everywhere, ids }: DrawnScope): boolean {
  return everywhere === false && (ids ?? []).length === 0;
}

test("for any service, the matrix, who can, and each user and account say the same, and what the rule says", () => {
  fc.assert(
    fc.property(
      service,
      fc.constantFrom(...ALL_RIGHTS, "vss.remove_vss", "vss.format_disks", "user.manage_users"),
      (drawing, right) => {
        const whole = reportOn(drawing);
        const byRule = drawing.users.flatMap((one, index) =>
          canBeUsed(one, right, drawing) === false ? [] : [loginOf(one, index)],
        );
        const asked = answerQuestion(whole, { ...NOBODY_ASKED, who_can: right });
        expect(new Set(logins(asked))).toEqual(new Set(byRule));
        const matrix = whole.services.flatMap(({ users }) => users);
        expect(new Set(logins(asked))).toEqual(
          new Set(
            matrix
              .filter(
                ({ takes_effect: effective, rights, idle }) =>
                  effective.includes(right) || (rights === null && idle.length === 0),
              )
              .map(({ login }) => login),
          ),
        );
        for (const one of matrix) {
          const own = answerQuestion(whole, { ...NOBODY_ASKED, user: one.login });
          expect(own.services.flatMap(({ users }) => users)).toEqual([one]);
          const both = answerQuestion(whole, { ...NOBODY_ASKED, user: one.login, who_can: right });
          expect(logins(both)).toEqual(logins(asked).includes(one.login) ? [one.login] : []);
        }
        const parts = ACCOUNTS.map((account) => answerQuestion(whole, { ...NOBODY_ASKED, account }));
        expect(parts.flatMap(logins)).toEqual(logins(whole));
        expect(
          ACCOUNTS.flatMap((account) =>
            logins(answerQuestion(whole, { ...NOBODY_ASKED, account, who_can: right })),
          ),
        ).toEqual(logins(asked));
      },
    ),
    { numRuns: rounds(60) },
  );
});

test("for any two services, a baseline shows what differs, the other way round in the other direction, and nothing of what is the same", () => {
  const read = (report: Report) => readReport(jsonText(report));
  fc.assert(
    fc.property(service, service, (before, after) => {
      const [first, second] = [reportOn(before), reportOn(after)];
      const there = changesSince(second, read(first)).changes;
      const back = changesSince(first, read(second)).changes;
      const turned = back.map((one) => ({ ...one, effect: one.effect === "new" ? "gone" : "new" }));
      expect(new Set(there.map((one) => JSON.stringify(one)))).toEqual(
        new Set(turned.map((one) => JSON.stringify(one))),
      );
      expect(changesSince(first, read(reportOn(before, true))).changes).toEqual([]);
      for (const right of ["vss.remove_vss", "user.manage_users"]) {
        const held = ({ services }: Report) =>
          services.flatMap(({ users }) =>
            users.flatMap(({ login, rights }) => (rights?.includes(right) === true ? [login] : [])),
          );
        const [had, has] = [new Set(held(first)), new Set(held(second))];
        expect(
          there
            .filter(({ what, effect }) => what === right && effect === "new")
            .map(({ subject }) => subject),
        ).toEqual([...has].filter((login) => !had.has(login)).sort());
        expect(
          there
            .filter(({ what, effect }) => what === right && effect === "gone")
            .map(({ subject }) => subject),
        ).toEqual([...had].filter((login) => !has.has(login)).sort());
      }
    }),
    { numRuns: rounds(60) },
  );
});

test("the same service gives the same report, in whatever order it lists its records", () => {
  fc.assert(
    fc.property(service, (drawing) => {
      expect(jsonText(reportOn(drawing, true) as unknown as Value)).toBe(
        jsonText(reportOn(drawing) as unknown as Value),
      );
    }),
    { numRuns: rounds(20) },
  );
});

test.each<[string, ObjectValue, readonly string[] | null]>([
  ["a flag that is false, without a list, limits the rights to nothing", { all_account_scope: false }, []],
  [
    "a flag that is false, with an empty list, limits them to nothing",
    { all_account_scope: false, vsses: [] },
    [],
  ],
  ["an empty list without a flag shows no scope", { vsses: [] }, null],
  ["ids without a flag are the scope, in order", { vsses: ["vss:1:2", "vss:1:1"] }, ["vss:1:1", "vss:1:2"]],
  ["a flag that is true lifts the limit of a list", { all_account_scope: true, vsses: ["vss:1:1"] }, ["*"]],
  ["neither flag nor list shows no scope", {}, null],
])("%s", (_, members, scope) => {
  const snapshot = new Snapshot({
    accounts: [{ id: "account:1:0", name: "acme" }],
    profiles: [
      {
        id: "user:1:0",
        login: "jane@acme",
        account_id: "account:1:0",
        permissions: { vss: { rights: { format_disks: true }, ...members } },
      },
    ],
    caller: {},
    callerProfile: undefined,
  });
  expect(reportOf(snapshot).services[0]?.users).toMatchObject([
    { vss_scope: scope, takes_effect: scope?.length === 0 ? [] : ["vss.format_disks"] },
  ]);
});
