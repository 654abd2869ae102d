/** Defines Jest matchers for plans. */
import { equal, formatPath, isObject, isUnknown, stringifyJson, type Value } from "../lib/values";
import { type Change, hasChanges, isEnd, type Plan } from "../plan";
import { didYouMean } from "../problems";

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Adds the matchers to Jest's `expect`. Call it once in each test file, or in a setup file. */
export function setupJest(): void {
  const { expect } = globalThis as unknown as { expect?: { extend(matchers: object): void } };
  if (expect === undefined) throw new TypeError("setupJest() is for tests that Jest runs with its globals");
  expect.extend(matchers);
}

/** The matchers that {@link setupJest} adds to `expect`. */
export const matchers = {
  toBeEmptyPlan(plan: Plan): MatcherResult {
    return withChanges(!hasChanges(plan), "be empty", plan);
  },

  toCreate(plan: Plan, address: string): MatcherResult {
    return does(plan, ["create", "replace"], "create", address);
  },

  toUpdate(plan: Plan, address: string): MatcherResult {
    return does(plan, ["update"], "update", address);
  },

  toDelete(plan: Plan, address: string): MatcherResult {
    return does(plan, ["delete", "replace"], "delete", address);
  },

  toChange(plan: Plan, address: string, attribute: string, ...values: readonly Value[]): MatcherResult {
    const change = findChange(plan, address);
    if (change === undefined) return failure(`The plan has no ${address}. ${nearestHint(plan, address)}`);
    const attributeChange = change.attributes.find(({ path }) => formatPath(path) === attribute);
    const expectedValues = values.map(textOfValue).join(" -> ");
    const others = change.attributes.map((one) => `  ${formatPath(one.path)} ${transition(one, change)}`);
    const pass =
      attributeChange !== undefined &&
      (values.length < 1 || equal(attributeChange.before, values[0] ?? null)) &&
      (values.length < 2 || equal(attributeChange.after, values[1] ?? null));
    return {
      pass,
      message: () =>
        [
          `${address} should ${pass ? "not " : ""}change ${`${attribute} ${expectedValues}`.trim()}. It changes:`,
          ...(others.length > 0 ? others : ["  nothing"]),
        ].join("\n"),
    };
  },

  toGrantExactly(plan: Plan, login: string, rights: readonly string[]): MatcherResult {
    const grantedRights = rightsOfLogin(plan, login);
    if (grantedRights === undefined)
      return failure(`The plan declares no user ${login}. ${nearestHint(plan, login)}`.trim());
    if (grantedRights === "open")
      return failure(`The permissions of ${login} are known only after apply: declare them.`);
    const expectedRights = [...rights].sort();
    const lines = (sign: string, some: readonly string[], others: readonly string[]): readonly string[] =>
      some.filter((right) => !others.includes(right)).map((right) => `  ${sign} ${right}`);
    const pass = grantedRights.join() === expectedRights.join();
    return {
      pass,
      message: () =>
        [
          `${login} should ${pass ? "not " : ""}be granted exactly: ${expectedRights.join(", ") || "nothing"}`,
          `and is granted: ${grantedRights.join(", ") || "nothing"}`,
          ...lines("- not granted:", expectedRights, grantedRights),
          ...lines("+ not expected:", grantedRights, expectedRights),
        ].join("\n"),
    };
  },

  toGrantNobody(plan: Plan, right: string): MatcherResult {
    const gaining = plan.access
      .filter(({ entries }) =>
        entries.some((one) => one.effect === "grants" && !isEnd(one) && one.thing["permission"] === right),
      )
      .map(({ who }) => `  ${who}`);
    const pass = gaining.length === 0;
    return {
      pass,
      message: () =>
        pass
          ? `A user should gain ${right}, and none does.`
          : [`No user should gain ${right}. The plan grants it to:`, ...gaining].join("\n"),
    };
  },
};

/** By address, or by key (`acme`, `jane@acme`), which is easier where nothing is declared any more. */
function findChange({ changes }: Plan, address: string): Change | undefined {
  return changes.find((change) => change.address === address || change.key === address);
}

