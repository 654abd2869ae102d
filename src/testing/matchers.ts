/** Defines Jest matchers for plans. */
import { type Change, hasChanges, type Plan } from "../plan";
import { isObject, isUnknown, type Value } from "../lib/values";

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What {@link setupJest} makes known to `expect`. */
export const matchers = {
  toBeEmptyPlan(plan: Plan): MatcherResult {
    return matcherResult(!hasChanges(plan), "be empty", plan);
  },

  toCreate(plan: Plan, address: string): MatcherResult {
    return matcherResult(does(plan, "create", address), `create ${address}`, plan);
  },

  toDelete(plan: Plan, address: string): MatcherResult {
    return matcherResult(does(plan, "delete", address), `delete ${address}`, plan);
  },

  toGrantExactly(plan: Plan, login: string, rights: readonly string[]): MatcherResult {
    const granted = rightsOf(plan, login);
    if (granted === undefined) return failure(`The plan declares no user ${login}.`);
    if (granted === "open")
      return failure(`What ${login} is granted is known only after apply: declare its permissions.`);
    const wanted = [...rights].sort();
    const pass = granted.join() === wanted.join();
    return {
      pass,
      message: () =>
        `${login} should ${pass ? "not " : ""}be granted exactly: ${wanted.join(", ") || "nothing"}\n` +
        `and is granted: ${granted.join(", ") || "nothing"}`,
    };
  },
};

/** Adds the matchers to Jest's `expect`. Call it once in each test file, or in a setup file. */
export function setupJest(): void {
  const { expect } = globalThis as unknown as { expect?: { extend(added: object): void } };
  if (expect === undefined) throw new TypeError("setupJest() is for tests that Jest runs with its globals");
  expect.extend(matchers);
}

/** By address, or by key (`acme`, `jane@acme`), which is easier where nothing is declared any more. */
function does({ changes }: Plan, action: Change["action"], address: string): boolean {
  return changes.some(
    (change) =>
      (change.address === address || change.key === address) &&
      (change.action === action || change.action === "replace"),
  );
}

/** Sorted; "open" where the service decides on one of them. Undefined where the user is none of the plan's. */
function rightsOf({ changes }: Plan, login: string): readonly string[] | "open" | undefined {
  const change = changes.find(({ key, action }) => key === login && action !== "delete");
  if (change === undefined) return undefined;
  const permissions: Value = change.after?.["permissions"] ?? null;
  if (isUnknown(permissions)) return "open";
  const rights = isObject(permissions) ? Object.entries(permissions) : [];
  if (rights.some(([, granted]) => isUnknown(granted))) return "open";
  return rights
    .filter(([, granted]) => granted === true)
    .map(([right]) => right)
    .sort();
}

function failure(message: string): MatcherResult {
  return { pass: false, message: () => message };
}

function matcherResult(pass: boolean, expectation: string, { changes }: Plan): MatcherResult {
  const found = changes
    .filter(({ action }) => action !== "none")
    .map(({ action, address, key }) => `  ${action} ${address} (${key})`);
  return {
    pass,
    message: () =>
      [
        `The plan should ${pass ? "not " : ""}${expectation}. It contains:`,
        ...(found.length > 0 ? found : ["  no changes"]),
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
       * The object would be deleted, or replaced.
       * @param address as in `tenancy_account.acme`, or the key: `acme`, `jane@acme`
       */
      toDelete(address: string): R;
      /**
       * The user has these rights and no others, once the plan is applied. It never holds where the service decides on one.
       * @param rights as the API spells them, with their group: `vss.manage_snapshots`
       */
      toGrantExactly(login: string, rights: readonly string[]): R;
    }
  }
}
