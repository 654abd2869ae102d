/**
 * Commands and options that the program suggests, taken from what it printed and run as they stand there: each does what the message says. Only
 * the names of files are filled in. `suggested-commands.test.ts` reads all suggestions; the team's state has its own in `state.test.ts`.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accounts, type CommandProject, commandProjects, type Printed, tokens } from "../support/command";
import { commandWords } from "../../src/state/helper";
import { stateKey } from "../support/state-key";

const start = commandProjects();
const REMOTE = "cross-stack-reference-input-base";

const textOf = ({ stdout, stderr }: Printed): string => `${stdout}\n${stderr}`.replace(/\s+/g, " ");

/**
 * Runs the first command in a text that begins with these words, at a terminal where somebody says yes.
 * @param ended what follows the command in the sentence
 */
async function runSuggested(
  project: CommandProject,
  printed: Printed,
  words: string,
  {
    ended = /[`,;]|\. | (?!(?:FILE|PLAN)\b)[A-Z]|$/,
    environment = {},
  }: { ended?: RegExp; environment?: Record<string, string> } = {},
): Promise<Printed> {
  const text = textOf(printed);
  const at = text.indexOf(`tenancy ${words}`);
  if (at < 0) throw new Error(`nothing suggests "tenancy ${words}":\n${printed.stdout}${printed.stderr}`);
  const rest = text.slice(at + "tenancy ".length);
  const command = rest.slice(0, rest.slice(words.length).search(ended) + words.length).trim();
  const argv = commandWords(command.replace(/\b(FILE|PLAN)\b/g, "a.file"));
  return project.tenancy(argv, { answer: "yes", environment });
}

async function expectPassed(running: Promise<Printed>): Promise<Printed> {
  const printed = await running;
  expect({ code: printed.code, said: printed.code === 0 ? "" : textOf(printed) }).toEqual({
    code: 0,
    said: "",
  });
  return printed;
}

/** The options that a refusal names. */
async function optionsOf(
  project: CommandProject,
  argv: readonly string[],
  option: RegExp,
): Promise<readonly string[]> {
  const refused = await project.tenancy(argv);
  const options = textOf(refused).match(new RegExp(option, "g")) ?? [];
  expect({ code: refused.code, options, text: textOf(refused) }).toMatchObject({
    code: 1,
    options: expect.arrayContaining([expect.any(String)]) as unknown,
  });
  return [...new Set(options)].flatMap(commandWords);
}

async function applied(...stacks: readonly string[]) {
  const project = await start();
  const names = stacks.length === 0 ? ["prod"] : stacks;
  await project.declare(
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          ...(JSON.parse(JSON.stringify(tokens({ csi: "csi-prod" })).replaceAll("acme", name)) as object),
          provider: { tenancy: [{ owner: name }] },
        },
      ]),
    ),
  );
  for (const name of names) await expectPassed(project.tenancy(["apply", name, "--yes"]));
  return project;
}

describe("plans", () => {
  test("an apply that cannot ask suggests a plan, the plan suggests its apply", async () => {
    const project = await start();
    await project.declare({ prod: accounts("acme") });
    const refused = await project.tenancy(["apply"]);
    const planned = await expectPassed(runSuggested(project, refused, "plan --out"));
    await expectPassed(runSuggested(project, planned, "apply a.file"));
    expect(project.service.records.account("acme").name).toBe("acme");
  });

  test("a stack that waits for another says which to save first", async () => {
    const project = await start();
    const base = { ...accounts("acme"), output: { id: { value: "${tenancy_account.acme.id}" } } };
    const app = {
      provider: { tenancy: [{ owner: "app" }] },
      data: {
        terraform_remote_state: {
          [REMOTE]: { backend: "local", config: { path: "terraform.base.tfstate" } },
        },
      },
      output: { base: { value: `\${data.terraform_remote_state.${REMOTE}.outputs.id}` } },
    };
    await project.declare({ base, app }, { app: ["base"] });
    const refused = await project.tenancy(["plan", "*", "--out", "plans"]);
    const planned = await expectPassed(runSuggested(project, refused, "plan base --out"));
    await expectPassed(runSuggested(project, planned, "apply a.file"));
  });

  test("an apply that failed in part suggests itself, quoted for a shell", async () => {
    const project = await start();
    await project.declare({ prod: { ...accounts("acme"), variable: { note: { type: "string" } } } });
    project.service.fail({ method: "POST", path: /\/account$/, status: 403 });
    const failed = await project.tenancy(["apply", "--yes", "--var", "note=it's fine"]);
    await expectPassed(runSuggested(project, failed, "apply --yes", { ended: / {2}|$/ }));
    expect(project.service.records.account("acme").name).toBe("acme");
  });

  test("a snapshot suggests the plan from it", async () => {
    const project = await applied();
    const taken = await expectPassed(project.tenancy(["snapshot", "--out", "prod.snapshot"]));
    const planned = await expectPassed(runSuggested(project, taken, "plan --from-snapshot prod.snapshot"));
    expect(planned.stdout).toContain("No changes");
  });

  test("a change that needs approval suggests approve, and passes then", async () => {
    const project = await start();
    await project.declare({ prod: accounts("acme") });
    await expectPassed(project.tenancy(["plan", "--out", "a.file"]));
    const refused = await project.tenancy(["apply", "a.file", "--require-approval", "broadening"]);
    expect(refused.code).toBe(3);
    await expectPassed(runSuggested(project, refused, "approve"));
    await expectPassed(project.tenancy(["apply", "a.file", "--require-approval", "broadening"]));
  });

  test("an apply of stacks that needs approval suggests to save a plan, to approve it, and passes then", async () => {
    const project = await start();
    await project.declare({ prod: accounts("acme") });
    const words = ["apply", "--yes", "--require-approval", "broadening"];
    const refused = await project.tenancy(words);
    expect(refused.code).toBe(3);
    await expectPassed(runSuggested(project, refused, "plan prod --out change.plan"));
    await expectPassed(runSuggested(project, refused, "approve change.plan"));
    await expectPassed(project.tenancy(words));
  });
});

describe("tokens", () => {
  test("a token that is too old suggests its rotation, also among several stacks", async () => {
    const project = await applied("acme", "globex");
    const state = join(project.folder, ".tenancy", "state.json");
    const old = new Date(Date.now() - 200 * 86_400_000).toISOString();
    const text = await readFile(state, "utf8");
    await writeFile(state, text.replace(/(?<="created_at": ?)"[^"]+"/g, `"${old}"`));
    const reported = await project.tenancy(["report", "globex"]);
    const before = project.service.records.authorizations.length;
    const rotated = await expectPassed(
      runSuggested(project, reported, "token rotate", { ended: /\. | {2}|\.$/ }),
    );
    expect(rotated.stdout).toContain("csi@globex");
    expect(project.service.records.authorizations.length).toBe(before + 1);
  });

  test("a note of a creation that was interrupted suggests how to forget it", async () => {
    const project = await applied();
    const path = ".tenancy/state.json";
    const state = JSON.parse(await readFile(join(project.folder, path), "utf8")) as {
      parts: [{ intents: object[] }];
    };
    state.parts[0].intents.push({
      id: "note-1",
      login: "csi@prod",
      name: "csi-prod",
      login_with: "password",
      started_at: "2026-01-02T03:04:05.678Z",
    });
    await project.write(path, state);
    expect(textOf(await project.tenancy(["token", "list"]))).toContain("tenancy token revoke note-1");
    await expectPassed(runSuggested(project, await project.tenancy(["plan"]), "token revoke --all-unknown"));
    expect((await project.tenancy(["plan"])).stdout).not.toContain("TENANCY_OPEN_INTENT");
  });

  test("a token that is no longer declared suggests its revocation in place of a rotation", async () => {
    const project = await applied();
    const undeclared = tokens({});
    await project.declare({
      prod: {
        ...(JSON.parse(JSON.stringify(undeclared).replaceAll("acme", "prod")) as object),
        provider: { tenancy: [{ owner: "prod" }] },
      },
    });
    const refused = await project.tenancy(["token", "rotate", "csi-prod", "--yes"]);
    await expectPassed(runSuggested(project, refused, "token revoke"));
    expect(project.service.records.authorizations).toEqual([]);
  });
});

describe("the state", () => {
  test("that is lost suggests a new one, and a plain one with a key suggests to encrypt it", async () => {
    const project = await applied();
    await rm(join(project.folder, ".tenancy", "state.json"));
    await expectPassed(project.tenancy(["recover", "--yes"]));
    const options = await optionsOf(project, ["apply", "--yes"], /--init-state/);
    await expectPassed(project.tenancy(["apply", "--yes", ...options]));
    const environment = { TENANCY_STATE_KEY: stateKey("k3y-k3y-k3y-k3y-k3y") };
    const plain = await project.tenancy(["plan"], { environment });
    await expectPassed(runSuggested(project, plain, "apply --encrypt-state", { environment }));
    await expectPassed(project.tenancy(["plan"], { environment }));
  });
});

describe("options that a refusal names", () => {
  test("for a deleted account, and for one that is not empty", async () => {
    const project = await start();
    await project.declare({ prod: accounts("acme", "A & B") });
    await expectPassed(project.tenancy(["apply", "--yes"]));
    project.service.records.createProfile("acme", { username: "bob" });
    const allowing = await optionsOf(
      project,
      ["destroy", "--yes"],
      /--allow-account-deletion=[\w-]+|'--allow-account-deletion=[^']+'/,
    );
    const emptying = await optionsOf(project, ["destroy", "--yes", ...allowing], /--allow-nonempty/);
    await expectPassed(project.tenancy(["destroy", "--yes", ...allowing, ...emptying]));
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });

  test("for many deletes", async () => {
    const project = await start();
    const users = (count: number) => ({
      provider: { tenancy: [{}] },
      resource: {
        tenancy_account: { acme: { name: "acme" } },
        tenancy_user_profile: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `u${index}`,
            { username: `u${index}`, account_id: "${tenancy_account.acme.id}", permissions: {} },
          ]),
        ),
      },
    });
    await project.declare({ prod: users(20) });
    await expectPassed(project.tenancy(["apply", "--yes"]));
    await project.declare({ prod: users(0) });
    const options = await optionsOf(project, ["apply", "--yes"], /--max-deletes[= ]\d+/);
    const planned = await expectPassed(project.tenancy(["plan", ...options]));
    expect(planned.stdout).toContain("20 to delete");
    await expectPassed(project.tenancy(["apply", "--yes", ...options]));
  });
});