function does(
  plan: Plan,
  actions: readonly Change["action"][],
  verb: string,
  address: string,
): MatcherResult {
  const change = findChange(plan, address);
  const pass = change !== undefined && actions.includes(change.action);
  const hint = change === undefined ? nearestHint(plan, address) : "";
  return withChanges(pass, `${verb} ${address}`, plan, hint);
}

/** The address or key of the plan that is most like the one that a test asks for. */
function nearestHint({ changes }: Plan, address: string): string {
  return didYouMean(
    address,
    changes.flatMap((change) => [change.address, change.key]),
    "",
  );
}

function transition(
  { path, attribute, before, after }: Change["attributes"][number],
  change: Change,
): string {
  const isHidden =
    attribute.sensitive ||
    change.sensitive.some((hiddenPath) => hiddenPath.every((step, at) => step === path[at]));
  return isHidden ? "(sensitive value)" : `${textOfValue(before)} -> ${textOfValue(after)}`;
}

function textOfValue(value: Value): string {
  return isUnknown(value) ? "(known after apply)" : stringifyJson(value);
}

/** Sorted; "open" where the service decides on one of them. Undefined if the user is none of the plan's. */
function rightsOfLogin({ changes }: Plan, login: string): readonly string[] | "open" | undefined {
  const change = changes.find(({ key, action }) => key === login && action !== "delete");
  if (change === undefined) return undefined;
  const permissions: Value = change.after?.["permissions"] ?? null;
  if (isUnknown(permissions)) return "open";
  const rights = isObject(permissions) ? Object.entries(permissions) : [];
  if (rights.some(([, isGranted]) => isUnknown(isGranted))) return "open";
  return rights
    .filter(([, isGranted]) => isGranted === true)
    .map(([right]) => right)
    .sort();
}

function failure(message: string): MatcherResult {
  return { pass: false, message: () => message };
}

function withChanges(pass: boolean, expectation: string, { changes }: Plan, hint = ""): MatcherResult {
  const lines = changes
    .filter(({ action }) => action !== "none")
    .map(({ action, address, key }) => `  ${action} ${address} (${key})`);
  return {
    pass,
    message: () =>
      [
        `The plan should ${pass ? "not " : ""}${expectation}. It contains:`,
        ...(lines.length > 0 ? lines : ["  no changes"]),
        ...(hint === "" ? [] : [hint]),
      ].join("\n"),
  };
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the types of Jest's globals are extended this way
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as in Jest's own declaration
    interface Matchers<R, T = {}> {
      /** Nothing would be created, updated, replaced or deleted. */
      toBeEmptyPlan(): R;
      /**
       * The object would be created, or replaced.
       * @param address as in `tenancy_account.acme`, or the key: `acme`, `jane@acme`
       */
      toCreate(address: string): R;
      /**
       * The object would be updated in place.
       * @param address as in `tenancy_account.acme`, or the key: `acme`, `jane@acme`
       */
      toUpdate(address: string): R;
      /**
       * The object would be deleted, or replaced.
       * @param address as in `tenancy_account.acme`, or the key: `acme`, `jane@acme`
       */
      toDelete(address: string): R;
      /**
       * One attribute of the object would change.
       * @param address as in `tenancy_account.acme`, or the key: `acme`, `jane@acme`
       * @param attribute as the plan shows it: `email`, `limits_vss_num`, `primary_contact.company`
       * @param values the value before, and the value after; each may be left out
       */
      toChange(address: string, attribute: string, ...values: readonly unknown[]): R;
      /**
       * The user has these rights and no others, once the plan is applied. It never holds where the service decides on one.
       * @param rights as the API spells them, with their group: `vss.manage_snapshots`
       */
      toGrantExactly(login: string, rights: readonly string[]): R;
      /**
       * No user and no token gains the right by the plan.
       * @param right as the API spells it, with its group: `vss.format_disks`
       */
      toGrantNobody(right: string): R;
    }
  }
}
