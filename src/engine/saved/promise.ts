/** What a saved plan promises: a plan made anew must promise the same, or something has moved on. */
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { bare } from "../../expressions";
import { differences, fingerprint, type Fingerprint } from "../../plan";
import { allAttributes } from "../../schema";
import { formatPath, isWhollyKnown, stringifyJson, valueAt } from "../../values";
import { argumentsOf, valuesAmong } from "../inputs/variable-arguments";
import type { PlanOptions } from "../options";
import type { PlannedRun } from "../plan-stack";

/** Version of what stands under `tenancy.saved`. */
export const FORMAT = 1;

/** The options that decide what a plan is; a saved plan is made anew with the same ones. */
export const FLAGS = [
  "only",
  "exclude",
  "destroy",
  "allowAccountDeletion",
  "allowNonempty",
  "allowSelfChange",
  "maxDeletes",
  "resetPasswords",
  "initStore",
  "noPrune",
] as const satisfies readonly (keyof PlanOptions)[];

type Digest = (value: string) => string;

export interface SavedPromise {
  readonly format: number;
  readonly stack: string;
  /** SHA-256 of the synthesized stack, hexadecimal. */
  readonly synthesized: string;
  readonly flags: Partial<PlanOptions>;
  /** Values given by `--var` that no later file has replaced: none of them is sensitive. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether there was a store to key digests with; without one, only the presence of a secret counts. */
  readonly isKeyed: boolean;
  /** Every variable that lasts, and every secret that would be sent, by address. */
  readonly values: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint;
}

/** @param isKeyed whether secrets are told apart by the store's key, where there is one */
export function promiseOf(planned: PlannedRun, isKeyed = true): SavedPromise {
  const { plan, loaded, options, given } = planned;
  const key = isKeyed ? digestKeyOf(planned) : undefined;
  const digest: Digest | undefined =
    key === undefined ? undefined : (value) => createHmac("sha256", key).update(value).digest("hex");
  return {
    format: FORMAT,
    stack: plan.stack,
    synthesized: createHash("sha256").update(readFileSync(loaded.entry.file)).digest("hex"),
    flags: flagsOf(options),
    variables: argumentsIn(given),
    isKeyed: key !== undefined,
    values: { ...variablesOf(planned, digest), ...secretsOf(planned, digest) },
    fingerprint: fingerprint(plan, digest),
  };
}

/** Flags and variables that were given now, and are not those of the plan. */
export function differentArguments(saved: SavedPromise, options: PlanOptions): readonly string[] {
  const given = flagsOf(options);
  const flags = Object.keys(given).filter((name) => stringify(given, name) !== stringify(saved.flags, name));
  // A value that the plan was not given in this way may be the same all the same: that is seen when it is made anew.
  const variables = [...valuesAmong(argumentsOf(options.variables))].filter(
    ([name, value]) => Object.hasOwn(saved.variables, name) && saved.variables[name] !== value,
  );
  return [...flags.map((name) => `the flag ${name}`), ...variables.map(([name]) => `the variable ${name}`)];
}

function argumentsIn(given: PlannedRun["given"]): Readonly<Record<string, string>> {
  const values = [...given].flatMap(([name, one]) => (one.kind === "argument" ? [[name, one.text]] : []));
  return Object.fromEntries(values) as Readonly<Record<string, string>>;
}

/** What the two do not promise alike, in a few words each. */
export function differencesOf(saved: SavedPromise, anew: SavedPromise): readonly string[] {
  const names = new Set([...Object.keys(saved.values), ...Object.keys(anew.values)]);
  const objects = differences(saved.fingerprint, anew.fingerprint);
  // Of an object that is planned otherwise, other secrets would be sent as well.
  const isTold = (name: string) => objects.some((address) => name.startsWith(`${address}.`));
  return [
    ...(saved.synthesized === anew.synthesized ? [] : ["the synthesized stack"]),
    ...(saved.isKeyed === anew.isKeyed ? [] : ["the credential store"]),
    ...[...names].filter((name) => saved.values[name] !== anew.values[name] && !isTold(name)),
    ...objects,
  ];
}

/** What is off, or empty, is as good as not given. */
function flagsOf(options: PlanOptions): Partial<PlanOptions> {
  const set = FLAGS.filter((flag) => {
    const value = options[flag];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  });
  return Object.fromEntries(set.map((flag) => [flag, options[flag]]));
}

/** One key for the whole plan: that of the first provider by name which has one. */
function digestKeyOf({ run }: PlannedRun): Buffer | undefined {
  const keys = [...run.opened]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { target }]) => target.ledger.digestKey("saved plans"));
  return keys.find((key) => key !== undefined);
}

/** An ephemeral variable is given anew for each run, and may be another one each time. */
function variablesOf({ loaded, workspace }: PlannedRun, digest: Digest | undefined): Record<string, string> {
  return Object.fromEntries(
    loaded.stack.blocks.flatMap((block) => {
      if (block.kind !== "variable" || block.ephemeral) return [];
      const value = bare(workspace.valueAt(block.address));
      const text = isWhollyKnown(value) ? stringifyJson(value) : "unknown";
      return [[block.address, block.sensitive ? hidden(text, digest) : text]];
    }),
  );
}

/** Write-only values stand in no plan, though they are what would be sent. */
function secretsOf({ objects }: PlannedRun, digest: Digest | undefined): Record<string, string> {
  return Object.fromEntries(
    objects.flatMap(({ change, config, resource }) => {
      if (change.action === "none") return [];
      return allAttributes(resource.description.attributes).flatMap(({ path, attribute }) => {
        const secret = attribute.writeOnly ? valueAt(config, path) : null;
        if (typeof secret !== "string") return [];
        return [[`${change.address}.${formatPath(path)}`, hidden(secret, digest)]];
      });
    }),
  );
}

function hidden(text: string, digest: Digest | undefined): string {
  return digest?.(text) ?? "(sensitive value)";
}

function stringify(flags: Partial<PlanOptions>, name: string): string {
  return JSON.stringify(flags[name as keyof PlanOptions]) ?? "";
}
