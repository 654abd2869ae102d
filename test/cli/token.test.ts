/** `tenancy token list`, `rotate` and `revoke`: covers src/cli/verbs/token.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandProjects, type CommandProject, tokens } from "../support/command";

const start = commandProjects();

const declared = tokens({ csi: "csi-prod" });

async function applied(): Promise<Awaited<ReturnType<typeof start>>> {
  const project = await start();
  await project.declare({ prod: declared });
  expect((await project.tenancy(["apply", "--yes"])).stderr).not.toContain("Error");
  return project;
}

interface Kept {
  readonly tokens: readonly {
    readonly record: { readonly serial: string; readonly access_token: string };
    readonly previous: readonly { readonly serial: string; readonly access_token: string }[];
  }[];
}

async function kept({ folder }: CommandProject): Promise<Kept> {
  const text = await readFile(join(folder, ".tenancy", "state.json"), "utf8");
  return (JSON.parse(text) as { parts: [Kept] }).parts[0];
}

test("the state's tokens are listed without their secrets", async () => {
  const project = await applied();
  const { record } = (await kept(project)).tokens[0]!;
  const { code, stdout, stderr } = await project.tenancy(["token", "list"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^${project.service.baseUrl} · prod · .*state.json\n  csi@acme/csi-prod  ${record.serial}  created 2`,
    ),
  );
  expect(stdout + stderr).not.toContain(record.access_token);
  expect(stdout + stderr).not.toContain(record.access_token.slice(-8));
});

test("programs get the list as JSON", async () => {
  const project = await applied();
  const { stdout } = await project.tenancy(["token", "list", "--json"]);
  const { record } = (await kept(project)).tokens[0]!;
  expect(JSON.parse(stdout)).toMatchObject([
    { stack: "prod", tokens: [{ login: "csi@acme", name: "csi-prod", serial: record.serial }] },
  ]);
  expect(stdout).not.toContain(record.access_token);
});

test("the list needs no credentials and no network", async () => {
  const project = await applied();
  const environment = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
  project.service.clearRequests();
  expect((await project.tenancy(["token", "list"], { environment })).code).toBe(0);
  expect(project.service.requests).toEqual([]);
});

test("a rotation is shown, asked for and done; the new token is what the outputs give", async () => {
  const project = await applied();
  const before = (await kept(project)).tokens[0]!;
  const declined = await project.tenancy(["token", "rotate", "csi-prod"], { answer: "no" });
  expect(declined).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was done.") as string });
  const { code, stdout, stderr } = await project.tenancy(["token", "rotate", "csi-prod"], { answer: "yes" });
  expect(code).toBe(0);
  expect(stderr).toContain('Rotate csi@acme/csi-prod? Type "yes" to confirm: ');
  expect(stdout).toContain("~ tenancy_authorization.csi");
  expect(stdout).toContain("Applied: 1 updated.");
  const after = (await kept(project)).tokens[0]!;
  expect(after.previous).toMatchObject([{ serial: before.record.serial }]);
});

test("after a theft the old tokens are named, revoked and proven to be refused", async () => {
  const project = await applied();
  const before = (await kept(project)).tokens[0]!;
  const { code, stderr } = await project.tenancy(["token", "rotate", "csi-prod", "--compromised"], {
    answer: "yes",
  });
  expect(code).toBe(0);
  expect(stderr).toContain(`Rotate csi@acme/csi-prod, and revoke ${before.record.serial} at once?`);
  expect(stderr).toContain(`Revoked, and refused by the service: ${before.record.serial}.`);
  expect((await kept(project)).tokens).toMatchObject([{ previous: [] }]);
});

test("revoking a declared token says that the next apply creates a new one", async () => {
  const project = await applied();
  const { serial } = (await kept(project)).tokens[0]!.record;
  const { code, stderr } = await project.tenancy(["token", "revoke", "csi@acme/csi-prod", "--yes"]);
  expect(code).toBe(0);
  expect(stderr).toContain(
    "csi@acme/csi-prod is still declared (tenancy_authorization.csi): the next apply creates a new one.",
  );
  expect(stderr).toContain(`Revoked, and refused by the service: ${serial}.`);
  expect((await project.tenancy(["token", "list"])).stdout).toContain("no tokens");
});

test("without a terminal rotating and revoking need --yes", async () => {
  const project = await applied();
  for (const verb of ["rotate", "revoke"]) {
    const { code, stderr } = await project.tenancy(["token", verb, "csi-prod"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Error TENANCY_CONFIRMATION_NEEDED: \`tenancy token ${verb}\` cannot ask`);
    expect(stderr).toContain("Pass --yes.");
  }
});

test("an interrupted token creation is listed, and forgotten after a look at the service", async () => {
  const project = await applied();
  const path = ".tenancy/state.json";
  const state = JSON.parse(await readFile(join(project.folder, path), "utf8")) as {
    parts: [{ intents: object[] }];
  };
  const started_at = "2026-01-02T03:04:05.678Z";
  state.parts[0].intents.push({
    id: "note-1",
    login: "csi@acme",
    name: "csi-prod",
    login_with: "password",
    started_at,
  });
  await project.write(path, state);
  expect((await project.tenancy(["plan"])).stdout).toContain("TENANCY_OPEN_INTENT");
  expect((await project.tenancy(["token", "list"])).stdout).toContain("tenancy token revoke note-1");
  const { code, stderr } = await project.tenancy(["token", "revoke", "note-1"], { answer: "yes" });
  expect(code).toBe(0);
  expect(stderr).toContain("This only forgets the record");
  expect(stderr).toContain("Forget the interrupted token creation of csi@acme/csi-prod?");
  expect(stderr).toContain(`Forgotten: the creation of csi@acme/csi-prod at ${started_at}.`);
  expect((await project.tenancy(["plan"])).stdout).not.toContain("TENANCY_OPEN_INTENT");
});

test("where there are several stacks one can be named; the list shows all", async () => {
  const project = await applied();
  await project.declare({ prod: declared, test: { ...declared, resource: {} } });
  expect((await project.tenancy(["token", "list"])).stdout).toMatch(/ · prod · .* · test · /s);
  const { stdout: only } = await project.tenancy(["token", "list", "test"]);
  expect(only).toContain(" · test · ");
  expect(only).not.toContain(" · prod · ");
  const misspelt = await project.tenancy(["token", "revoke", "prdo", "csi-prod", "--yes"]);
  expect(misspelt.stderr).toContain(
    'Error TENANCY_UNKNOWN_NAME: there is no stack "prdo"\n  Did you mean prod? The stacks are: ',
  );
  expect((await project.tenancy(["token", "rotate", "prod", "test", "csi-prod"])).stderr).toContain(
    "too many arguments",
  );
  expect((await project.tenancy(["token", "revoke", "prod", "csi-prod", "--yes"])).code).toBe(0);
});

test("a token is found among several stacks by what messages call it; its stack is named only if several have such a token", async () => {
  const project = await applied();
  const other = JSON.parse(JSON.stringify(declared).replaceAll("acme", "globex")) as object;
  await project.declare({ prod: declared, test: other });
  expect((await project.tenancy(["apply", "test", "--yes"])).code).toBe(0);
  const ambiguous = await project.tenancy(["token", "rotate", "csi-prod", "--yes"]);
  expect([ambiguous.code, ambiguous.stderr]).toEqual([1, expect.stringContaining("has several stacks")]);

  const rotated = await project.tenancy(["token", "rotate", "csi@globex/csi-prod", "--yes"]);
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining("csi@globex")]);
  const written = await project.tenancy(["token", "write", "csi@acme/csi-prod", "--as", "env"]);
  expect(written.code).toBe(0);
  expect((await project.tenancy(["token", "revoke", "csi@acme/csi-prod", "--yes"])).code).toBe(0);
  const unknown = await project.tenancy(["token", "revoke", "csi@initech/csi-prod", "--yes"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("holds no token")]);
});

test.each([
  [["token"], "a word is missing after `tenancy token`"],
  [["token", "shred"], "unknown command 'shred'"],
  [["token", "rotate"], "no token is named"],
])("%j is no command", async (words, problem) => {
  const project = await start({ service: false });
  expect(await project.tenancy(words)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`Error TENANCY_USAGE: ${problem}`) as string,
  });
});
