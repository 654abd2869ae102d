import { apply, planRotation } from "../../../src/engine";
import { listTokens } from "../../../src/engine/tokens/list";
import { csiToken, failedRevocation, intent } from "../../state/samples";
import { projects } from "../../support/projects";
import { acme, kept, leave } from "./support";

const start = projects();

test("tokens are listed with what is unsettled, without any secret and without asking anybody", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { intents: [intent], failed_revocations: [failedRevocation] });
  project.service.clearRequests();
  const { environment } = project;
  const lists = await listTokens([project.synthesize(acme())], {
    projectFolder: project.folder,
    environment: { TENANCY_BASE_URL: environment["TENANCY_BASE_URL"] },
  });
  const { record } = (await kept(project)).tokens[0]!;
  expect(lists).toEqual([
    {
      state: project.state,
      origin: project.service.baseUrl,
      exists: true,
      doubtful: [],
      stack: "prod",
      provider: "tenancy",
      tokens: [
        {
          login: "csi@acme",
          name: "prod",
          serial: record.serial,
          createdAt: record["created_at"],
          persistent: true,
          rotatesOn: null,
          endsAt: null,
          digest: record["access_token_digest"],
          previous: [],
          refusedAt: null,
        },
      ],
      intents: [
        {
          id: intent.id,
          login: "csi@globex",
          name: "csi-prod",
          loginWith: "password",
          startedAt: "2026-01-02T03:04:05.678Z",
        },
      ],
      failedRevocations: [
        {
          login: "csi@globex",
          name: "csi-prod",
          serial: failedRevocation.serial,
          failedAt: "2026-01-02T03:04:05.678Z",
        },
      ],
    },
  ]);
  expect(JSON.stringify(lists)).not.toContain(record.access_token);
  expect(project.service.requests).toEqual([]);
});

test("the list tells until when a replaced token is good, as far as the declaration can be read", async () => {
  const project = await start();
  await project.apply(acme());
  const source = project.synthesize(acme());
  await apply(await planRotation(source, "prod", project.options()));
  const [previous] = (await kept(project)).tokens[0]!.previous;
  const week = 7 * 24 * 60 * 60 * 1000;
  const goodUntil = new Date(Date.parse(previous!.retired_at) + week).toISOString();
  const [list] = await listTokens([source], project.options());
  expect(list?.tokens[0]?.previous).toMatchObject([{ serial: previous!.serial, goodUntil }]);
  const undeclared = await listTokens([project.synthesize(acme({ csi: [] }))], project.options());
  expect(undeclared[0]?.tokens[0]?.previous).toMatchObject([{ goodUntil: null }]);
});

test("the list tells when a token ends that the service gave a lifetime", async () => {
  const project = await start();
  await project.apply(acme());
  const created_at = "2026-01-02T03:04:05.000+01:00";
  const tokens = [{ created_at }, { created_at: null }].map((created, index) => ({
    ...csiToken,
    name: `token-${String(index)}`,
    record: { ...csiToken.record, serial: `ATH470${String(index)}`, expires_in: 3600, ...created },
    previous: [],
  }));
  await leave(project, { tokens });
  const [list] = await listTokens([project.synthesize(acme())], project.options());
  expect(list?.tokens).toMatchObject([
    { persistent: false, endsAt: "2026-01-02T03:04:05.000Z" },
    { persistent: false, endsAt: null, createdAt: null },
  ]);
});

test("outside a project all tokens of the environment's service are meant", async () => {
  const project = await start();
  await project.apply(acme());
  const [list] = await listTokens([], project.options());
  expect(list?.tokens).toHaveLength(1);
});

test("a state that is not there yet holds nothing", async () => {
  const project = await start();
  expect(await listTokens([project.synthesize(acme())], project.options())).toMatchObject([
    { tokens: [], intents: [], failedRevocations: [] },
  ]);
});
