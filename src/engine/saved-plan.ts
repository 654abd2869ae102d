/** A plan as a file: Terraform's JSON plan representation, and beside it what `apply FILE` holds a new plan to (design §4). */
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { BrokenPlan, PlanOutdated } from "../errors";
import { differences, fingerprint, type Fingerprint } from "../plan";
import { jsonPlan } from "../render/json";
import { isObject, parseJson, stringifyJson, type Value } from "../values";
import type { PlanOptions } from "./options";
import { planStack, type PlannedRun } from "./plan-stack";

/** Version of what stands under `tenancy.saved`. */
const FORMAT = 1;

/** The options that decide what a plan is; a saved plan is made anew with the same ones. */
const FLAGS = [
  "only",
  "exclude",
  "destroy",
  "allowAccountDeletion",
  "allowNonempty",
  "allowSelfChange",
  "maxDeletes",
  "resetPasswords",
  "initStore",
] as const satisfies readonly (keyof PlanOptions)[];

interface Saved {
  readonly format: number;
  readonly stack: string;
  /** SHA-256 of the synthesized stack, hexadecimal. */
  readonly synthesized: string;
  readonly flags: Partial<PlanOptions>;
  /** Values given by `--var`: none of them is sensitive. */
  readonly variables: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint;
}

export function savedPlan(planned: PlannedRun): string {
  const json = jsonPlan(planned.plan);
  return `${stringifyJson({ ...json, tenancy: { ...json.tenancy, saved: savedPart(planned) } }, 2)}\n`;
}

/**
 * Plans anew, with the flags and variables of the file.
 * @throws BrokenPlan, PlanOutdated
 */
export async function requireSame(text: string, outdir: string, options: PlanOptions): Promise<PlannedRun> {
  const saved = parseSaved(text);
  const planned = await planStack(
    { name: saved.stack, outdir },
    { ...options, ...saved.flags, variables: { ...saved.variables, ...options.variables } },
  );
  const anew = savedPart(planned);
  const changed = [
    ...(saved.synthesized === anew.synthesized ? [] : ["the synthesized stack"]),
    ...differences(saved.fingerprint, anew.fingerprint),
  ];
  if (changed.length === 0) return planned;
  await planned.run.close();
  throw new PlanOutdated(changed);
}

function savedPart({ plan, loaded, options, run }: PlannedRun): Saved {
  const [first] = run.opened.values();
  const key = first?.target.ledger.digestKey("saved plans");
  const digest =
    key === undefined ? undefined : (value: string) => createHmac("sha256", key).update(value).digest("hex");
  return {
    format: FORMAT,
    stack: plan.stack,
    synthesized: createHash("sha256").update(readFileSync(loaded.entry.file)).digest("hex"),
    flags: Object.fromEntries(
      FLAGS.flatMap((flag) => (options[flag] === undefined ? [] : [[flag, options[flag]]])),
    ),
    variables: options.variables ?? {},
    fingerprint: fingerprint(plan, digest),
  };
}

function parseSaved(text: string): Saved {
  let json: Value;
  try {
    json = parseJson(text);
  } catch (cause) {
    throw new BrokenPlan("the file is not JSON", { cause });
  }
  const tenancy = isObject(json) ? json["tenancy"] : undefined;
  const saved = isObject(tenancy) ? tenancy["saved"] : undefined;
  if (!isObject(saved)) throw new BrokenPlan("the file is no plan that tenancy plan --out has written");
  if (saved["format"] !== FORMAT)
    throw new BrokenPlan(`the plan has the format ${stringifyJson(saved["format"])}, not ${FORMAT}`);
  const { stack, synthesized, flags, variables, fingerprint: marks } = saved;
  const isSound =
    typeof stack === "string" &&
    typeof synthesized === "string" &&
    isObject(flags) &&
    isObject(variables) &&
    isObject(marks) &&
    Array.isArray(marks["targets"]) &&
    Array.isArray(marks["objects"]);
  if (!isSound) throw new BrokenPlan("the plan is incomplete");
  const known = Object.fromEntries(
    Object.entries(flags).filter(([flag]) => (FLAGS as readonly string[]).includes(flag)),
  );
  return { ...(saved as unknown as Saved), flags: known };
}
