/**
 * Runs the project's tests for Stryker in one process, whose modules are loaded once: Jest loads them anew for each mutant, which takes
 * fifty times as long as the tests. It knows the part of Jest that these tests use.
 */
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { format } from "node:util";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";

const require = createRequire(import.meta.url);
const stryker = (globalThis.__stryker__ ??= {});

/** What `describe` holds. */
class Suite {
  tests = [];
  suites = [];
  hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };

  constructor(name, outer) {
    this.name = name;
    this.outer = outer;
  }

  get all() {
    return [...this.tests, ...this.suites.flatMap((suite) => suite.all)];
  }
}

let current = new Suite("", undefined);

/** Titles as Jest makes them: `%s` and its like, or `$member` of a row that is an object. */
function titled(title, row, index) {
  const values = Array.isArray(row) ? row : [row];
  const text = title.replaceAll(/%[pj]/g, "%o").replaceAll("%#", String(index));
  const count = [...text.matchAll(/%[sdifjoO]/g)].length;
  return format(text, ...values.slice(0, count)).replace(/\$(\w+)/g, (_all, name) => String(row?.[name]));
}

function each(define) {
  return (rows) =>
    (title, act, ...more) =>
      rows.forEach((row, index) =>
        define(
          `${titled(title, row, index)} #${index}`,
          () => act(...(Array.isArray(row) ? row : [row])),
          ...more,
        ),
      );
}

function test(name, act) {
  current.tests.push({ name, act, suite: current });
}

function describe(name, build) {
  const suite = new Suite(name, current);
  current.suites.push(suite);
  const outer = current;
  current = suite;
  build();
  current = outer;
}

/** Loads the test files and what they test, each once. */
function load() {
  const { expect } = require("expect");
  const { ModuleMocker } = require("jest-mock");
  require("tsx/cjs/api").register();
  test.each = each(test);
  test.skip = () => undefined;
  describe.each = each(describe);
  describe.skip = () => undefined;
  const hook = (kind) => (act) => current.hooks[kind].push(act);
  Object.assign(globalThis, { test, it: test, describe, expect, jest: new ModuleMocker(globalThis) });
  for (const kind of Object.keys(current.hooks)) globalThis[kind] = hook(kind);
  const here = process.cwd();
  // So that properties draw the same values at each run.
  require(join(here, "test/support/drawn-alike.ts"));
  const root = current;
  for (const file of (process.env.MUTATION_TESTS ?? "")
    .split(",")
    .flatMap((name) => filesIn(join(here, "test", name))))
    describe(relative(here, file), () => require(file));
  return root;
}

function filesIn(place) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .map((name) => join(place, name));
}

function chainOf(suite) {
  return suite === undefined ? [] : [...chainOf(suite.outer), suite];
}

function idOf({ name, suite }) {
  return [...chainOf(suite).map((one) => one.name), name].filter((part) => part !== "").join(" › ");
}

async function called(hooks) {
  for (const act of hooks) await act();
}

/** @returns the error of the test; undefined where it passes */
async function tried({ act, suite }) {
  const chain = chainOf(suite);
  let failure;
  try {
    for (const one of chain) await called(one.hooks.beforeEach);
    await act();
  } catch (error) {
    failure = error ?? new Error("failed");
  }
  try {
    for (const one of [...chain].reverse()) await called([...one.hooks.afterEach].reverse());
  } catch (error) {
    failure ??= error ?? new Error("failed");
  }
  return failure;
}

/** Runs a suite's tests that are wanted, until the visitor has seen enough. */
async function run(suite, isWanted, visit) {
  if (!suite.all.some(isWanted)) return true;
  let goesOn = true;
  try {
    await called(suite.hooks.beforeAll);
    for (const one of suite.tests.filter(isWanted)) if (goesOn) goesOn = await visit(one, () => tried(one));
    for (const inner of suite.suites) if (goesOn) goesOn = await run(inner, isWanted, visit);
  } catch (error) {
    const [first] = suite.all.filter(isWanted);
    goesOn = await visit(first, async () => error);
  } finally {
    await called(suite.hooks.afterAll).catch(() => undefined);
  }
  return goesOn;
}

class InProcess {
  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    // A mutant may leave a promise that nobody waits for.
    process.on("unhandledRejection", () => undefined);
  }

  async dryRun() {
    stryker.mutantCoverage = undefined;
    stryker.currentTestId = undefined;
    const tests = [];
    this.root ??= load();
    await run(
      this.root,
      () => true,
      async (one, go) => {
        const id = idOf(one);
        stryker.currentTestId = id;
        const began = performance.now();
        const failure = await go();
        stryker.currentTestId = undefined;
        tests.push({
          id,
          name: id,
          timeSpentMs: performance.now() - began,
          ...(failure === undefined
            ? { status: 0 }
            : { status: 1, failureMessage: String(failure?.stack ?? failure) }),
        });
        return true;
      },
    );
    return { status: "complete", tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    stryker.currentTestId = undefined;
    stryker.activeMutant = activeMutant.id;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.hitLimit = hitLimit;
    const wanted = testFilter === undefined ? undefined : new Set(testFilter);
    let killed;
    let count = 0;
    try {
      this.root ??= load();
      await run(
        this.root,
        (one) => wanted === undefined || wanted.has(idOf(one)),
        async (one, go) => {
          count++;
          const failure = await go();
          if (failure === undefined) return true;
          killed = { id: idOf(one), failure };
          return false;
        },
      );
    } catch (error) {
      killed = { id: "loading", failure: error };
    }
    if (stryker.hitLimit !== undefined && stryker.hitCount > stryker.hitLimit) return { status: "timeout" };
    if (killed === undefined) return { status: "survived", nrOfTests: count };
    return {
      status: "killed",
      killedBy: [killed.id],
      failureMessage: String(killed.failure?.message ?? killed.failure),
      nrOfTests: count,
    };
  }
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, "in-process", () => new InProcess()),
];
