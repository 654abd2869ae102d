/** Reads what a saved plan promises; its text may come from anywhere. */
import { BrokenPlan } from "../../errors";
import { isList, isObject, parseJson, stringifyJson, type ObjectValue, type Value } from "../../values";
import { FLAGS, FORMAT, type SavedPromise } from "./promise";

/** @throws BrokenPlan */
export function readSaved(text: string): SavedPromise {
  const tenancy = member(parse(text), "tenancy");
  const saved = member(tenancy, "saved");
  if (!isObject(saved)) throw new BrokenPlan("the file is not a plan that tenancy plan --out wrote");
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
    Object.entries(flags as ObjectValue).every(([name, value]) => !isFlag(name) || FITS[name](value)) &&
    Object.values(variables as ObjectValue).every((value) => typeof value === "string") &&
    isList(member(fingerprint, "targets")) &&
    isMarks(member(fingerprint, "objects"))
  );
}

function isFlag(name: string): name is Flag {
  return (FLAGS as readonly string[]).includes(name);
}

type Flag = (typeof FLAGS)[number];

const isTruth = (value: Value): boolean => typeof value === "boolean";
const isTexts = (value: Value): boolean => isList(value) && value.every((text) => typeof text === "string");

/** The types of the flags. */
const FITS: Readonly<Record<Flag, (value: Value) => boolean>> = {
  only: isTexts,
  exclude: isTexts,
  destroy: isTruth,
  allowAccountDeletion: (value) => isTruth(value) || isTexts(value),
  allowNonempty: isTruth,
  allowSelfChange: isTruth,
  maxDeletes: (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  resetPasswords: isTruth,
  initStore: isTruth,
  noPrune: isTruth,
};

function isMarks(value: Value | undefined): boolean {
  return isList(value) && value.every((mark) => typeof member(mark, "address") === "string");
}

function member(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) ? value[name] : undefined;
}
