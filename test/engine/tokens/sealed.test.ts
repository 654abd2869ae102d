/** Tokens that are sealed for readers (`seal_to`), from plan to state: covers src/engine/tokens. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerraformOutput } from "cdktf";
import { AccessToken, TenancyProvider } from "tenancy";
import { apply, approvalNeeds, drift, readToken, report, takeSnapshot } from "../../../src/engine";
import { html } from "../../../src/render/html";
import { planView } from "../../../src/render/view";
import { openSealed } from "../../../src/resources";
import { ageReader } from "../../support/age";
import { clockGoesBack, moveClock } from "../../support/moved-clock";
import { broadeningIn } from "../../support/pairs";
import { actions, type Build, findings, type Project, projects, writes } from "../../support/projects";
import { csi, failureOf, isGood, kept } from "./support";

const start = projects();
clockGoesBack();
const TOKEN = "tenancy_authorization.acme_prod";
const storedToken = async (project: Project) => (await kept(project)).tokens[0]!;
const pairsOf = async (project: Project, token: object) =>
  broadeningIn(approvalNeeds(await project.plan(csi(token))));

test("the state of a sealed token holds the sealed text alone, and its reader gets the secret", async () => {
  const project = await start();
  const { identity, recipient } = await ageReader();
  const sealed = csi({ sealTo: [recipient] });
  const plan = await project.plan(sealed);
  expect(broadeningIn(approvalNeeds(plan))).toContain(
    `user: csi@acme, token: prod, reader: ${recipient}, until: never`,
  );
  expect((await apply(plan)).ok).toBe(true);
  const { record } = await storedToken(project);
  expect(record.access_token).toBeNull();
  expect(await readFile(project.state, "utf8")).not.toMatch(/"1\/[A-Za-z0-9+/]{54}"/);
  expect(actions(await project.plan(sealed))).toEqual([]);

  const stack = project.synthesize(sealed);
  const read = (environment: object) =>
    readToken(stack, "prod", project.options({ environment: { ...project.environment, ...environment } }));
  const { secret } = await read({ TENANCY_IDENTITY: identity });
  expect(await isGood(project, { access_token: secret })).toBe(true);
  expect(await failureOf(read({}))).toMatchObject({
    advice: expect.stringContaining("Set `TENANCY_IDENTITY`") as string,
  });
  expect(await failureOf(read({ TENANCY_IDENTITY: (await ageReader()).identity }))).toMatchObject({
    code: "TENANCY_SEALED_UNREADABLE",
  });
});

test("other readers mean another token; a new one needs approval, and the retired token keeps its seal", async () => {
  const project = await start();
  const [anna, ben] = [await ageReader(), await ageReader()];
  await project.apply(csi({ sealTo: [anna.recipient] }));
  const first = (await storedToken(project)).record;
  expect(await pairsOf(project, { sealTo: [anna.recipient, ben.recipient] })).toEqual(
    expect.arrayContaining([
      "user: csi@acme, rotates: prod, until: never",
      `user: csi@acme, token: prod, reader: ${ben.recipient}, until: never`,
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
  expect(await readFile(project.state, "utf8")).not.toContain(record.access_token);
  expect(await isGood(project, record)).toBe(true);
  const { result } = await project.apply(csi({ sealTo: [recipient], retainPreviousFor: "0s" }));
  expect(JSON.stringify(result)).toContain("TENANCY_SEALED_NOT_PROVEN");
  expect(await isGood(project, record)).toBe(false);
});

test("a sealed token is revoked at a service whose clock is wrong, too", async () => {
  const project = await start();
  const long = (body: unknown) => ({ ...(body as object), created_at: "1970-01-01T00:00:00Z" });
  project.service.fail({ path: /authorization/, times: 99, alter: long });
  await project.apply(csi({ sealTo: [(await ageReader()).recipient] }));
  await project.apply(csi(null));
  expect((await kept(project)).tokens).toEqual([]);
});

describe("a reference to the secret of a sealed token", () => {
  const withOutput =
    (value: string, token: object): Build =>
    (stack) => {
      csi(token)(stack);
      new TerraformOutput(stack, "out", { value, sensitive: true });
    };
  const REFUSED = {
    code: "TENANCY_EXPRESSION",
    summary: expect.stringContaining("the token is sealed") as string,
    advice: expect.stringContaining("accessTokenSealed") as string,
  };

  test.each([
    `\${${TOKEN}.access_token}`,
    `Bearer \${${TOKEN}.access_token}`,
    `\${[for t in [${TOKEN}] : t.access_token]}`,
    `\${${TOKEN}["access_token"]}`,
  ])("is refused while planning, before and after there is a token: %s", async (value) => {
    const project = await start();
    const sealTo = [(await ageReader()).recipient];
    expect(await findings(project.plan(withOutput(value, { sealTo })))).toMatchObject([REFUSED]);
    await project.apply(csi({ sealTo }));
    expect(await findings(project.plan(withOutput(value, { sealTo })))).toMatchObject([REFUSED]);
    const { requests } = await project.apply(withOutput(value, {}));
    expect(writes(requests)).not.toEqual([]);
  });

  test("is none where the sealed text, or the whole token, is meant", async () => {
    const project = await start();
    const { identity, recipient } = await ageReader();
    const output = async (value: string) => {
      const { result } = await project.apply(withOutput(value, { sealTo: [recipient] }));
      return result.outputs[0]?.after;
    };
    const sealed = await output(`\${${TOKEN}.access_token_sealed}`);
    expect(await openSealed(String(sealed), { TENANCY_IDENTITY: identity })).toMatch(/^1\//);
    const fallback = `\${try(${TOKEN}.access_token, ${TOKEN}.access_token_sealed)}`;
    expect(await output(fallback)).toBe(sealed);
    const whole = (await output(`\${${TOKEN}}`)) as object;
    expect(whole).toMatchObject({ access_token_sealed: sealed });
    expect(whole).not.toHaveProperty("access_token");
  });
});

test("a sealed token that is due is rotated by its age, and stays sealed", async () => {
  moveClock("2026-03-01T12:00:00Z");
  const project = await start({ clock: () => Date.now() });
  const { identity, recipient } = await ageReader();
  const monthly = csi({ rotateAfter: "30d", sealTo: [recipient] });
  await project.apply(monthly);
  const first = (await storedToken(project)).record.access_token_sealed!;
  const look = async () => (await drift(project.synthesize(monthly), project.options())).rotations.due;
  moveClock("2026-03-31T23:59:59Z");
  expect(await look()).toBe(0);
  moveClock("2026-04-01T00:00:01Z");
  expect(await look()).toBe(1);
  const plan = await project.plan(monthly);
  expect(approvalNeeds(plan)).toEqual([]);
  expect((await apply(plan, { requireApproval: "access" })).ok).toBe(true);
  const { record, previous } = await storedToken(project);
  expect(previous).toMatchObject([{ access_token: null, access_token_sealed: first }]);
  for (const sealed of [first, record.access_token_sealed!])
    expect(
      await isGood(project, { access_token: await openSealed(sealed, { TENANCY_IDENTITY: identity }) }),
    ).toBe(true);
  expect(await look()).toBe(0);
});

test("plans from a snapshot, drift and report show sealed tokens as others, and hold neither secret nor sealed text", async () => {
  const project = await start();
  const sealed = csi({ sealTo: [(await ageReader()).recipient] });
  await project.apply(sealed);
  const text = (await storedToken(project)).record.access_token_sealed!;
  const stack = project.synthesize(sealed);
  const file = join(project.folder, "snapshot.json");
  await writeFile(file, await takeSnapshot([stack], project.options()));
  expect(await readFile(file, "utf8")).not.toContain("AGE ENCRYPTED");
  const other = await ageReader();
  expect(actions(await project.plan(sealed, { fromSnapshot: { file } }))).toEqual([]);
  const changed = await project.plan(csi({ sealTo: [other.recipient] }), { fromSnapshot: { file } });
  expect(broadeningIn(approvalNeeds(changed))).toContain(
    `user: csi@acme, token: prod, reader: ${other.recipient}, until: never`,
  );
  const page = html([planView(changed, { page: true })]);
  expect(page).toContain(other.recipient);
  expect(await drift(stack, project.options())).toMatchObject({ status: "none" });
  const review = JSON.stringify(await report([stack], project.options()));
  for (const shown of [page, review, JSON.stringify(changed)]) expect(shown).not.toContain(text);
});

test("an ephemeral token comes from the state by login and name, and no plan passes without an identity", async () => {
  const project = await start();
  const { identity, recipient } = await ageReader();
  await project.apply(csi({ sealTo: [recipient] }));
  const acting =
    (name: string): Build =>
    (stack) => {
      csi({ sealTo: [recipient] })(stack);
      const token = new AccessToken(stack, "opened", { login: "csi@acme", name });
      new TenancyProvider(stack, "as-csi", { alias: "csi", owner: "csi", token: token.accessToken });
    };
  const withIdentity = { environment: { TENANCY_IDENTITY: identity } };
  expect(await findings(project.plan(acting("prod")))).toContainEqual(
    expect.objectContaining({ code: "TENANCY_SEALED_UNREADABLE" }),
  );
  expect(actions(await project.plan(acting("prod"), withIdentity))).toEqual([]);
  expect(await findings(project.plan(acting("other"), withIdentity))).toContainEqual(
    expect.objectContaining({ code: "TENANCY_INVALID_VALUE" }),
  );
});
