/** The table of one diff, row by row, and draws of everything between its rows. */
import * as fc from "fast-check";
import { NOT_IN_SNAPSHOT, textOf, UNKNOWN, type Value } from "../../src/lib/values";
import { diff, lastValue, maskFits, NOT_SEEN, type Last, type Verdict, same, text } from "../../src/schema";

const NUMBER = text("Number.").orNull().shownMasked();
const FITTING = "*****67";
const OTHER = "*****89";
const NONE = undefined;
/** A write of the value did not end. */
const PENDING: Last = { compare: () => "another" };
const RECORDED: Last = { compare: () => "recorded" };
const UNREAD: Last = { compare: () => "not known" };
const [NOT_SHOWN, NOT_DECLARED] = [undefined, undefined];

/** Declared, live and last value, and the verdict. */
type Row = readonly [Value | undefined, Value | undefined, Value | undefined | Last, Verdict];

const lastOf = (last: Row[2]) =>
  typeof last === "object" && last !== null && "compare" in last ? (last as Last) : lastValue(last);

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  "unknown: known after apply": [
    [UNKNOWN, "1", "1", "known after apply"],
    [[UNKNOWN], NOT_SHOWN, NONE, "known after apply"],
  ],
  "a value that is live, or a mask that fits it: nothing, and it becomes the last one": [
    ["1234567", "1234567", NONE, "same"],
    ["1234567", "1234567", "7", "same"],
    ["1234567", FITTING, "1234567", "same"],
    ["1234567", FITTING, RECORDED, "same"],
    ["1234567", FITTING, NONE, "recorded"],
    // The mask does not show that the declaration has changed, or that a write did not end.
    ["1234567", FITTING, "7654367", "update"],
    ["1234567", FITTING, PENDING, "update"],
  ],
  "a value that the last apply left, and another one is live: put back": [
    ["1", "2", "1", "put back"],
    ["1", null, "1", "put back"],
    ["1234567", OTHER, "1234567", "put back"],
  ],
  "a value, and another one is live and was left: update": [
    ["1", "2", "2", "update"],
    ["1", "2", null, "update"],
    ["1", null, NONE, "update"],
    ["1234567", OTHER, NONE, "update"],
    ["1234567", OTHER, "1234589", "update"],
  ],
  "a value that is not shown: nothing, sent, or sent once": [
    ["1", NOT_SHOWN, "1", "same"],
    ["1", NOT_SHOWN, "2", "update"],
    ["1", NOT_SHOWN, null, "update"],
    ["1", NOT_SHOWN, PENDING, "update"],
    ["1", NOT_SHOWN, NONE, "sent once"],
    ["1", NOT_SHOWN, RECORDED, "sent once"],
  ],
  "cleared, and shown": [
    [null, "1", "1", "update"],
    [null, "1", null, "update"],
    [null, FITTING, NONE, "update"],
    [null, null, "1", "same"],
  ],
  "cleared, and not shown: nothing, or sent once": [
    [null, NOT_SHOWN, null, "same"],
    [null, NOT_SHOWN, "1", "sent once"],
    [null, NOT_SHOWN, NONE, "sent once"],
    [null, NOT_SHOWN, PENDING, "sent once"],
    [null, NOT_SHOWN, RECORDED, "sent once"],
  ],
  "not declared: stays, or not managed": [
    [NOT_DECLARED, "2", "1", "stays"],
    [NOT_DECLARED, NOT_SHOWN, "1", "stays"],
    [NOT_DECLARED, "1", NONE, "not managed"],
    [NOT_DECLARED, "1", null, "not managed"],
  ],
  "a record that the caller does not see: recorded, not sent": [
    ["1", NOT_SEEN, NONE, "recorded"],
    ["1", NOT_SEEN, "1", "same"],
    [null, NOT_SEEN, "1", "same"],
  ],
  "what a snapshot lacks is not known": [
    ["1", NOT_IN_SNAPSHOT, "1", "not known"],
    ["1", NOT_SHOWN, UNREAD, "not known"],
  ],
};

describe.each(Object.entries(TABLE))("%s", (_row, cases) => {
  test.each(cases)("case %#", (declared, live, last, outcome) => {
    expect(diff(NUMBER, declared, live, lastOf(last))).toBe(outcome);
  });
});

test("a version, or what only a create sends, is recorded and not sent", () => {
  for (const attribute of [text("Version.").clientOnly(), text("Template.").onCreate().notShown()]) {
    expect(diff(attribute, "1", NOT_SHOWN, lastValue(NONE))).toBe("recorded");
    expect(diff(attribute, "1", NOT_SHOWN, RECORDED)).toBe("same");
    expect(diff(attribute, "2", NOT_SHOWN, lastValue("1"))).toBe("update");
    expect(diff(attribute, "2", NOT_SHOWN, PENDING)).toBe("update");
  }
});

test("of a text that is never masked, what looks like a mask is another value", () => {
  expect(diff(text("Motto."), "1234567", FITTING, lastValue("1234567"))).toBe("put back");
});

describe("whatever is declared, live and left", () => {
  const texts = ["", "1234567", "7654367", "1234589", FITTING, OTHER, "********"];
  const values = fc.constantFrom<Value>(null, ...texts);
  const unless = fc.option(values, { nil: undefined });
  const cases = fc.record({ declared: values, live: unless, last: unless });
  const isMaskOf = (live: Value | undefined, declared: Value) =>
    textOf(live)?.includes("*") === true &&
    declared !== null &&
    maskFits(textOf(live) ?? "", textOf(declared) ?? "");

  test("a write follows from a difference that is shown or from one that was left, and from nothing else", () => {
    fc.assert(
      fc.property(cases, ({ declared, live, last }) => {
        const outcome = diff(NUMBER, declared, live, lastValue(last));
        const isWritten = ["put back", "update", "sent once"].includes(outcome);
        const isShown = live !== undefined && !isMaskOf(live, declared);
        if (isShown) expect(isWritten).toBe(!same(NUMBER, declared, live));
        else if (last !== undefined) expect(isWritten).toBe(!same(NUMBER, declared, last));
        else expect(isWritten).toBe(live === undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test("what is as the apply before left it converges: the second diff finds nothing", () => {
    fc.assert(
      fc.property(cases, ({ declared, live }) => {
        const isTaken = live === undefined || isMaskOf(live, declared);
        expect(diff(NUMBER, declared, isTaken ? live : declared, lastValue(declared))).toBe("same");
      }),
    );
  });
});
