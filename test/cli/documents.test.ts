/** Files that verbs write besides what they print. Covers src/cli/documents.ts and src/cli/verbs/verb.ts. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { accounts, commandProjects } from "../support/command";

const start = commandProjects();

test("--markdown writes a comment into a file, and the plan is printed as ever", async () => {
  const project = await start();
  await project.declare({
    prod: accounts("acme"),
    staging: { ...accounts("globex"), provider: { tenancy: [{ owner: "staging" }] } },
  });
  const { code, stdout } = await project.tenancy(["plan", "*", "--markdown", "plan.md"]);
  expect(code).toBe(0);
  expect(stdout).toContain("  + tenancy_account.acme");
  const text = await readFile(join(project.folder, "plan.md"), "utf8");
  expect(text).toMatch(
    /^<!-- tenancy:[\w./-]+ -->\n### `prod`\n\nGrants access to `acme` \*\*\(dangerous permissions\)\*\*\. \*\*1 to create\.\*\*/,
  );
  expect(text).toContain("### `staging`");
  expect(text).toContain("| `+` | `tenancy_account.acme` |");
});

test("--markdown - prints the comment alone", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { stdout } = await project.tenancy(["plan", "--markdown", "-", "--markdown-marker", "eu/storage"]);
  expect(stdout).toMatch(/^<!-- tenancy:eu\/storage -->\n### `prod`/);
  expect(stdout).not.toContain("\nChanges\n");
});

test("the marker is the folder's path in its repository", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  await mkdir(join(project.folder, ".git"));
  const { stdout } = await project.tenancy(["plan", "--markdown", "-"]);
  expect(stdout).toMatch(/^<!-- tenancy:\. -->\n/);
});

test("a plan that guards refuse is shown with what they say", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme", "globex") });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  await project.declare({ prod: { ...accounts("acme"), resource: {} } });
  const { code } = await project.tenancy([
    "plan",
    "--markdown",
    "plan.md",
    "--allow-account-deletion",
    "--max-deletes",
    "1",
  ]);
  expect(code).toBe(1);
  const text = await readFile(join(project.folder, "plan.md"), "utf8");
  expect(text).toContain("#### Errors\n\n- Error `TENANCY_");
  expect(text).toContain("Refused: nothing of it can be applied.");
  expect(text).toContain('| `-` | `tenancy_account.undeclared["globex"]` |');
});

test("a plan that cannot be made is a comment, too", async () => {
  const project = await start();
  await project.declare({ prod: { ...accounts("acme"), provider: { tenancy: [{ base_url: "ftp://x" }] } } });
  const failed = await project.tenancy(["plan", "--markdown", "-"]);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain("### `prod`\n\n**There is no plan.**\n");
  expect(failed.stdout).toContain("- Error `TENANCY_");
  await project.write("app.sh", "exit 3");
  expect((await project.tenancy(["plan", "--markdown", "-"])).stdout).toContain("`TENANCY_SYNTHESIS_FAILED`");
});

test("what depends on a stack that failed is said not to have been tried", async () => {
  const project = await start();
  const broken = { ...accounts("acme"), provider: { tenancy: [{ base_url: "ftp://x" }] } };
  await project.declare({ base: broken, top: accounts("acme") }, { top: ["base"] });
  const { stdout } = await project.tenancy(["plan", "*", "--markdown", "-"]);
  expect(stdout).toContain("**Not tried, because `base` failed, which it depends on.**");
});

test("--html writes a page of all stacks, what stays as it is included", async () => {
  const project = await start();
  const permissions = { "vss.manage_targets": true };
  const initech = { name: "initech", permissions };
  const prod = accounts("acme");
  await project.declare({
    prod: { ...prod, resource: { tenancy_account: { acme: { name: "acme" }, initech } } },
  });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  const resource = { tenancy_account: { acme: { name: "acme" }, initech, globex: { name: "globex" } } };
  await project.declare({
    prod: { ...prod, resource },
    staging: { ...accounts("hooli"), provider: { tenancy: [{ owner: "staging" }] } },
  });
  const { code, stdout } = await project.tenancy(["plan", "*", "--html", "plan.html", "--markdown", "p.md"]);
  expect(code).toBe(0);
  expect(stdout).toContain("  + tenancy_account.globex");
  const text = await readFile(join(project.folder, "plan.html"), "utf8");
  expect(text).toMatch(/^<!doctype html>\n/);
  expect(text).toContain("Content-Security-Policy");
  expect(text).toContain("<title>Plan · prod, staging</title>");
  // Of acme, whose rights nobody declares, Access tells what it holds. What a comment has no room for is on the page alone.
  const access = text.slice(text.indexOf('id="v0-access"'), text.indexOf('id="v0-changes"'));
  expect(access).toMatch(/<bdi class="n">globex<[^]*<bdi class="n">acme<[^]*Keeps<[^]*undeclared right/);
  expect(text).toContain("Access that stays as it is");
  expect(await readFile(join(project.folder, "p.md"), "utf8")).not.toContain("stays as it is");
});

