/** `tenancy apply --ended` for whatever is declared and whatever is live: covers src/engine/ended.ts. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { BackDoor } from "../../src/lib/simulator";
import { type Attributes, type DeclaredTenant, tenant } from "../support/agreement/declarations";
import { drift } from "../support/agreement/drift";
import { NewerService } from "../support/agreement/newer-service";
import { stackOf } from "../support/agreement/stack";
import { simulatedProject } from "../support/command";
import { clockGoesBack, moveClock } from "../support/moved-clock";
import { rounds } from "../support/rounds";

clockGoesBack();

const NAMES = ["acme", "globex"] as const;
type Tenants = Readonly<Record<string, DeclaredTenant>>;

/** The later declaration keeps the rights and ends of the earlier one, or says something else. */
const history = fc.record({
  before: fc.record({ acme: tenant, globex: tenant }),
  other: fc.record({ acme: tenant, globex: tenant }, { requiredKeys: [] }),
  isOtherWhole: fc.nat(4).map((number) => number === 0),
  operations: fc.array(fc.tuple(fc.constantFrom(...NAMES), drift), { maxLength: 4 }),
  // The last day of some access, and days after.
  today: fc.constantFrom("2020-02-29", "2020-03-01", "2030-07-01", "2100-01-01"),
});

const KEPT = [
  "permissions",
  "permissions_until",
  "access_web",
  "access_api",
  "access_until",
  "undeclared_rights",
];

/** The other declaration, with the access of the first. */
function mixed(before: Tenants, other: Tenants): Tenants {
  const withAccess = (from: Attributes | undefined, attributes: Attributes = {}): Attributes => ({
    ...Object.fromEntries(Object.entries(attributes).filter(([name]) => !KEPT.includes(name))),
    ...Object.fromEntries(Object.entries(from ?? {}).filter(([name]) => KEPT.includes(name))),
  });
  return Object.fromEntries(
    Object.entries(other).map(([name, { account, users, tokens }]) => {
      const first = before[name];
      const people = Object.entries({ ...first?.users, ...users });
      return [
        name,
        {
          account: withAccess(first?.account, account),
          users: Object.fromEntries(
            people.map(([user]) => [user, withAccess(first?.users[user], users[user])]),
          ),
          tokens,
        },
      ];
    }),
  );
}

/** What the service has, by id. Counters of changes are left out of records that are expected to change. */
function stateOf(records: BackDoor) {
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one)),
    ) as Profile;
  return {
    accounts: records.accounts.map(plain),
    profiles: records.profiles.map(plain),
    tokens: records.authorizations.map(plain),
  };
}

interface Profile {
  readonly id: string;
  readonly login: string;
  readonly access: unknown;
  readonly permissions: Record<string, { readonly rights: Record<string, boolean> }>;
}

/** The profile without the access that its declaration says has ended; the very profile where there is none. */
function withoutEnded(profile: Profile, declared: Attributes | undefined, today: string): Profile {
  const { permissions_until: until = {}, access_until: accessUntil = null } = declared ?? {};
  let result: Profile = profile;
  for (const [right, day] of Object.entries(until as Record<string, string>)) {
    const [group = "", name = ""] = right.split(".");
    const { rights, ...scopes } = result.permissions[group] ?? { rights: {} };
    if (day >= today || rights[name] !== true) continue;
    const changed = { ...scopes, rights: { ...rights, [name]: false } };
    result = { ...result, permissions: { ...result.permissions, [group]: changed } };
  }
  const { web, api } = profile.access as { readonly web: boolean; readonly api: boolean };
  return typeof accessUntil === "string" && accessUntil < today && (web || api)
    ? { ...result, access: { web: false, api: false } }
    : result;
}

test("apply --ended takes away exactly the access that has ended, under any approval level, and touches nothing else", async () => {
  const tally = { changed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(history, async ({ before, other, isOtherWhole, operations, today }) => {
      moveClock("2020-01-01T12:00:00Z");
      const folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-")));
      const project = await simulatedProject(folder, { contacts: "full", clock: () => Date.now() });
      const { service } = project;
      const { records } = service;
      const newer = new NewerService(service);
      const environment = { TF_VAR_secret: "correct horse", TENANCY_OWNER: "agreement" };
      const declare = async (tenants: Tenants) => {
        await project.declare({ prod: {} });
        // As text, since it holds integers beyond 2^53.
        await project.write("synthesized/stacks/prod/cdk.tf.json", stackOf(tenants));
      };
      const run = (...words: readonly string[]) => project.tenancy(words, { environment });
      try {
        await declare(before);
        const first = await run("apply", "--yes", "--init-state");
        expect(first).toMatchObject({ code: 0 });
        const loginsThen = new Map(records.profiles.map(({ id, login }) => [id, login]));
        for (const [name, operation] of operations) operation(records, name, newer);
        const after: Tenants = isOtherWhole ? other : mixed(before, other);
        await declare(after);

        moveClock(`${today}T00:00:00Z`);
        const live = stateOf(records);
        const ended = await run("apply", "--ended", "--yes", "--require-approval", "access");
        const now = stateOf(records);
        if (ended.code !== 0) {
          // A user whose access has ended is gone, and another record has the name.
          tally.refused++;
          return;
        }
        const declaredOf = (tenants: Tenants, login: string) => {
          const [username = "", account] = login.split("@");
          return account === undefined ? tenants[username]?.account : tenants[account]?.users[username];
        };
        // The end that the first apply left counts under any name and declaration. An earlier declared end counts where the declaration is sound.
        const expected = live.profiles.map((profile, index) => {
          const applied = declaredOf(before, loginsThen.get(profile.id) ?? "");
          const atLeast = withoutEnded(profile, applied, today);
          const atMost = withoutEnded(atLeast, declaredOf(after, profile.login), today);
          const { access, permissions } = now.profiles[index]!;
          return JSON.stringify([access, permissions]) === JSON.stringify([atMost.access, atMost.permissions])
            ? atMost
            : atLeast;
        });
        const same = (profile: Profile, index: number) => expected[index] === live.profiles[index];
        const counters = { seq: null, mtime: null };
        const comparable = (profiles: readonly Profile[]) =>
          profiles.map((profile, index) => (same(profile, index) ? profile : { ...profile, ...counters }));
        tally.changed += expected.filter((one, index) => one !== live.profiles[index]).length;
        expect(comparable(now.profiles)).toEqual(comparable(expected));
        expect(now.tokens).toEqual(live.tokens);
        expect(now.accounts).toEqual(live.accounts);

        // Nothing is left to be taken away.
        service.clearRequests();
        const again = await run("apply", "--ended", "--yes");
        expect([again.code, again.stdout]).toEqual([
          0,
          expect.stringContaining("No changes. No access has ended."),
        ]);
        expect(service.requests.filter(({ method }) => method === "PATCH" || method === "DELETE")).toEqual(
          [],
        );
      } finally {
        await service.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: rounds(15) },
  );
  expect(tally.changed).toBeGreaterThan(3);
  expect(tally.refused).toBeLessThan(rounds(15) / 2);
});
