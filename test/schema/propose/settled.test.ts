import * as fc from "fast-check";
import { remember, type Memory } from "../../../src/plan";
import { resources } from "../../../src/resources";
import { isCertainlyUnchanged } from "../../../src/schema";
import { configurations, liveRecords } from "../../support/record-values";

const FAMILIES = [...resources].flatMap(([type, resource]) =>
  resource.inventory === undefined ? [] : [{ type, resource, inventory: resource.inventory }],
);

/** Whatever an earlier run may have left. */
const memories = fc
  .record({
    digest: fc.constantFrom("same" as const, "different" as const, "none" as const),
    version: fc.constantFrom(undefined, null, null, 1),
  })
  .map(({ digest, version }): Memory => ({
    digest: () => digest,
    version: () => version,
    isOnlyRecorded: () => false,
  }));

describe.each(FAMILIES)("$type", ({ resource, inventory }) => {
  const { attributes } = resource.description;
  const cases = configurations(attributes).chain((config) =>
    fc.record({
      config: fc.constant(config),
      self: liveRecords(attributes, config, "self"),
      primary: fc.option(liveRecords(attributes, config, "primary"), { nil: undefined, freq: 10 }),
      memory: memories,
      resetPasswords: fc.boolean(),
    }),
  );

  test("is called settled only where planning it in full finds nothing to do, and nothing to say", () => {
    let settled = 0;
    fc.assert(
      fc.property(cases, ({ config, self, primary, memory, resetPasswords }) => {
        const records = { self, primary };
        const remembersVersions = typeof memory.version([]) === "number";
        if (!isCertainlyUnchanged(attributes, config, records, remembersVersions)) return;
        settled += 1;
        const { prior: known, recorded } = remember(attributes, config, records, memory, { resetPasswords });
        const { action, changes, findings } = resource.propose(config, inventory.stateOf(records, known), {
          asOf: new Date(0),
        });
        expect(recorded).toEqual([]);
        expect(changes.map(({ path }) => path.join("."))).toEqual([]);
        expect(findings).toEqual([]);
        expect(action).toBe("none");
      }),
      { numRuns: 1500 },
    );
    expect(settled).toBeGreaterThan(20);
  });
});
