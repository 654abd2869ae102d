/** Saves a plan as a file and reads it again: Terraform's JSON plan representation, and the promises that `apply FILE` checks. */
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { differences, type Fingerprint, fingerprint, PERMIT_SHAPES } from "../plan";
import { brokenPlan, plannedFromSnapshot, planOutdated } from "../problems";
import { jsonPlan } from "../render/json";
import { allAttributes } from "../schema";
import {
  bare,
  compareText,
  formatPath,
  isObject,
  isWhollyKnown,
  type ObjectValue,
  parseJson,
  SENSITIVE_TEXT,
  type Shape,
  shapes,
  stringifyJson,
  type Value,
  valueAt,
} from "../lib/values";
import { argumentsOf, valuesAmong } from "./load/stack";
import type { PlanOptions, StackSource } from "./options";
import { type PlannedRun, planStack } from "./plan";
import { factsToShow } from "./shown";
import { areTokenNotesOutdated, noteTried } from "./tokens/refusals";
import { lockOptionsOf } from "./state";

/** @throws the error of opening the state */
export function savedPlan(planned: PlannedRun): string {
  const { whyClosed } = planned.run;
  if (whyClosed !== undefined) throw whyClosed;
  const json = jsonPlan(planned.plan);
  const saved = { ...promiseOf(planned, digestOf(planned)), shown: factsToShow(planned.plan) };
  return `${stringifyJson({ ...json, tenancy: { ...json.tenancy, saved } }, 2)}\n`;
}

/**
 * Plans again, with the flags and variables of the file.
 * @throws brokenPlan, planOutdated
 */
export async function requireSame(
  text: string,
  app: Omit<StackSource, "name">,
  options: PlanOptions,
): Promise<PlannedRun> {
  const saved = readSaved(text);
  const otherArguments = differentArguments(saved, options);
  if (otherArguments.length > 0) throw planOutdated.error({ differences: otherArguments });
  const source = { ...app, name: saved.stack };
  // Files are passed again. Single values have been merged already.
  const variables = [...argumentsOf(options.variables), ...argumentsOf(saved.variables)];
  const planned = await planStack(source, { ...options, ...saved.flags, variables });
  const differences = differencesOf(saved, promiseOf(planned, digestOf(planned, saved.isKeyed)));
  if (differences.length === 0) return planned;
  try {
    throw planOutdated.error({ differences: differences, isTokenNoted: await noteTokens(planned) });
  } finally {
    await planned.run.close();
  }
}

/**
 * Notes the results of the token checks. The saved plan trusted the state, and so would the next one: without the note, every saved plan would be
 * out of date.
 * @returns undefined if there was nothing to note; false if the state could not be written
 */
async function noteTokens(planned: PlannedRun): Promise<boolean | undefined> {
  const { run } = planned;
  if (![...run.opened.values()].some(({ target }) => areTokenNotesOutdated(target))) return undefined;
  try {
    await run.state.lock(lockOptionsOf(planned.options));
    try {
      for (const writeTarget of (await run.writeTargets()).values()) noteTried(writeTarget);
      await run.state.save();
    } finally {
      await run.state.unlock();
    }
    return true;
  } catch {
    // The caller reports the outdated plan. A plan that checks the tokens itself needs no note.
    return false;
  }
}

// Reading the promises of a saved plan. The file may come from anywhere.

/** @throws brokenPlan */
function readSaved(text: string): SavedPromise {
  const tenancy = memberIn(parsePlan(text), "tenancy");
  const saved = memberIn(tenancy, "saved");
  if (!isObject(saved)) throw brokenPlan.error("the file is not a plan that tenancy plan --out wrote");
  if (saved["format"] !== PROMISE_FORMAT) {
    const format = stringifyJson(saved["format"] ?? null);
    throw brokenPlan.error(`the plan has the format ${format}, not ${PROMISE_FORMAT}`);
  }
  const takenAt = memberIn(tenancy, "taken_at");
  if (typeof takenAt === "string") throw plannedFromSnapshot.error(takenAt);
  try {
    savedShape(saved, "");
  } catch (cause) {
    throw brokenPlan.error("the plan is incomplete", { cause });
  }
  const flags = Object.entries(saved["flags"] as ObjectValue).filter(([name]) => isFlag(name));
  return { ...(saved as unknown as SavedPromise), flags: Object.fromEntries(flags) };
}

function parsePlan(text: string): Value {
  try {
    return parseJson(text);
  } catch (cause) {
    throw brokenPlan.error("the file is not JSON", { cause });
  }
}

function isFlag(name: string): name is Flag {
  return Object.hasOwn(FLAG_SHAPES, name);
}

/** The options that determine a plan; a saved plan is made again with the same ones. The others are passed again, or change no plan. */
type Flag = Exclude<
  keyof PlanOptions,
  | "environment"
  | "variables"
  | "projectFolder"
  | "allowFiles"
  | "state"
  | "fromSnapshot"
  | "verifyTokens"
  | "parallelism"
  | "signal"
  | "lockState"
  | "mayLackState"
  | "lockTimeout"
  | "onProgress"
  | "onWait"
  | "reader"
>;

const { anyList, anyObject, flag, listOf, mapOf, objectOf, optional, text } = shapes;

const listOfTexts = listOf(text);

const FLAG_SHAPES: Readonly<Record<Flag, Shape<unknown>>> = {
  only: listOfTexts,
  exclude: listOfTexts,
  destroy: flag,
  onlyEnded: flag,
  recover: flag,
  ...PERMIT_SHAPES,
  resetPasswords: flag,
  initState: flag,
  noPrune: flag,
};

