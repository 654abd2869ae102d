/**
 * Makes the pictures that the documents show, from real runs: `npm run pictures`, or `npm run pictures -- team` for those of one run. Pictures of
 * pages need Chromium (`node .ci/engines.mjs`).
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskBrowser, inPage } from "../test/support/browser";
import { type SimulatedProject, simulatedProject } from "../test/support/command";
import { findProgram } from "../test/support/programs";
import { planPage } from "./pictures/plan-page";
import { recordedRun } from "./pictures/recording";
import { reportPage } from "./pictures/report-page";
import { teamPages } from "./pictures/team";

const FOLDER = join(__dirname, "..", "docs", "manual", "pictures");

/** The pictures by their names. A run of the pipelines gives several at once. */
const PICTURES: Readonly<Record<string, () => Promise<void>>> = {
  page: async () => photograph({ "page.png": await inProject(planPage) }, 1000),
  report: async () => photograph({ "report.png": await inProject(reportPage) }, 1000),
  team: async () => photograph(await teamPages(), 920),
  recording: async () => writeFile(join(FOLDER, "recording.svg"), await recordedRun()),
};

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in PICTURES));
  if (unknown.length > 0)
    throw new Error(`There is no picture ${unknown.join(", ")}: ${Object.keys(PICTURES).join(", ")}.`);
  await mkdir(FOLDER, { recursive: true });
  for (const [name, take] of Object.entries(PICTURES))
    if (names.length === 0 || names.includes(name)) await take();
}

/** A page that a project with a simulated service of its own makes. */
async function inProject(pageOf: (project: SimulatedProject) => Promise<string>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "picture-")));
  const project = await simulatedProject(folder);
  try {
    return (await pageOf(project)).replaceAll(project.service.baseUrl, "https://storage.example");
  } finally {
    await project.service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes pictures of whole pages, which are so many pixels wide. @param pages by the files of their pictures */
async function photograph(pages: Readonly<Record<string, string>>, width: number): Promise<void> {
  const chromium = findProgram("chromium");
  if (chromium === undefined) throw new Error("There is no chromium: `node .ci/engines.mjs` installs it.");
  const disk = await DiskBrowser.start(chromium);
  try {
    for (const [file, html] of Object.entries(pages)) {
      const { page } = await disk.open(html, { width });
      // Folded, so that the picture is no longer than it has to be.
      await page.evaluate(
        "for (const one of document.querySelectorAll('#changes details')) one.open = false",
      );
      // Boxes out of sight have an estimated height, and a page ends with room to scroll: both are empty areas in a picture.
      await page.evaluate(
        "for (const box of document.querySelectorAll('.lazy')) box.classList.remove('lazy')",
      );
      await page.evaluate(
        `document.body.style.paddingBottom = "min(1rem, " + getComputedStyle(document.body).paddingBottom + ")"`,
      );
      // A page may grow with its window.
      for (let height = 100, shown = 0; height !== shown;) {
        await page.setViewport({ width, height });
        shown = height;
        height = await inPage<number>(page, "document.documentElement.scrollHeight");
      }
      await page.screenshot({ path: join(FOLDER, file) });
    }
  } finally {
    await disk.close();
  }
}

void main(process.argv.slice(2));
