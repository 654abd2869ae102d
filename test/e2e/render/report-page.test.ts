/** The page of an access review in a real browser: covers src/render/html, src/render/view/report.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions, type Right } from "../../../src";
import { DiskBrowser, faultsOf, inPage, OVERFLOWING, search, textOf, whoIsSeen } from "../../support/browser";
import { type CommandProject, commandProjects } from "../../support/command";
import { describeWith } from "../../support/programs";
import { reviewedPage } from "../../support/reviewed-service";
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
  let many = "";
  beforeAll(async () => {
    disk = await DiskBrowser.start(chromium);
    many = await reviewedPage(await start(), 30);
    const project = await service();
    review = await pageOf(project, "--usage");
    const { stdout } = await project.tenancy(["report", "--json"]);
    await project.write("before.json", stdout);
    project.service.records.deleteProfile("jane@acme");
    project.service.records.createProfile("acme", {
      username: "<u>amy",
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
      expect(await inPage(page, "document.querySelectorAll('img, u').length")).toBe(0);
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

  test("shows who may do what on cards, and as a matrix, in which what has no effect is no dot", async () => {
    const { page } = await disk.open(review);
    const card = await inPage<string>(
      page,
      "[...document.querySelectorAll('#users .card')].find((one) => one.textContent.startsWith('jane@')).innerText",
    );
    expect(card).toMatch(/Has\s+▲.destructive\s+vss\sformat_disks/);
    expect(card).toMatch(/2nd factor\s+none/);
    await page.click("#users .matrix > summary");
    const [heads, cells] = await inPage<
      readonly [readonly string[], Readonly<Record<string, readonly string[]>>]
    >(
      page,
      `(() => {
        const table = [...document.querySelectorAll("#users .group")].find((one) => one.innerText.startsWith("vss")).querySelector("table");
        return [
          [...table.querySelectorAll("thead th div")].map((head) => head.textContent),
          Object.fromEntries([...table.querySelectorAll("tbody tr")].map((row) => [
            row.querySelector(".n").textContent, [...row.querySelectorAll("td")].flatMap((cell) => Array(cell.colSpan).fill(cell.textContent.trim()))])),
        ];
      })()`,
    );
    const column = heads.findIndex((head) => head.startsWith("format_disks"));
    expect(heads[column]).toContain("destructive");
    expect(cells["jane@acme"]?.[column]).toBe("•");
    expect(cells).not.toHaveProperty("bob@acme");
    expect(await textOf(page)).toContain("not activated");
    expect(await textOf(page)).toContain("account disabled");
    // Nothing changes in a review, so nothing is told of before and after.
    expect(await textOf(page)).not.toContain("before and after");
  });

  test("has findings by severity, then kind, each with its count, and each is found by a name", async () => {
    const { page } = await disk.open(many, { width: 1440 });
    const headings = await inPage<readonly string[]>(
      page,
      "[...document.querySelectorAll('#findings h3, #findings .topic > summary')].map((one) => one.textContent)",
    );
    expect(headings).toEqual([
      "● high 241",
      "Dangerous rights without a second factor 121",
      "Undeclared users 120",
      "◐ medium 60",
      "Undeclared users 60",
      "○ low 10",
      "Dangerous rights without a second factor 6",
      "Quotas that are nearly used up 4",
    ]);
    expect(await textOf(page)).toContain("311 findings: 241 high, 60 medium, 10 low.");
    expect(await textOf(page)).not.toContain("`");
    await search(page, "karim-29@umbrella");
    expect(await whoIsSeen(page, "findings")).toEqual(["karim-29@umbrella", "karim-29@umbrella"]);
    expect(await whoIsSeen(page, "users")).toEqual(["karim-29@umbrella"]);
  });

  test("has quotas as bars as long as their share, accounts without a limit first", async () => {
    const { page } = await disk.open(many, { width: 1440 });
    const quotas = await inPage<readonly (readonly [string, number])[]>(
      page,
      `[...document.querySelectorAll("#quotas .quota")].map((one) => [
        one.querySelector(".amounts").innerText.replace(/\\s+/g, " "),
        Math.round((100 * (one.querySelector(".used")?.getBoundingClientRect().width ?? 0)) / one.querySelector(".bar").getBoundingClientRect().width),
      ])`,
    );
    expect(quotas.slice(0, 2)).toEqual([
      ["0 used no limit", 0],
      ["0 used no limit", 0],
    ]);
    expect(quotas.slice(2).every(([text]) => !text.includes("no limit"))).toBe(true);
    for (const [text, width] of quotas.slice(2)) {
      const share = Number(/(\d+)%/.exec(text)?.[1]);
      expect(Math.abs(width - share)).toBeLessThan(2);
    }
    const shares = quotas.slice(2).map(([, width]) => width);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
  });

  test("reads without scripts", async () => {
    const { page } = await disk.open(review, { scripts: false });
    const text = await textOf(page);
    for (const said of ["jane@acme", "bob@acme", "Findings", "Quotas that are nearly used up", "40 alike"])
      expect(text).toContain(said);
    expect(text).not.toContain("Find a user");
    for (const summary of await page.$$("summary")) await summary.click();
    expect(await textOf(page)).toContain("user-39@globex");
    expect(await textOf(page)).toContain("limits_vss_num");
    const { page: since } = await disk.open(changes, { scripts: false });
    expect(await textOf(since)).toMatch(/jane@acme[^]*gone/);
  });

  test.each([360, 768, 1440, 1920])(
    "has nothing that overflows or is clipped at %d pixels",
    async (width) => {
      for (const text of [review, changes, many]) {
        const { page } = await disk.open(text, { width });
        expect(await inPage(page, OVERFLOWING)).toEqual([]);
        await inPage(page, "for (const details of document.querySelectorAll('details')) details.open = true");
        expect(await inPage(page, OVERFLOWING)).toEqual([]);
      }
    },
  );

  test.each([
    [false, 1280],
    [true, 360],
  ])("has nothing that axe finds: dark %p, %d pixels", async (dark, width) => {
    for (const text of [review, changes, many]) {
      const { page } = await disk.open(text, { dark, width });
      await inPage(page, "for (const details of document.querySelectorAll('details')) details.open = true");
      expect(await faultsOf(page)).toEqual([]);
    }
  });
});
