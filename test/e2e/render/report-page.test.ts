/** The page of an access review in a real browser: covers src/render/html, src/render/view/report.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions, type Right } from "../../../src";
import { DiskBrowser, faultsOf, inPage, search, textOf, whoIsSeen } from "../../support/browser";
import { type CommandProject, commandProjects } from "../../support/command";
import { describeWith } from "../../support/programs";
import { exactly } from "../../support/rights";

const start = commandProjects();

const onlyRights = (...rights: readonly Right[]) => exactly(Permissions.none().allow(...rights));

/** Something of everything: dangers, a suspended user, a scope, a disabled account, quotas, and names that could do something. */
async function service() {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "acme", limits: { vss_num: 10, size_reserve_total: 1000 } });
  records.setUsage("acme", { vss_num: 9, size_reserve: 100 });
  const user = (username: string, ...rights: readonly Right[]) =>
    records.createProfile("acme", { username, ...onlyRights(...rights) });
  user("jane", "vss.format_disks");
  user("bob", "vss.manage_snapshots", "vss.remove_vss");
  records.patchProfile("bob@acme", { activated: false });
  user("<img src=x onerror=alert(1)>", "vss.manage_snapshots");
  user("</script><script>document.title='hacked'</script>");
  records.createAccount({ name: "globex" });
  records.patchAccount("globex", { disabled: true });
  for (let index = 0; index < 40; index++)
    records.createProfile("globex", {
      username: `user-${index}`,
      ...onlyRights("vss.manage_targets"),
    });
  return project;
}

async function pageOf(project: CommandProject, ...words: readonly string[]): Promise<string> {
  const { stderr } = await project.tenancy(["report", "--html", "review.html", ...words]);
  expect(stderr).not.toContain("Error");
  return readFile(join(project.folder, "review.html"), "utf8");
}

describeWith(["chromium"], "the page of a report in Chromium", ({ chromium }) => {
  let disk: DiskBrowser;
  let review = "";
  let changes = "";
  beforeAll(async () => {
    disk = await DiskBrowser.start(chromium);
    const project = await service();
    review = await pageOf(project, "--usage");
    const { stdout } = await project.tenancy(["report", "--json"]);
    await project.write("before.json", stdout);
    project.service.records.deleteProfile("jane@acme");
    project.service.records.createProfile("acme", {
      username: "<b>amy",
      ...onlyRights("vss.manage_rules"),
    });
    changes = await pageOf(project, "--baseline", "before.json");
  });
  afterAll(() => disk.close());
  afterEach(async () => {
    for (const page of await disk.browser.pages()) if (page.url() !== "about:blank") await page.close();
  });

  test("opens from the disk, asks nobody for anything, and does nothing that a name says", async () => {
    for (const text of [review, changes]) {
      const { page, requests, complaints } = await disk.open(text);
      await search(page, "jane");
      expect(requests).toEqual([page.url()]);
      expect(page.url()).toMatch(/^file:/);
      expect(complaints).toEqual([]);
      expect(await page.title()).toContain("Access review");
      expect(await inPage(page, "document.querySelectorAll('img, b').length")).toBe(0);
    }
  });

  test("finds a user by name, in the matrix and among the findings", async () => {
    const { page } = await disk.open(review);
    expect(await search(page, "JANE@")).toBe("2 found");
    expect(await whoIsSeen(page, "users")).toEqual(["jane@acme"]);
    expect(await whoIsSeen(page, "findings")).toEqual(["jane@acme"]);
    await search(page, "user-37");
    expect(await whoIsSeen(page, "users")).toEqual(["user-37@globex"]);
    await search(page, "<img");
    expect(await whoIsSeen(page, "users")).toEqual(["<img src=x onerror=alert(1)>@acme"]);
    expect(await search(page, "zzz")).toBe("Nothing found");
  });

  test("shows who may do what as a matrix, in which what has no effect is no dot", async () => {
    const { page } = await disk.open(review);
    const heads = await inPage<readonly string[]>(
      page,
      "[...document.querySelectorAll('#users .matrix thead:not([aria-hidden] *) th div')].map((head) => head.textContent)",
    );
    const column = heads.findIndex((head) => head.startsWith("vss.format_disks"));
    expect(heads[column]).toContain("destructive");
    const cells = await inPage<Record<string, readonly string[]>>(
      page,
      `Object.fromEntries([...document.querySelectorAll("#users .matrix tbody tr")].map((row) => [
        row.querySelector("th.who .n").textContent, [...row.querySelectorAll("td:not(.what)")].flatMap((cell) => Array(cell.colSpan).fill(cell.textContent.trim()))]))`,
    );
    expect(cells["jane@acme"]?.[column]).toMatch(/^•/);
    expect(cells["bob@acme"]?.join("")).toBe("");
    expect(await textOf(page)).toContain("not activated");
    expect(await textOf(page)).toContain("account disabled");
    // Nothing changes in a review, so nothing is told of before and after.
    expect(await textOf(page)).not.toContain("before and after");
  });

  test("reads without scripts", async () => {
    const { page } = await disk.open(review, { scripts: false });
    const text = await textOf(page);
    for (const said of ["jane@acme", "bob@acme", "Findings", "is nearly used up", "40 alike"])
      expect(text).toContain(said);
    expect(text).not.toContain("Find a user");
    for (const summary of await page.$$("summary")) await summary.click();
    expect(await textOf(page)).toContain("user-39@globex");
    expect(await textOf(page)).toContain("limits_vss_num");
    const { page: since } = await disk.open(changes, { scripts: false });
    expect(await textOf(since)).toMatch(/jane@acme[^]*gone/);
  });

  test.each([360, 700, 1280])("does not scroll sideways at %d pixels", async (width) => {
    for (const text of [review, changes]) {
      const { page } = await disk.open(text, { width });
      expect(await inPage(page, "document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
  });

  test.each([
    [false, 1280],
    [true, 360],
  ])("has nothing that axe finds: dark %p, %d pixels", async (dark, width) => {
    for (const text of [review, changes]) {
      const { page } = await disk.open(text, { dark, width });
      await inPage(page, "for (const details of document.querySelectorAll('details')) details.open = true");
      expect(await faultsOf(page)).toEqual([]);
    }
  });
});
