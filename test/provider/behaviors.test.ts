/** Services that read the specification in another way, as Terraform's calls meet them: covers the provider as a whole. */
import type { ResourceDefinition } from "../../src/lib/plugin-runtime";
import { SERVICE_BEHAVIORS, type ServiceBehavior, type Simulator } from "../../src/lib/simulator";
import { equal, type ObjectValue, textOf } from "../../src/lib/values";
import { alteredService } from "../support/altered-service";
import { type Life, lives, lost } from "../support/described-values";
import { asSystem, call, configured } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

/** An object as Terraform keeps it between two walks. */
interface Kept {
  readonly state: ObjectValue;
  readonly private: ObjectValue;
}

/** Accounts come before the users in them. */
const ALL = [...lives()].sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));

/** Attributes that every service shows: an import finds their values. */
const ALWAYS_SHOWN = [
  "uuid",
  "level",
  "allow_su",
  "two_factor_auth",
  "vss_scope",
  "xmd_refs",
  "provisioning_tags_include",
];

/** Behaviors that end a run, because a value of another type would look like one that is not shown. */
const MISTYPED: readonly ServiceBehavior[] = ["numbersAsText", "booleansAsText", "booleansAsNumbers"];

const behaviors: readonly (readonly [string, readonly ServiceBehavior[]])[] = [
  ["no behavior of its own", []],
  ...(Object.keys(SERVICE_BEHAVIORS) as ServiceBehavior[])
    .filter((one) => !MISTYPED.includes(one))
    .map((one) => [one, [one]] as const),
];

const errorsIn = (answer: object) =>
  ((answer as { diagnostics?: { severity: string; summary: string }[] }).diagnostics ?? [])
    .filter(({ severity }) => severity === "error")
    .map(({ summary }) => summary);

/** Terraform, as it calls the provider in walks of their own. */
function terraform(simulator: Simulator) {
  const walk = async (baseUrl = simulator.baseUrl) => {
    const { provider } = await configured({ baseUrl }, asSystem(simulator));
    const resource = (type: string) => provider.resources?.[type] as ResourceDefinition;
    const refresh = async (type: string, { state, private: notes }: Kept) =>
      (await resource(type).read({ state, private: notes }, call)) as unknown as Kept;
    /** @returns the planned state, and the names of the attributes that change */
    const plan = async (type: string, config: object, kept?: Kept) => {
      const prior = kept?.state ?? null;
      const request = { prior, config, private: kept?.private ?? {} };
      const answer = (await resource(type).plan?.(request as never, call)) as unknown as {
        readonly planned: ObjectValue;
        readonly requiresReplace?: readonly unknown[];
        readonly private: ObjectValue;
      };
      expect([errorsIn(answer), answer.requiresReplace ?? []]).toEqual([[], []]);
      const changes = Object.keys(answer.planned).filter(
        (name) => !equal(answer.planned[name] ?? null, prior?.[name] ?? null),
      );
      return { ...answer, request, changes };
    };
    const apply = async (type: string, config: object, kept?: Kept) => {
      const { planned, request, private: notes } = await plan(type, config, kept);
      const write = kept === undefined ? ("create" as const) : ("update" as const);
      const complete = { ...request, planned, private: notes } as never;
      return (await resource(type)[write]?.(complete, call)) as unknown as Kept;
    };
    return { resource, refresh, plan, apply };
  };
  return walk;
}

