/** A real Chromium without a window, and pages that it opens from the disk. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { source as axe } from "axe-core";
import { type Browser, launch, type Page } from "puppeteer-core";

export interface OpenedPage {
  readonly page: Page;
  /** Addresses that it asked for, its own among them. */
  readonly requests: readonly string[];
  /** What it complained of: errors of scripts, and what its policy has refused. */
  readonly complaints: readonly string[];
}

export interface Opening {
  readonly dark?: boolean;
  readonly width?: number;
  /** @default true */
  readonly scripts?: boolean;
}

export class DiskBrowser {
  #files = 0;

  private constructor(
    readonly browser: Browser,
    readonly folder: string,
  ) {}

  /** @param executablePath Chromium's file */
  static async start(executablePath: string): Promise<DiskBrowser> {
    const folder = await mkdtemp(join(tmpdir(), "pages-"));
    // Chromium refuses its sandbox to root, and some build machines refuse it to Chromium. The pages are our own.
    const hasSandbox = process.getuid?.() !== 0 && !process.env["CI"];
    const browser = await launch({
      executablePath,
      pipe: true,
      args: ["--disable-dev-shm-usage", ...(hasSandbox ? [] : ["--no-sandbox"])],
    });
    return new DiskBrowser(browser, folder);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async open(
    html: string,
    { dark = false, width = 1280, scripts = true }: Opening = {},
  ): Promise<OpenedPage> {
    const file = join(this.folder, `${++this.#files}.html`);
    await writeFile(file, html);
    const page = await this.browser.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => void requests.push(request.url()));
    page.on("console", (message) => void complaints.push(message.text()));
    page.on("pageerror", (error) => void complaints.push(String(error)));
    await page.setJavaScriptEnabled(scripts);
    await page.setViewport({ width, height: 800 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await page.goto(pathToFileURL(file).href);
    return { page, requests, complaints };
  }
}

// What a person sees and does.

/** What an expression is in the page. A text, since the types of browsers are not those of Node. */
export async function inPage<T>(page: Page, expression: string): Promise<T> {
  return (await page.evaluate(expression)) as T;
}

/** Whom a person sees in the tables and lists of a section. */
export async function whoIsSeen(page: Page, section: string): Promise<readonly string[]> {
  return inPage(
    page,
    `[...document.querySelectorAll("#${section} .s")]
      .filter((element) => element.querySelector(".s") === null && element.checkVisibility())
      .map((element) => element.querySelector(".n").textContent)`,
  );
}

/** All that a person sees. */
export const textOf = async (page: Page) => inPage<string>(page, "document.body.innerText");

/** Types into the search box. @returns what the page says of it */
export async function search(page: Page, text: string): Promise<string> {
  await page.focus("input");
  await inPage(page, "document.querySelector('input').select()");
  if (text === "") await page.keyboard.press("Backspace");
  else await page.keyboard.type(text);
  return inPage(page, "document.querySelector('output').textContent");
}

/**
 * Elements in sight that stand out of the window, and those whose text does not fit into them. Boxes that scroll by themselves, and what is in
 * them, are left out.
 */
export const OVERFLOWING = `[...document.querySelectorAll("body *")].filter((one) => {
  if (!one.checkVisibility() || one.closest("svg, .heard, search, .scroll > *")) return false;
  const { left, right, width } = one.getBoundingClientRect();
  const isOutside = left < -1 || right > document.documentElement.clientWidth + 1;
  const scrolls = getComputedStyle(one).overflowX === "auto";
  const isClipped = !scrolls && width > 0 && getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1;
  return isOutside || isClipped;
}).map((one) => one.outerHTML.slice(0, 120))`;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // A box that is laid out only when it is looked at moves what is below it, between two measurements of axe.
  await page.evaluate("for (const box of document.querySelectorAll('.lazy')) box.classList.remove('lazy')");
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as { readonly violations: readonly Finding[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`),
  );
}
