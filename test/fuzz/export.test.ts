/** Code of many services that somebody has filled by hand: it compiles, is formatted, and plans nothing but adoptions. */
import * as fc from "fast-check";
import { type Files, roundTrip, typeErrors } from "../support/exported-code";
import { services } from "../support/live-services";
import { projects } from "../support/projects";
import { rounds } from "../support/rounds";

const start = projects();

test("200 services are exported, compiled under strict, and planned without a change", async () => {
  const project = await start();
  const exported: Files[] = [];
  await fc.assert(
    fc.asyncProperty(services, async (service) => {
      exported.push(await roundTrip(project, service));
    }),
    // To make a whole service smaller takes longer than to read it.
    { numRuns: rounds(200), endOnFailure: true },
  );
  expect(exported.length).toBeGreaterThanOrEqual(200);
  expect(typeErrors(exported)).toEqual([]);
});
