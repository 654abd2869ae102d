/** Defines the functions that convert, mark and try values. */
import { expressionFailed } from "../../problems";
import {
  allMarksOf,
  bare,
  clearMark,
  isUnknown,
  isWhollyKnown,
  mark,
  marksOf,
  unwrap,
  SENSITIVE,
  UNKNOWN,
  withoutEphemeral,
} from "../../values";
import { convertOrFail } from "../convert";
import type { FunctionDefinition } from "../scope";
import { defineStructural, onlyArgument } from "./define";
import { anything } from "./parameters";

/** True if the argument does not fail; unknown while it is not wholly known. */
const can: FunctionDefinition = {
  name: "can",
  attempt([arg, ...more]) {
    if (arg === undefined || more.length > 0) throw expressionFailed.error("can: it takes one argument");
    try {
      const value = arg();
      return mark(isWhollyKnown(bare(value)) ? true : UNKNOWN, allMarksOf(value));
    } catch (error) {
      if (expressionFailed.is(error)) return false;
      throw error;
    }
  },
};

/** The first argument that does not fail; while it isn't wholly known, it may still fail at apply. */
const tryEach: FunctionDefinition = {
  name: "try",
  attempt(args) {
    for (const arg of args) {
      try {
        const value = arg();
        return isWhollyKnown(bare(value)) ? value : UNKNOWN;
      } catch (error) {
        if (!expressionFailed.is(error)) throw error;
      }
    }
    throw expressionFailed.error(
      args.length === 0 ? "try: at least one argument is required" : "try: every argument fails",
    );
  },
};

/** Everything ephemeral in the value becomes null, so that the rest can be kept. */
const ephemeralasnull: FunctionDefinition = {
  name: "ephemeralasnull",
  call: (args) => withoutEphemeral(onlyArgument("ephemeralasnull", args)),
};

/** False about an unknown value is not certain yet: the apply may find it sensitive. */
const issensitive: FunctionDefinition = {
  name: "issensitive",
  call(args) {
    const argument = onlyArgument("issensitive", args);
    if (marksOf(argument) & SENSITIVE) return true;
    return isUnknown(unwrap(argument)) ? UNKNOWN : false;
  },
};

/** Only the mark on the whole is taken away; marks on parts stay. */
const nonsensitive: FunctionDefinition = {
  name: "nonsensitive",
  call: (args) => clearMark(onlyArgument("nonsensitive", args), SENSITIVE),
};

const sensitive = defineStructural("sensitive", [anything("value")], ([value]) => mark(value, SENSITIVE));

const tobool = defineStructural("tobool", [anything("v")], ([v]) => convertOrFail(v, "bool"));

const tolist = defineStructural("tolist", [anything("v")], ([v]) =>
  convertOrFail(v, { kind: "list", element: "any" }),
);

const tomap = defineStructural("tomap", [anything("v")], ([v]) =>
  convertOrFail(v, { kind: "map", element: "any" }),
);

const tonumber = defineStructural("tonumber", [anything("v")], ([v]) => convertOrFail(v, "number"));

const toset = defineStructural("toset", [anything("v")], ([v]) =>
  convertOrFail(v, { kind: "set", element: "any" }),
);

const tostring = defineStructural("tostring", [anything("v")], ([v]) => convertOrFail(v, "string"));

export const valueFunctions: readonly FunctionDefinition[] = [
  can,
  tryEach,
  ephemeralasnull,
  issensitive,
  nonsensitive,
  sensitive,
  tobool,
  tolist,
  tomap,
  tonumber,
  toset,
  tostring,
];
