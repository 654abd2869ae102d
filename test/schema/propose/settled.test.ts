import * as fc from "fast-check";
import { resources } from "../../../src/resources";
import { isUnchanged, type Last, lastValue, type Verdict } from "../../../src/schema";
import { configurations, liveRecords } from "../../support/record-values";

const FAMILIES = [...resources].flatMap(([type, resource]) =>
  resource.inventory === undefined ? [] : [{ type, resource, inventory: resource.inventory }],
);

describe.each(FAMILIES)("$type", ({ resource, inventory }) => {
  const { attributes } = resource.description;
  const cases = configurations(attributes).chain((config) =>
    fc.record({
      config: fc.constant(config),
      self: liveRecords(attributes, config, "self"),
      primary: fc.option(liveRecords(attributes, config, "primary"), { nil: undefined, freq: 10 }),
      // The declaration may agree with the last apply, or differ from it.
      agreement: fc.constantFrom<ReturnType<Last["compare"]>>("same", "another", "none", "recorded"),
    }),
  );

  test("is called settled only where comparing it in full finds nothing to do, and nothing to say", () => {
    let settled = 0;
    fc.assert(
      fc.property(cases, ({ config, self, primary, agreement }) => {
        const records = { self, primary };
        const isOpen = (config["permissions"] ?? null) === null || config["undeclared_rights"] === "keep";
        if (isOpen || !isUnchanged(attributes, config, records)) return;
        settled += 1;
        const outcomes: Verdict[] = [];
        const prior = inventory.stateOf(records, config, new Date(0), {
          unset: new Set(),
          lastOf: ({ attribute }) => (attribute.shown ? { compare: () => agreement } : lastValue(undefined)),
          note: (_path, outcome) => outcomes.push(outcome),
        });
        const { action, changes, findings } = resource.propose(config, prior, { asOf: new Date(0) });
        expect(outcomes.filter((outcome) => outcome !== "same")).toEqual([]);
        expect(changes.map(({ path }) => path.join("."))).toEqual([]);
        expect(findings).toEqual([]);
        expect(action).toBe("none");
      }),
      { numRuns: 1500 },
    );
    expect(settled).toBeGreaterThan(20);
  });
});
