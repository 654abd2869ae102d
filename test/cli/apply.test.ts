/** `tenancy apply`, run as a user would: covers src/cli/verbs/output.ts, apply.ts and reporter.ts. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accounts, commandProjects } from "../support/command";

const start = commandProjects();

test("stacks go in the order in which the app created them, in pages, files and applies alike", async () => {
  const project = await start();
  const owned = (name: string) => ({
    ...accounts(`acme-${name}`),
    provider: { tenancy: [{ owner: `acme-${name}` }] },
  });
  const names = ["dev", "staging", "production"];
  await project.declare(Object.fromEntries(names.map((name) => [name, owned(name)])));
  const accountsIn = (text: string) => [...new Set(text.match(/acme-(?:dev|staging|production)/g))];
  const inOrder = names.map((name) => `acme-${name}`);

  const planned = await project.tenancy([
    "plan",
    "*",
    "--out",
    "all.plan",
    "--html",
    "p.html",
    "--markdown",
    "p.md",
  ]);
  expect({ ...planned, stdout: accountsIn(planned.stdout) }).toMatchObject({ code: 0, stdout: inOrder });
  for (const file of ["all.plan", "p.html", "p.md"])
    expect(accountsIn(await readFile(join(project.folder, file), "utf8"))).toEqual(inOrder);
  const applied = await project.tenancy(["apply", "*", "--yes"]);
  expect({ ...applied, stdout: accountsIn(applied.stdout) }).toMatchObject({ code: 0, stdout: inOrder });
  expect(
    project.service.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/account"))
      .length,
  ).toBe(3);
  const reported = await project.tenancy(["drift", "*"]);
  expect(reported.stdout.match(/^\S+ · /gm)).toEqual(names.map((name) => `${name} · `));
  const destroyed = await project.tenancy(["destroy", "*", "--yes", "--allow-account-deletion"]);
  expect(accountsIn(destroyed.stdout)).toEqual([...inOrder].reverse());
});

test("without a terminal apply needs --yes, and does nothing before it says so", async () => {
  const project = await start();
  for (const verb of ["apply", "destroy"]) {
    const { code, stderr } = await project.tenancy([verb]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Error TENANCY_CONFIRMATION_NEEDED: \`tenancy ${verb}\` cannot ask without a terminal`,
    );
  }
  expect(project.service.requests).toEqual([]);
});

test("at a terminal the plan is shown and a person is asked; only yes is a yes", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const declined = await project.tenancy(["apply"], { answer: "y" });
  expect(declined.code).toBe(1);
  expect(declined.stdout).toContain("1 to create.");
  expect(declined.stderr).toContain(
    'Grants access to acme (dangerous permissions). 1 to create. Apply this to prod? Type "yes" to confirm: ',
  );
  expect(declined.stderr).toContain("Nothing was done.");
  expect(project.service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);

  const applied = await project.tenancy(["apply"], { answer: "yes" });
  expect(applied.code).toBe(0);
  expect(applied.stdout).toContain("Applied: 1 created.");
});

test("while a person thinks another run may apply; the question is asked again only if the plan has changed", async () => {
  const project = await start();
  const lock = join(project.folder, ".tenancy/state.json.lock");
  await project.declare({ prod: accounts("acme", "globex") });
  let asked = 0;
  let other: ReturnType<typeof project.tenancy> | undefined;
  const applying = (during?: () => Promise<unknown>) =>
    project.tenancy(["apply"], {
      terminal: true,
      async onQuestion() {
        asked++;
        // The first question holds no lock, and the second one does.
        expect(existsSync(lock)).toBe(asked > 1);
        if (asked === 1) await during?.();
        return "yes";
      },
    });

  const changed = await applying(() => (other = project.tenancy(["apply", "--yes", "--only", "acme"])));
  expect(await other).toMatchObject({ code: 0 });
  expect(changed).toMatchObject({ code: 0 });
  expect(changed.stderr).toContain("prod has changed since this plan was made: tenancy_account.acme.");
  expect(changed.stderr).toContain(" 1 to create. Apply this to prod?");
  expect(changed.stdout).toContain("Applied: 1 created.");
  expect(asked).toBe(2);

  asked = 0;
  await project.declare({ prod: accounts("acme", "globex", "initech") });
  expect((await applying()).stdout).toContain("Applied: 1 created.");
  expect(asked).toBe(1);
});

test("an apply of several stacks uses one synthesis, even if the program changes meanwhile", async () => {
  const project = await start();
  const owned = (stack: string, ...logins: readonly string[]) => ({
    ...accounts(...logins),
    provider: { tenancy: [{ owner: stack }] },
  });
  await project.declare({ dev: owned("dev", "acme"), prod: owned("prod", "globex") });
  let asked = 0;
  const applied = await project.tenancy(["apply", "*"], {
    terminal: true,
    async onQuestion() {
      if (asked++ === 0) await project.declare({ dev: owned("dev", "acme"), prod: owned("prod", "initech") });
      return "yes";
    },
  });
  expect(applied).toMatchObject({ code: 0 });
  expect(asked).toBe(2);
  expect(applied.stdout).toContain("globex");
  expect(applied.stdout).not.toContain("initech");
  // The next command reads the later declaration.
  expect((await project.tenancy(["plan", "prod"])).stdout).toContain("initech");
});

test("where nothing changes nobody is asked", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  await project.tenancy(["apply", "--auto-approve"]);
  const { code, stdout, stderr } = await project.tenancy(["apply"], { terminal: true });
  expect(code).toBe(0);
  expect(stdout).toContain("No changes.");
  expect(stderr).not.toContain("yes");
});

test("an apply tells each step on stderr and the outcome on stdout", async () => {
  const project = await start();
  await project.declare({
    prod: {
      ...accounts("acme"),
      output: {
        id: { value: "${tenancy_account.acme.id}" },
        quiet: { value: "hidden", sensitive: true },
      },
    },
  });
  const { stdout, stderr } = await project.tenancy(["apply", "--yes"]);
  expect(stderr).toMatch(/^\[1\/1\] tenancy_account\.acme: created in \d+\.\d s \(account:/m);
  // What ends at once needs no line that says that it was begun.
  expect(stderr).not.toContain("creating acme");
  expect(stdout).toMatch(
    /\nApplied: 1 created\.\n\nOutputs\n {4}id {4}= "account:\d+:\d+"\n {4}quiet = \(sensitive value\)\n$/,
  );
});

test("a saved plan that is not there, is a folder or cannot be read is told from a stack", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  await mkdir(join(project.folder, "plans.json"));
  await symlink("loop.plan", join(project.folder, "loop.plan"));
  const failure = async (file: string) => {
    const { code, stderr } = await project.tenancy(["apply", file, "--yes"]);
    expect(code).toBe(1);
    return stderr;
  };
  for (const file of ["nofile.plan", "plans/prod"]) {
    const stderr = await failure(file);
    expect(stderr).toContain(`Error TENANCY_FILE_UNUSABLE: ${file}: there is no such file`);
    expect(stderr).toContain("tenancy plan --out FILE");
  }
  expect(await failure("plans.json")).toContain("plans.json: is a folder");
  expect(await failure("loop.plan")).toContain("loop.plan: cannot be read (ELOOP)");
  expect(await failure("other")).toContain('there is neither a stack nor a file "other"');
  expect(project.service.requests).toEqual([]);
});

test("--json prints one event a line, and needs --yes", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const refused = await project.tenancy(["apply", "--json"], { terminal: true });
  expect(refused.code).toBe(1);
  expect(events(refused.stdout).map(({ type }) => type)).toEqual(["version", "diagnostic"]);

  const { stdout, code } = await project.tenancy(["apply", "--json", "--yes"]);
  expect(code).toBe(0);
  expect(events(stdout).map(({ type }) => type)).toEqual([
    "version",
    "diagnostic",
    "planned_change",
    "change_summary",
    "apply_start",
    "apply_complete",
    "change_summary",
  ]);
});

test("a failed apply lets the rest finish, and names the command to go on with", async () => {
  const project = await start();
  await project.declare({ prod: { ...accounts("acme", "globex"), variable: { note: { type: "string" } } } });
  project.service.fail({ method: "POST", path: /\/account$/, status: 403 });
  const { code, stdout, stderr } = await project.tenancy(["apply", "--yes", "--var", "note=it's fine"]);
  expect(code).toBe(1);
  expect(stdout).toContain("Not all was applied: 1 created, 1 failed.");
  expect(stderr).toMatch(/Error TENANCY_\w+: /);
  expect(stderr).toContain("Next: tenancy apply --yes --var 'note=it'\\''s fine'\n");
});

test("a token that somebody revoked is created again by the next apply", async () => {
  const project = await start();
  await project.declare({
    prod: {
      ...accounts("acme"),
      resource: {
        tenancy_account: { acme: { name: "acme", password_wo: "${var.password}" } },
        tenancy_authorization: { csi: { login: "acme", name: "csi", password_wo: "${var.password}" } },
      },
      variable: { password: { type: "string", sensitive: true } },
    },
  });
  const environment = { TF_VAR_password: "correct horse" };
  await project.tenancy(["apply", "--yes"], { environment });
  const [created] = project.service.records.authorizations;
  project.service.records.revokeToken(created?.id ?? "");

  const { code, stdout } = await project.tenancy(["apply", "--yes"], { environment });
  expect(stdout).toContain("the token in the state is no longer valid");
  expect(stdout).toContain("Applied: 1 created.");
  expect(code).toBe(0);
  expect(project.service.records.authorizations).toHaveLength(1);
});

test("destroy deletes what is ours, accounts only where that is allowed", async () => {
  const project = await start();
  const output = { id: { value: "${tenancy_account.acme.id}" } };
  await project.declare({ prod: { ...accounts("acme"), output } });
  expect((await project.tenancy(["apply", "--yes"])).stdout).toContain("Outputs");
  const refused = await project.tenancy(["destroy", "--yes"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Error TENANCY_ACCOUNT_DELETION");
  const destroyed = await project.tenancy(["destroy", "--yes", "--allow-account-deletion", "prod"]);
  expect(destroyed.stderr).not.toContain("Error");
  expect(destroyed.code).toBe(0);
  expect(destroyed.stdout).toContain("Applied: 1 deleted.");
  expect(destroyed.stdout).not.toContain("Outputs");
});

test("an output is printed for people, for programs and for scripts", async () => {
  const project = await start();
  await project.declare({
    prod: {
      ...accounts("acme"),
      output: {
        name: { value: "${tenancy_account.acme.name}" },
        list: { value: [1, "b"] },
        secret: { value: "s3cret", sensitive: true },
      },
    },
  });
  await project.tenancy(["apply", "--yes"]);
  const print = async (...words: string[]): Promise<string> =>
    (await project.tenancy(["output", ...words])).stdout;
  expect(await print()).toBe('list   = [1, "b"]\nname   = "acme"\nsecret = (sensitive value)\n');
  expect(await print("name")).toBe('"acme"\n');
  expect(await print("name", "--raw")).toBe("acme");
  expect(await print("secret", "--raw")).toBe("s3cret");
  expect(await print("list", "--json")).toBe('[1,"b"]\n');
  expect(JSON.parse(await print("--json"))).toMatchObject({
    name: { sensitive: false, type: "string", value: "acme" },
    secret: { sensitive: true, value: "s3cret" },
  });
  const refused = await project.tenancy(["output", "list", "--raw"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect((await project.tenancy(["output", "secrt"])).stderr).toContain("Error TENANCY_UNKNOWN_NAME");
  expect((await project.tenancy(["output", "secrt"])).stderr).toContain('Did you mean "secret"?');
  expect(await print("prod")).toBe(await print());
  expect(await print("prod", "name")).toBe('"acme"\n');
});

test("a pipeline of saved plans gets a token anew that was revoked outside", async () => {
  const project = await start();
  const stack = (limit: number) => ({
    provider: { tenancy: [{}] },
    resource: {
      tenancy_account: { acme: { name: "acme", permissions: {}, limits_vss_num: limit } },
      tenancy_authorization: {
        prod: {
          login: "acme",
          name: "prod",
          login_with: "temporary_password",
          depends_on: ["tenancy_account.acme"],
        },
      },
    },
  });
  await project.declare({ prod: stack(1) });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  project.service.records.revokeToken(project.service.records.authorizations[0]!.id);
  await project.declare({ prod: stack(2) });
  const pipeline = async () => {
    expect((await project.tenancy(["plan", "--out", "prod.plan"])).code).toBe(0);
    return project.tenancy(["apply", "prod.plan"]);
  };
  const outdated = await pipeline();
  expect(outdated.code).toBe(1);
  expect(outdated.stderr).toContain("Error TENANCY_PLAN_OUTDATED");
  expect(outdated.stderr).toContain("The state is corrected; nothing else was written.");
  expect(await pipeline()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Applied: 1 created, 1 updated.") as string,
  });
});

test("where there are several stacks an output's stack stands before its name", async () => {
  const project = await start();
  const outputs = (name: string) => ({ ...accounts(), output: { name: { value: name } } });
  await project.declare({ prod: outputs("p"), test: { ...outputs("t"), provider: {} } });
  expect(await project.tenancy(["output", "test", "name"])).toMatchObject({ code: 0, stdout: '"t"\n' });
  expect((await project.tenancy(["output", "test"])).stdout).toBe('name = "t"\n');
  expect((await project.tenancy(["output", "name"])).stderr).toContain("has several stacks");
  expect((await project.tenancy(["output", "tets", "name"])).stderr).toContain("Did you mean test?");
  expect((await project.tenancy(["output", "*", "name"])).stderr).toContain('"*" matches several stacks');
});

test("a file outside of the project is read where the command line allows its folder", async () => {
  const project = await start();
  const other = await mkdtemp(join(tmpdir(), "tenancy-other-"));
  await writeFile(join(other, "company.txt"), "ACME");
  const company = `\${file("${other}/company.txt")}`;
  await project.declare({ prod: { ...accounts("acme"), output: { company: { value: company } } } });
  expect((await project.tenancy(["plan"])).stderr).toContain("leads outside of the project's folder");
  const words = ["output", "company", "--raw", "--allow-files", other];
  expect(await project.tenancy(words)).toMatchObject({ code: 0, stdout: "ACME" });
  await rm(other, { recursive: true });
});

function events(stdout: string): readonly { readonly type: string }[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
}

test("away from a terminal an apply counts what it has done, and groups what was not tried after Ctrl-C", async () => {
  const project = await start();
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
  await project.declare({ prod: accounts(...names) });
  project.service.fail({ method: "POST", path: "/api/account", delay: 40, times: 100 });
  let isStopped = false;
  const { code, stdout, stderr } = await project.tenancy(["apply", "--yes", "--parallelism", "1"], {
    onStderr: (text, stop) => {
      if (isStopped || !text.includes("[1/40]")) return;
      isStopped = true;
      stop();
    },
  });
  expect(code).toBe(1);
  const made = project.service.records.accounts.length - 1;
  expect(made).toBeLessThan(names.length);
  expect(stderr.match(/^\[\d+\/40\] /gm)).toHaveLength(made);
  expect(stderr).toContain("Not tried: the run was stopped\n");
  expect(stderr).toMatch(new RegExp(`^ {4}and ${names.length - made - 3} more to create$`, "m"));
  expect(stderr.split("\n").length).toBeLessThan(made + 20);
  expect(stdout).toContain(`Not all was applied: ${made} created, ${names.length - made} not tried.`);
});
