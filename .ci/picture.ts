/** Makes the picture of a plan's page that the documentation shows: `npx tsx .ci/picture.ts`. It needs Chromium (`node .ci/engines.mjs`). */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { html } from "../src/render/html";
import { planView } from "../src/render/view";
import { DiskBrowser } from "../test/support/browser";
import { findProgram } from "../test/support/programs";
import { samplePlan } from "../test/support/sample-pages";

const PICTURE = join(__dirname, "..", "docs", "pictures", "page.png");

async function main(): Promise<void> {
  const chromium = findProgram("chromium");
  if (chromium === undefined) throw new Error("There is no chromium: `node .ci/engines.mjs` installs it.");
  const disk = await DiskBrowser.start(chromium);
  try {
    const view = planView(samplePlan, { page: true });
    const { page } = await disk.open(html([view]), { width: 1020 });
    // Folded, so that the picture is no longer than it has to be.
    await page.evaluate("for (const one of document.querySelectorAll('#changes details')) one.open = false");
    await mkdir(join(PICTURE, ".."), { recursive: true });
    await page.screenshot({ path: PICTURE, fullPage: true });
  } finally {
    await disk.close();
  }
}

void main();