describe.each(behaviors)("at a service with %s", (_name, ownBehaviors) => {
  test("every value is created, changed, taken away, imported and deleted", async () => {
    const { simulator } = await start({ behaviors: ownBehaviors });
    const { records } = simulator;
    const walk = terraform(simulator);
    const kept = new Map<Life, Kept>();
    const declared = ({ phases }: Life, phase: number) => {
      const { account_id, ...config } = phases[phase] as ObjectValue;
      return { ...config, ...(account_id !== undefined && { account_id: records.account("host").id }) };
    };
    const lostAt = (life: Life, phase: number) => {
      const { type, name } = life;
      const isAccount = type === "tenancy_account";
      const self = isAccount ? records.account(name) : records.profile(`${name}@host`);
      const stored = isAccount ? { self, primary: records.profile(name) } : { self };
      return lost(type, declared(life, phase), stored).map((text) => `${type}.${name} ${text}`);
    };
    const expectNoChange = async (phase: number) => {
      const { refresh, plan } = await walk();
      const changed = await Promise.all(
        ALL.map(async (life) => {
          const refreshed = await refresh(life.type, kept.get(life)!);
          kept.set(life, refreshed);
          const { changes } = await plan(life.type, declared(life, phase), refreshed);
          return changes.map((change) => `${change} of ${life.type}.${life.name}`);
        }),
      );
      expect(changed.flat()).toEqual([]);
      expect(ALL.flatMap((life) => lostAt(life, phase))).toEqual([]);
    };
    for (const phase of [0, 1, 2]) {
      const { apply } = await walk();
      for (const life of ALL) {
        const answer = await apply(life.type, declared(life, phase), kept.get(life));
        expect(errorsIn(answer)).toEqual([]);
        kept.set(life, answer);
      }
      await expectNoChange(phase);
    }
    const { resource, refresh, plan, apply } = await walk();
    for (const life of ALL) {
      const id = textOf(kept.get(life)?.state["id"]) ?? "";
      const [imported] = (await resource(life.type).import?.(id, call))?.imported ?? [];
      const refreshed = await refresh(life.type, imported as unknown as Kept);
      const { changes } = await plan(life.type, declared(life, 2), refreshed);
      expect(changes.filter((name) => ALWAYS_SHOWN.includes(name))).toEqual([]);
      kept.set(life, await apply(life.type, declared(life, 2), refreshed));
    }
    await expectNoChange(2);
    // Users go before their account, and an apply takes the protection away first.
    for (const life of [...ALL].reverse()) {
      const { state, private: notes } = kept.get(life)!;
      const prior = { ...state, deletion_protection: false };
      const answer = await resource(life.type).delete({ prior, private: notes }, call);
      expect(errorsIn(answer ?? {})).toEqual([]);
    }
    expect(records.profiles.map(({ login }) => login)).toEqual(["system"]);
  });
});

test.each(MISTYPED)("%s are an error that names object, member and types, before any write", async (one) => {
  const { simulator } = await start({ behaviors: [one] });
  const { plan } = await terraform(simulator)();
  const planned = plan("tenancy_account", { name: "acme", permissions: {} });
  await expect(planned).rejects.toThrow(
    /unexpected answer: \w+ of "system" in element 0 of the list is a (string|number), not (an integer|true or false)/,
  );
  expect(simulator.requests.filter(({ method }) => !/^(GET|POST)$/.test(method))).toEqual([]);
});

test("permissions that no answer shows are neither denied nor none", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  simulator.records.createProfile("acme", { username: "jane" });
  const baseUrl = await alteredService(simulator.baseUrl, (_request, { status, body }) => {
    const revised = JSON.stringify(body, (name, value: unknown) =>
      name === "permissions" ? undefined : value,
    );
    return { status, body: JSON.parse(revised) as unknown };
  });
  const { resource, refresh, plan } = await terraform(simulator)(baseUrl);
  const told = async (config: object) => {
    const [imported] = (await resource("tenancy_user_profile").import?.("jane@acme", call))?.imported ?? [];
    const refreshed = await refresh("tenancy_user_profile", imported as unknown as Kept);
    return plan("tenancy_user_profile", { username: "jane", account_id, ...config }, refreshed);
  };
  const open = await told({});
  expect(open.changes).toEqual([]);
  expect(JSON.stringify(open)).toContain('The service does not show the rights of \\"jane@acme\\"');
  const closed = await told({ permissions: {} });
  expect(closed.changes).toEqual(["permissions"]);
  expect(closed.planned["permissions"]).toEqual({});
});

test("an update after which another declared member is lost is an error that names the member", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const config = { username: "jane", account_id, permissions: {}, level: 1, xref: "a" };
  const baseUrl = await alteredService(simulator.baseUrl, ({ method }, answer) => {
    if (method !== "PATCH") return answer;
    return { ...answer, body: simulator.records.patchProfile("jane@acme", { xref: null }) };
  });
  const walk = terraform(simulator);
  const made = await (await walk()).apply("tenancy_user_profile", config);
  const { refresh, apply } = await walk(baseUrl);
  const refreshed = await refresh("tenancy_user_profile", made);
  const answer = await apply("tenancy_user_profile", { ...config, level: 2 }, refreshed);
  expect(answer).toMatchObject({ diagnostics: [{ severity: "error", attribute: ["xref"] }] });
});
