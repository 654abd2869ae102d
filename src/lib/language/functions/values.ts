/** Defines the functions that convert, mark and try values. */
import { expressionFailed } from "../../../problems";
import {
  allMarksOf,
  bare,
  clearMark,
  isUnknown,
  isWhollyKnown,
  mark,
  type Marked,
  marksOf,
  unwrap,
  SECRET,
  SENSITIVE,
  UNKNOWN,
  withoutEphemeral,
} from "../../values";
import { convertOrFail } from "../convert";
import { Cursor } from "../cursor";
import { readExpression } from "../grammar";
import type { ExpressionFunction } from "../scope";
import { readType } from "../type-constraint";
import { defineStructural, onlyArgument } from "./define";
import { anything, text } from "./parameters";

/** True if the argument does not fail; unknown while it is not wholly known. */
const can: ExpressionFunction = {
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

/** The first argument that does not fail; while it isn't wholly known, it may still fail at apply, and a later one may take its place. */
const tryEach: ExpressionFunction = {
  name: "try",
  attempt(args) {
    for (const [index, arg] of args.entries()) {
      const value = attempted(arg);
      if (value === FAILED) continue;
      if (isWhollyKnown(bare(value))) return value;
      const later = args.slice(index + 1).map(attempted);
      return mark(UNKNOWN, allMarksOf([value, ...later.filter((one) => one !== FAILED)]));
    }
    throw expressionFailed.error(
      args.length === 0 ? "try: at least one argument is required" : "try: every argument fails",
    );
  },
};

const FAILED = Symbol("failed");

function attempted(arg: () => Marked): Marked | typeof FAILED {
  try {
    return arg();
  } catch (error) {
    if (expressionFailed.is(error)) return FAILED;
    throw error;
  }
}

/** The grammar has read the type, and hands in its text. As in Terraform, a mark on a part is then on the whole. */
const convertToType = defineStructural(
  "convert",
  [anything("value"), text("type")],
  ([value, type], environment) => {
    const cursor = new Cursor(type);
    const target = readType(cursor, () =>
      bare(environment.render({ text: type, root: readExpression(cursor) }, new Map())),
    );
    return mark(convertOrFail(value, target), allMarksOf(value));
  },
);

/** Everything ephemeral in the value becomes null, so that the rest can be kept. */
const ephemeralasnull: ExpressionFunction = {
  name: "ephemeralasnull",
  call: (args) => withoutEphemeral(onlyArgument("ephemeralasnull", args)),
};

/** False about an unknown value is not certain yet: the apply may find it sensitive. */
const issensitive: ExpressionFunction = {
  name: "issensitive",
  call(args) {
    const argument = onlyArgument("issensitive", args);
    if (marksOf(argument) & SENSITIVE) return true;
    return isUnknown(unwrap(argument)) ? UNKNOWN : false;
  },
};

/** Only the mark on the whole is taken away; marks on parts stay. A token stays sensitive, and so does everything that is made of one. */
const nonsensitive: ExpressionFunction = {
  name: "nonsensitive",
  call(args) {
    const argument = onlyArgument("nonsensitive", args);
    if (marksOf(argument) & SECRET)
      throw expressionFailed.error("nonsensitive: the value is a token, or is made of one", {
        advice:
          "A token stays sensitive. Mark the output as sensitive, and read it with `tenancy output NAME --raw`.",
      });
    return clearMark(argument, SENSITIVE);
  },
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

export const valueFunctions: readonly ExpressionFunction[] = [
  can,
  tryEach,
  convertToType,
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
