/** What the verbs say of a lost or renamed state and of an unused key: covers src/cli/verbs with src/engine/tokens/possibly-issued.ts. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { commandProjects, type CommandProject } from "../support/command";
import { stateKey } from "../support/state-key";

const start = commandProjects();

/** A tenant with a machine user and its token, and an output of the token. */
const declared = (provider: object = {}) => ({
  provider: { tenancy: [provider] },
  resource: {
    tenancy_account: { acme: { name: "acme" } },
    tenancy_user_profile: {
      csi: {
        username: "csi",
        account_id: "${tenancy_account.acme.id}",
        permissions: {},
        unset: ["password_wo"],
      },
    },
    tenancy_authorization: { csi: { login: "csi@acme", name: "prod", login_with: "temporary_password" } },
  },
  output: {
    name: { value: "${tenancy_account.acme.name}" },
    token: { value: "${tenancy_authorization.csi.access_token}", sensitive: true },
  },
});

const stateOf = ({ folder }: CommandProject) => join(folder, ".tenancy", "state.json");

async function applied(): Promise<Awaited<ReturnType<typeof start>>> {
  const project = await start();
  await project.declare({ prod: declared() });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  return project;
}

describe("a lost state", () => {
  test("is told alike by plan, doctor, token list and output", async () => {
    const project = await applied();
    await rm(stateOf(project));
    const planned = await project.tenancy(["plan"]);
    expect(planned.code).toBe(1);
    expect(planned.stdout).toContain("tenancy recover");
    const examined = await project.tenancy(["doctor"]);
    expect(examined.code).toBe(1);
    expect(examined.stdout).toMatch(
      /^ {2}fail {2}state .*does not exist, and users of declared tokens are live: csi@acme\/prod \(TENANCY_STATE_ABSENT\)$/m,
    );
    expect(examined.stdout).not.toMatch(/^ {2}ok {4}state/m);
    const listed = await project.tenancy(["token", "list"]);
    expect(listed.stdout).toContain("The state keeps nothing for this stack.");
    expect(listed.stdout).not.toContain("no tokens");
    const shown = await project.tenancy(["output", "token", "--raw"]);
    expect(shown).toMatchObject({ code: 1, stdout: "" });
    expect(shown.stderr).toContain("TENANCY_STATE_ABSENT");
    expect(await project.tenancy(["output", "name", "--raw"])).toMatchObject({ code: 0, stdout: "acme" });
  });

  test("that an apply has made again is still told by doctor and token list", async () => {
    const project = await applied();
    await rm(stateOf(project));
    expect((await project.tenancy(["recover", "--yes"])).code).toBe(0);
    const { resource, ...rest } = declared();
    const more = {
      ...rest,
      resource: { ...resource, tenancy_account: { ...resource.tenancy_account, b: { name: "b" } } },
    };
    await project.declare({ prod: more });
    expect((await project.tenancy(["apply", "--yes", "--only", "tenancy_account.b"])).code).toBe(0);
    expect((await project.tenancy(["doctor"])).stdout).toContain("were live already: csi@acme/prod");
    const listed = await project.tenancy(["token", "list"]);
    expect(listed.stdout).toContain("csi@acme/prod  may be known to an earlier state, since lost");
  });

  test("is no finding of the doctor's where nothing was applied yet", async () => {
    const project = await start();
    await project.declare({ prod: declared() });
    const { code, stdout } = await project.tenancy(["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toContain("not there yet; the first apply makes it");
  });
});

describe("a key", () => {
  const environment = { TENANCY_STATE_KEY: stateKey("k3y-k3y-k3y-k3y-k3y") };

  test("set for a plain state is told by the doctor, refused by apply, and encrypts with --encrypt-state", async () => {
    const project = await applied();
    const examined = await project.tenancy(["doctor"], { environment });
    expect(examined.code).toBe(1);
    expect(examined.stdout).toMatch(/^ {2}fail {2}state .*is not encrypted \(TENANCY_STATE_PLAIN\)$/m);
    const refused = await project.tenancy(["apply", "--yes"], { environment });
    expect(refused.stderr).toContain("TENANCY_STATE_PLAIN");
    // Nothing else is to be done, and still it is done.
    const encrypting = await project.tenancy(["apply", "--yes", "--encrypt-state"], { environment });
    expect(encrypting.code).toBe(0);
    expect(encrypting.stdout + encrypting.stderr).toContain("The state is encrypted with the key");
    expect(await readFile(stateOf(project), "utf8")).not.toContain("csi@acme");
    expect((await project.tenancy(["apply", "--yes"], { environment })).code).toBe(0);
    expect((await project.tenancy(["doctor"], { environment })).stdout).toContain(", encrypted: 1 token");
  });

  test.each([["apply", "--yes"], ["plan"], ["destroy", "--yes"]])(
    "that is missing ends `%s` with --encrypt-state before its first request",
    async (...words) => {
      const project = await applied();
      const state = await readFile(stateOf(project), "utf8");
      const requests = project.service.requests.length;
      const { code, stderr } = await project.tenancy([...words, "--encrypt-state"]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("`tenancy key new`") as string,
      });
      expect(project.service.requests).toHaveLength(requests);
      expect(await readFile(stateOf(project), "utf8")).toBe(state);
    },
  );

  test("that Tenancy did not make makes no state: the run ends before its first write", async () => {
    const project = await start();
    await project.declare({ prod: declared() });
    for (const words of [["doctor"], ["plan"], ["apply", "--yes"]]) {
      const { code, stdout, stderr } = await project.tenancy(words, {
        environment: { TENANCY_STATE_KEY: "abc" },
      });
      expect(code).toBe(1);
      expect(stdout + stderr).toContain("TENANCY_INVALID_SETTING");
    }
    expect(project.service.records.accounts).toHaveLength(1);
  });

  test("that is empty counts as not set", async () => {
    const project = await start();
    await project.declare({ prod: declared() });
    const { code } = await project.tenancy(["apply", "--yes"], { environment: { TENANCY_STATE_KEY: "" } });
    expect(code).toBe(0);
    expect(await readFile(stateOf(project), "utf8")).toContain("csi@acme");
  });
});

describe("what the state knows under another name", () => {
  test("a renamed stack is told, with the name that the state knows", async () => {
    const project = await applied();
    await project.declare({ production: declared() });
    for (const words of [["plan"], ["doctor"]]) {
      const { code, stdout, stderr } = await project.tenancy(words);
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(/knows http:\S+ for the stack "prod", and not for "production"/);
      expect(stdout + stderr).toContain("run `tenancy state rm --stack prod`");
    }
    expect(await project.tenancy(["state", "rm", "--stack", "prod", "--yes"])).toMatchObject({ code: 0 });
    expect(await project.tenancy(["apply", "--yes"])).toMatchObject({ code: 0 });
    expect(await project.tenancy(["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
    expect(project.service.records.authorizations).toHaveLength(1);
  });

  test("the same service under another address is told with the logins", async () => {
    const project = await applied();
    const environment = { TENANCY_BASE_URL: project.service.baseUrl.replace("127.0.0.1", "localhost") };
    const planned = await project.tenancy(["plan"], { environment });
    expect(planned.code).toBe(1);
    expect(planned.stdout + planned.stderr).toMatch(
      /TENANCY_STATE_ELSEWHERE.* keeps its records of csi@acme for http:\/\/127\.0\.0\.1:\d+/,
    );
  });

  test("a second stack of the app is no mistake", async () => {
    const project = await applied();
    const other = { resource: { tenancy_account: { b: { name: "b" } } } };
    await project.declare({ prod: declared(), other });
    const { code, stdout } = await project.tenancy(["plan", "other"]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("TENANCY_STATE_ELSEWHERE");
  });
});