const savedShape = objectOf({
  stack: text,
  synthesized: text,
  isKeyed: flag,
  flags: objectOf(
    Object.fromEntries(Object.entries(FLAG_SHAPES).map(([name, shape]) => [name, optional(shape)])),
  ),
  variables: mapOf(text),
  values: anyObject,
  fingerprint: objectOf({ targets: anyList, objects: listOf(objectOf({ address: text })) }),
});

function memberIn(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) ? value[name] : undefined;
}

// Checking the promises: a new plan must make the same ones, or something has changed since.

/** Version of the member `tenancy.saved`. */
const PROMISE_FORMAT = 1;

type Digest = (value: string) => string;

interface SavedPromise {
  readonly format: number;
  readonly stack: string;
  /** SHA-256 of the synthesized stack, hexadecimal. */
  readonly synthesized: string;
  readonly flags: Partial<PlanOptions>;
  /** Values given by `--var` that no later file has replaced: none of them is sensitive. */
  readonly variables: Readonly<Record<string, string>>;
  /** True if there was a state to key digests with. Without one, only the presence of a secret counts. */
  readonly isKeyed: boolean;
  /** Every variable that is not ephemeral, and every secret that would be sent, by address. */
  readonly values: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint;
}

/** @param isKeyed whether secrets are compared by digests with the state's key, where there is one */
function digestOf(planned: PlannedRun, isKeyed = true): Digest | undefined {
  // A snapshot has no key that would last.
  const key = isKeyed && planned.plan.takenAt === undefined ? digestKeyOf(planned) : undefined;
  return key === undefined ? undefined : (value) => createHmac("sha256", key).update(value).digest("hex");
}

export function promiseOf(planned: PlannedRun, digest: Digest | undefined): SavedPromise {
  const { plan, entry, options, given: givenValues } = planned;
  return {
    format: PROMISE_FORMAT,
    stack: plan.stack,
    synthesized: createHash("sha256").update(readFileSync(entry.file)).digest("hex"),
    flags: flagsOf(options),
    variables: Object.fromEntries(
      [...givenValues].flatMap(([name, one]) => (one.kind === "argument" ? [[name, one.text]] : [])),
    ),
    isKeyed: digest !== undefined,
    values: { ...variablesOf(planned, digest), ...secretsToSend(planned, digest) },
    fingerprint: fingerprint(plan, digest),
  };
}

/** Flags and variables that were given now, and are not those of the plan. */
function differentArguments(saved: SavedPromise, options: PlanOptions): readonly string[] {
  const givenFlags = flagsOf(options);
  const flags = Object.keys(givenFlags).filter(
    (name) => flagText(givenFlags, name) !== flagText(saved.flags, name),
  );
  // A value from another source may still be equal; the new plan will show it.
  const variables = [...valuesAmong(argumentsOf(options.variables))].filter(
    ([name, value]) => Object.hasOwn(saved.variables, name) && saved.variables[name] !== value,
  );
  return [...flags.map((name) => `the flag ${name}`), ...variables.map(([name]) => `the variable ${name}`)];
}

/** The differences between the promises, in a few words each. */
export function differencesOf(saved: SavedPromise, anew: SavedPromise): readonly string[] {
  const names = new Set([...Object.keys(saved.values), ...Object.keys(anew.values)]);
  const objects = differences(saved.fingerprint, anew.fingerprint);
  // If an object is planned differently, its secrets to be sent may differ, too.
  const isListed = (name: string) => objects.some((address) => name.startsWith(`${address}.`));
  return [
    ...(saved.synthesized === anew.synthesized ? [] : ["the synthesized stack"]),
    ...(saved.isKeyed === anew.isKeyed ? [] : ["the state"]),
    ...[...names].filter((name) => saved.values[name] !== anew.values[name] && !isListed(name)),
    ...objects,
  ];
}

/** The flags that make a difference: one that is off, or empty, is left out. */
function flagsOf(options: PlanOptions): Partial<PlanOptions> {
  const set = Object.keys(FLAG_SHAPES)
    .filter(isFlag)
    .filter((flag) => {
      const value = options[flag];
      return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
    });
  return Object.fromEntries(set.map((flag) => [flag, options[flag]]));
}

/** One key for the whole plan: that of the first provider by name which has one. */
function digestKeyOf({ run }: PlannedRun): Buffer | undefined {
  const keys = [...run.opened]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { target }]) => target.part.digestKey("saved plans"));
  return keys.find((key) => key !== undefined);
}

/** An ephemeral variable is given for each run, and may differ each time. */
function variablesOf({ stack, workspace }: PlannedRun, digest: Digest | undefined): Record<string, string> {
  return Object.fromEntries(
    stack.blocks.flatMap((block) => {
      if (block.kind !== "variable" || block.ephemeral) return [];
      const value = bare(workspace.valueAt(block.address));
      const text = isWhollyKnown(value) ? stringifyJson(value) : "unknown";
      return [[block.address, block.sensitive ? hiddenText(text, digest) : text]];
    }),
  );
}

/** Write-only values are in no plan, although the apply sends them. */
function secretsToSend({ objects }: PlannedRun, digest: Digest | undefined): Record<string, string> {
  return Object.fromEntries(
    objects.flatMap(({ change, config, resource }) => {
      if (change.action === "none") return [];
      return allAttributes(resource.description.attributes).flatMap(({ path, attribute }) => {
        const secret = attribute.writeOnly ? valueAt(config, path) : null;
        if (typeof secret !== "string") return [];
        return [[`${change.address}.${formatPath(path)}`, hiddenText(secret, digest)]];
      });
    }),
  );
}

function hiddenText(text: string, digest: Digest | undefined): string {
  return digest?.(text) ?? SENSITIVE_TEXT;
}

function flagText(flags: Partial<PlanOptions>, name: string): string {
  return JSON.stringify(flags[name as keyof PlanOptions]) ?? "";
}
