import { elementsOfEach, instanceCount, isEnabled } from "../../../src/engine/evaluate/instances";
import { invalidExpansion } from "../../../src/problems";
import { convertOrFail, parseType } from "../../../src/lib/language";
import { EPHEMERAL, mark, type Marked, SENSITIVE, UNKNOWN } from "../../../src/lib/values";

const ADDRESS = "tenancy_account.acme";
const set = (elements: readonly Marked[], type = "set(any)") => convertOrFail(elements, parseType(type));

/** What an error says, and what it advises. */
function failure(act: () => unknown): readonly (string | undefined)[] {
  try {
    act();
  } catch (error) {
    if (!invalidExpansion.is(error)) throw error;
    expect(error.where.address).toBe(ADDRESS);
    return [error.message, error.advice];
  }
  throw new Error("it was accepted");
}

test("count is a number, or a text that is one", () => {
  expect(instanceCount(ADDRESS, 3)).toBe(3);
  expect(instanceCount(ADDRESS, "3")).toBe(3);
});

test("for_each gives the keys of a map in order, and the elements of a set", () => {
  expect(elementsOfEach(ADDRESS, { b: 1, a: 2 })).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  expect(elementsOfEach(ADDRESS, set(["b", "a"]))).toEqual([
    ["a", "a"],
    ["b", "b"],
  ]);
});

test.each<[Marked, string, string]>([
  [-1, "from 0 to 1000000, not -1", "length(var.names)"],
  [1.5, "not 1.5", "length(var.names)"],
  [5e12, "not 5000000000000", "length(var.names)"],
  ["many", "not a string", "length(var.names)"],
  [null, "not null", "length(var.names)"],
  [UNKNOWN, "known only after apply", "--only"],
  [mark(1, SENSITIVE), "sensitive", "nonsensitive"],
])("a count of %s is refused with advice", (value, problem, advice) => {
  expect(failure(() => instanceCount(ADDRESS, value))).toEqual([
    expect.stringContaining(problem),
    expect.stringContaining(advice),
  ]);
});

test.each<[string, Marked, string, string]>([
  ["a list", ["a"], "not a list", "toset"],
  ["a text", "a", "not a string", "toset"],
  ["null", null, "not null", "toset"],
  ["a set of numbers", set([1]), "must be strings, not 1", "tostring"],
  ["a set with something unknown", set(["a", UNKNOWN]), "known only after apply", "a name instead of an id"],
])("for_each over %s is refused with advice", (_what, value, problem, advice) => {
  expect(failure(() => elementsOfEach(ADDRESS, value))).toEqual([
    expect.stringContaining(problem),
    expect.stringContaining(advice),
  ]);
});

test("enabled is true or false, or a text that is one of them", () => {
  expect(isEnabled(ADDRESS, true)).toBe(true);
  expect(isEnabled(ADDRESS, "false")).toBe(false);
});

test.each<[Marked, string, string]>([
  ["yes", "not a string", "condition"],
  [1, "not 1", "condition"],
  [null, "not null", "condition"],
  [UNKNOWN, "known only after apply, so the plan cannot tell whether the object exists", "--only"],
  [mark(true, SENSITIVE), "sensitive", "nonsensitive"],
  [mark(true, EPHEMERAL), "ephemeral", "same in every run"],
])("enabled = %s is refused with advice", (value, problem, advice) => {
  expect(failure(() => isEnabled(ADDRESS, value))).toEqual([
    expect.stringContaining(problem),
    expect.stringContaining(advice),
  ]);
});
