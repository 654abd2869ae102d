/** Tokens that are sealed for readers (`seal_to`), from plan to store: covers src/engine/tokens. */
import { readFile } from "node:fs/promises";
import { apply, approvalNeeds, readToken } from "../../../src/engine";
import { ageReader } from "../../support/age";
import { actions, type Project, projects } from "../../support/projects";
import { csi, failureOf, isGood, kept } from "./support";

const start = projects();
const TOKEN = "tenancy_authorization.acme_prod";
const storedToken = async (project: Project) => (await kept(project)).tokens[0]!;
const linesOf = async (project: Project, token: object) =>
  approvalNeeds(await project.plan(csi(token))).flatMap(({ lines }) => lines);

test("the store of a sealed token holds the sealed text alone, and its reader gets the secret", async () => {
  const project = await start();
  const { identity, recipient } = await ageReader();
  const sealed = csi({ sealTo: [recipient] });
  const plan = await project.plan(sealed);
  expect(approvalNeeds(plan).flatMap(({ lines }) => lines)).toContainEqual({
    line: `${recipient} may read token "prod" of csi@acme`,
    broadening: true,
  });
  expect((await apply(plan)).ok).toBe(true);
  const { record } = await storedToken(project);
  expect(record.access_token).toBeNull();
  expect(await readFile(project.store, "utf8")).not.toMatch(/"1\/[A-Za-z0-9+/]{54}"/);
  expect(actions(await project.plan(sealed))).toEqual([]);

  const stack = project.synthesize(sealed);
  const read = (environment: object) =>
    readToken(stack, "prod", project.options({ environment: { ...project.environment, ...environment } }));
  const { secret } = await read({ TENANCY_IDENTITY: identity });
  expect(await isGood(project, { access_token: secret })).toBe(true);
  expect(await failureOf(read({}))).toMatchObject({ code: "TENANCY_IDENTITY_MISSING" });
  expect(await failureOf(read({ TENANCY_IDENTITY: (await ageReader()).identity }))).toMatchObject({
    code: "TENANCY_SEALED_UNREADABLE",
  });
});

test("other readers mean another token; a new one needs approval, and the retired token keeps its seal", async () => {
  const project = await start();
  const [anna, ben] = [await ageReader(), await ageReader()];
  await project.apply(csi({ sealTo: [anna.recipient] }));
  const first = (await storedToken(project)).record;
  expect(await linesOf(project, { sealTo: [anna.recipient, ben.recipient] })).toEqual(
    expect.arrayContaining([
      { line: 'csi@acme rotates token "prod"', broadening: true },
      { line: `${ben.recipient} may read token "prod" of csi@acme`, broadening: true },
    ]),
  );
  const { plan } = await project.apply(csi({ sealTo: [ben.recipient] }));
  expect(actions(plan)).toEqual([`update ${TOKEN}`]);
  const second = await storedToken(project);
  expect(second).toMatchObject({
    seal_to: [ben.recipient],
    previous: [{ access_token: null, access_token_sealed: first.access_token_sealed }],
  });

  // Without readers the next one is plain.
  await project.apply(csi({ retainPrevious: 2 }));
  const third = await storedToken(project);
  expect(third.seal_to).toBeUndefined();
  expect(await isGood(project, third.record)).toBe(true);
  expect(actions(await project.plan(csi({ retainPrevious: 2 })))).toEqual([]);
});

test("a plain token is sealed when it retires, and its end is not proven afterwards", async () => {
  const project = await start();
  await project.apply(csi({}));
  const { record } = await storedToken(project);
  const { recipient } = await ageReader();
  await project.apply(csi({ sealTo: [recipient] }));
  expect(await readFile(project.store, "utf8")).not.toContain(record.access_token);
  expect(await isGood(project, record)).toBe(true);
  const { result } = await project.apply(csi({ sealTo: [recipient], retainPreviousFor: "0s" }));
  expect(JSON.stringify(result)).toContain("TENANCY_SEALED_NOT_PROVEN");
  expect(await isGood(project, record)).toBe(false);
});
