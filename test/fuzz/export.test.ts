/** Code of many services that somebody has filled by hand: it compiles, is formatted, and plans nothing but imports. */
import { Permissions, Tenant } from "tenancy";
import * as fc from "fast-check";
import { exportLive } from "../../src/engine";
import { type Files, roundTrip, typeErrors } from "../support/exported-code";
import { services } from "../support/live-services";
import { type Build, projects } from "../support/projects";
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

test("code that joins what a project declares compiles under strict, with its tokens", async () => {
  const project = await start();
  const declared: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { csi: { permissions: Permissions.none() } },
      tokens: { "csi-prod": { user: "csi" }, own: {} },
    });
  await project.apply(declared);
  const codeFor = async (build: Build) => {
    const source = project.synthesize(build, { owner: "acme-platform" });
    return (await exportLive(source, project.options())).files;
  };
  const whole = await codeFor(() => undefined);
  expect(whole.get("acme.ts")).toContain("tokens: {");
  project.service.records.createProfile("acme", { username: "bob" });
  const beside = await codeFor((stack) => {
    const acme = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() });
    acme.addUser("csi", { permissions: Permissions.none() });
  });
  expect(beside.get("acme.ts")).toContain('tenant.addToken("csi-prod", {');
  expect(beside.get("acme.ts")).toContain("bob.importFrom();");
  expect(typeErrors([whole, beside])).toEqual([]);
});
