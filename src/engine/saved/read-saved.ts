/** Reads what a saved plan promises; its text may come from anywhere. */
import { BrokenPlan } from "../../errors";
import { isObject, parseJson, stringifyJson, type ObjectValue, type Value } from "../../values";
import { FLAGS, FORMAT, type SavedPromise } from "./promise";

/** @throws BrokenPlan */
export function readSaved(text: string): SavedPromise {
  const tenancy = member(parse(text), "tenancy");
  const saved = member(tenancy, "saved");
  if (!isObject(saved)) throw new BrokenPlan("the file is no plan that tenancy plan --out has written");
  if (saved["format"] !== FORMAT) {
    const format = stringifyJson(saved["format"] ?? null);
    throw new BrokenPlan(`the plan has the format ${format}, not ${FORMAT}`);
  }
  if (!isWhole(saved)) throw new BrokenPlan("the plan is incomplete");
  const flags = Object.entries(saved["flags"] as ObjectValue).filter(([name]) => isFlag(name));
  return { ...(saved as unknown as SavedPromise), flags: Object.fromEntries(flags) };
}

function parse(text: string): Value {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BrokenPlan("the file is not JSON", { cause });
  }
}

function isWhole(saved: ObjectValue): boolean {
  const { stack, synthesized, flags, variables, isKeyed, values, fingerprint } = saved;
  return (
    typeof stack === "string" &&
    typeof synthesized === "string" &&
    typeof isKeyed === "boolean" &&
    [flags, variables, values].every(isObject) &&
    Object.values(variables as ObjectValue).every((value) => typeof value === "string") &&
    Array.isArray(member(fingerprint, "targets")) &&
    Array.isArray(member(fingerprint, "objects"))
  );
}

function isFlag(name: string): boolean {
  return (FLAGS as readonly string[]).includes(name);
}

function member(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) ? value[name] : undefined;
}