test("show writes the page of a saved plan that plan has written", async () => {
  const project = await start();
  const user = (rights: object) => ({
    provider: { tenancy: [{}] },
    resource: {
      tenancy_account: {
        acme: { name: "acme", limits_vss_num: 10, permissions: { "vss.manage_targets": true } },
        globex: { name: "globex", permissions: { "vss.manage_targets": true } },
      },
      tenancy_user_profile: {
        jane: { account_id: "${tenancy_account.acme.id}", username: "jane", permissions: rights },
      },
    },
  });
  await project.declare({ prod: user({ "vss.manage_targets": true, "vss.remove_vss": true }) });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  await project.declare({ prod: user({ "vss.manage_targets": true, "vss.format_disks": true }) });
  await project.tenancy(["plan", "--out", "prod.plan", "--html", "plan.html"]);
  expect((await project.tenancy(["show", "prod.plan", "--html", "shown.html"])).code).toBe(0);
  const [planned, shown] = await Promise.all(
    ["plan.html", "shown.html"].map((file) => readFile(join(project.folder, file), "utf8")),
  );
  expect(planned).toMatch(/jane@acme[^]*globex/);
  expect(shown).toBe(planned);
});

test("what accounts use is on the page of a plan from a snapshot that has counted it, saved or not", async () => {
  const project = await start();
  const limited = (limits_vss_num: number) => ({
    provider: { tenancy: [{}] },
    resource: { tenancy_account: { acme: { name: "acme", limits_vss_num, permissions: {} } } },
  });
  await project.declare({ prod: limited(10) });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  project.service.records.setUsage("acme", { vss_num: 7, size_reserve: 99_000 });
  expect((await project.tenancy(["snapshot", "--usage", "--out", "snapshot.json"])).code).toBe(0);
  await project.declare({ prod: limited(12) });
  await project.tenancy([
    "plan",
    "--from-snapshot",
    "snapshot.json",
    "--html",
    "plan.html",
    "--out",
    "prod.plan",
  ]);
  await project.tenancy(["show", "prod.plan", "--html", "shown.html"]);
  const [planned = "", shown] = await Promise.all(
    ["plan.html", "shown.html"].map((file) => readFile(join(project.folder, file), "utf8")),
  );
  const quotas = planned
    .slice(planned.indexOf('id="quotas"'))
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  expect(quotas).toMatch(
    /acme limits_vss_num 7 used 58% limit 10 -&gt; 12 acme limits_size_reserve_total 99,000 used no limit/,
  );
  expect(planned).toContain('class="notice"');
  expect(shown).toBe(planned);
});

test.each([
  ["report", "report"],
  ["drift", "report of drift"],
])("a comment says that a %s has failed, and not that a plan is missing", async (verb, what) => {
  const project = await start();
  await project.declare({ prod: { ...accounts("acme"), provider: { tenancy: [{ base_url: "ftp://x" }] } } });
  const { code, stdout } = await project.tenancy([verb, "--markdown", "-"]);
  expect(code).toBe(1);
  expect(stdout).toContain(`**There is no ${what}.**`);
});

test("--html - prints the page alone, of a plan that cannot be made too", async () => {
  const project = await start();
  await project.declare({ prod: { ...accounts("acme"), provider: { tenancy: [{ base_url: "ftp://x" }] } } });
  const { code, stdout } = await project.tenancy(["plan", "--html", "-"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^<!doctype html>\n/);
  expect(stdout).toContain("There is no plan.");
});

test.each([
  [["--json", "--markdown", "-"], "both print on stdout"],
  [["--html", "-", "--markdown", "-"], "both print on stdout"],
  [["--html", "no/such/page.html"], "its folder does not exist"],
  [["--markdown", "x.md", "--markdown-limit", "100"], "leaves no room"],
  [["--markdown", "no/such/folder.md"], "its folder does not exist"],
])("%j is refused", async (words, problem) => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { code, stderr } = await project.tenancy(["plan", ...words]);
  expect(code).toBe(1);
  expect(stderr).toContain(problem);
});
