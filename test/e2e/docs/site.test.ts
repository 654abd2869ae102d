/** The site of the manual, built and opened in a real browser: covers docs/manual/.vitepress. */
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import type { Page } from "puppeteer-core";
import { run } from "../../support/built-command";
import { DiskBrowser, faultsOf } from "../../support/browser";
import { describeWith } from "../../support/programs";

const root = resolve(__dirname, "../../..");
const docs = join(root, "docs");

/** Markdown below docs, and where the site has it. */
const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({
    path,
    address: (path.startsWith("manual/") ? path.slice("manual/".length) : `terraform/${path}`).replace(
      /\.md$/,
      "",
    ),
  }));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Words of users, and the page that helps them. */
const QUESTIONS = Object.entries({
  "how-to/authenticate": ["use a proxy", "change a password"],
  "how-to/common-tasks": [
    ...["how do I add a user", "delete an account", "delete a tenant", "remove a user", "rename a user"],
    ...["move a tenant to another stack", "suspend a user", "log in with two factors"],
  ],
  "how-to/detect-drift": ["exit codes of drift"],
  "how-to/give-temporary-access": ["give temporary access"],
  "how-to/import-existing-tenants": ["import existing tenants", "export code from a service"],
  "how-to/install": ["install the provider"],
  "how-to/pull-requests-on-github": ["set up GitHub"],
  "how-to/pull-requests-on-gitlab": ["set up GitLab"],
  "how-to/recover-a-lost-state": ["recover a lost state", "encrypt the state"],
  "how-to/require-approvals": ["require an approval", "which permissions are dangerous"],
  "how-to/review-access": ["who has access"],
  "how-to/rotate-a-token": ["rotate a token", "revoke a leaked token"],
  "how-to/troubleshoot": ["the state is locked"],
  "how-to/work-as-a-team": ["work as a team"],
  "learn/tutorial": ["test my declaration"],
  "reference/errors": ["TENANCY_UNMANAGED"],
  "reference/state": ["where is the state kept"],
  "terraform/functions/permissions_preset": ["what is a preset"],
}).flatMap(([page, questions]) => questions.map((words) => [page, words] as const));

/** One page of each kind. */
const LOOKED_AT = [
  "",
  "learn/tutorial",
  "learn/tutorial-team",
  "how-to/detect-drift",
  "reference/errors",
  "reference/cli/plan",
  "explanation/design",
  "terraform/resources/account",
];

describeWith(["chromium"], "the site of the manual", ({ chromium }) => {
  let folder: string;
  let disk: DiskBrowser;
  let server: Server;
  let origin: string;
  let output: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-"));
    const vitepress = join(root, "node_modules/vitepress/bin/vitepress.js");
    const { code, stdout, stderr } = await run(
      process.execPath,
      [vitepress, "build", "docs/manual", "--outDir", folder],
      { folder: root, environment: { PATH: process.env["PATH"] } },
    );
    if (code !== 0) throw new Error(stdout + stderr);
    output = stdout + stderr;
    server = createServer(({ url = "/" }, response) => {
      const path = new URL(url, "http://site").pathname;
      const file = join(
        folder,
        path.endsWith("/") ? `${path}index.html` : extname(path) ? path : `${path}.html`,
      );
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    disk = await DiskBrowser.start(chromium);
  }, 300_000);

  afterAll(async () => {
    await disk.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function opened(address: string, width: number, isDark = false): Promise<Page> {
    const page = await disk.browser.newPage();
    await page.setViewport({ width, height: 800 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]);
    await page.goto(`${origin}/${address}`, { waitUntil: "networkidle0" });
    return page;
  }

  test("has each page with its title, and the menu leads to it", () => {
    expect(output).not.toMatch(/error/i);
    const menus = ["index", "terraform/index"].map((name) =>
      readFileSync(join(folder, `${name}.html`), "utf8"),
    );
    const missing = pages.filter(({ path, address }) => {
      const [, title = ""] = /^# (.*)$/m.exec(readFileSync(join(docs, path), "utf8")) ?? [];
      const html = readFileSync(join(folder, `${address}.html`), "utf8");
      const isWritten = html.replaceAll(/<[^>]*>/g, "").includes(title.replaceAll("`", ""));
      const link = `href="/${address.replace(/(^|\/)index$/, "$1")}"`;
      return !isWritten || !menus.some((menu) => menu.includes(link));
    });
    expect(missing).toEqual([]);
  });

  test("its search has the page of each task among the first three", async () => {
    const page = await opened("", 1440);
    await page.keyboard.press("/");
    const box = await page.waitForSelector("#localsearch-input");
    const missed: string[] = [];
    for (const [expected, words] of QUESTIONS) {
      await box?.evaluate((input) => ((input as unknown as { value: string }).value = ""));
      await box?.type(words);
      const found = `[...document.querySelectorAll("#localsearch-list a")].map((one) => one.pathname)`;
      const isFirst = `[...new Set(${found})].slice(0, 3).includes("/${expected}")`;
      await page.waitForFunction(isFirst, { timeout: 5_000 }).catch(() => missed.push(words));
    }
    expect(missed).toEqual([]);
    await page.close();
  });

  test.each([
    [360, false],
    [360, true],
    [1440, false],
    [1440, true],
  ])("has nothing that axe finds: %d pixels, dark %p", async (width, isDark) => {
    const faults: string[] = [];
    for (const address of LOOKED_AT) {
      const page = await opened(address, width, isDark);
      faults.push(...(await faultsOf(page)).map((fault) => `${address}: ${fault}`));
      await page.close();
    }
    expect(faults).toEqual([]);
  });
});
