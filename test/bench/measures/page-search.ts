/** A search on the page of a plan, against one on a bare table of as many rows, in Chromium. */
import { html } from "../../../src/render/html";
import { planView } from "../../../src/render/view";
import { DiskBrowser } from "../../support/browser";
import { findProgram } from "../../support/programs";
import { planOfUsers } from "../../support/sample-pages";
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";

const USERS = 10_000;

export const measure: Measure = {
  runs: 9,
  async take(_workplace, runs) {
    const chromium = findProgram("chromium");
    if (chromium === undefined)
      throw new Error("page-search needs chromium: `node .ci/engines.mjs` installs it");
    const disk = await DiskBrowser.start(chromium);
    try {
      const plan = planOfUsers(USERS);
      const names = plan.changes.map(({ title }) => title);
      const page = await disk.open(html([planView(plan, { page: true, all: true })]));
      const bare = await disk.open(bareTable(names));
      const title = `page of ${USERS} users`;
      const pairs = [
        ["a name typed and taken away", ["user-4711@", ""]],
        ["a letter typed that all have, and one more", ["u", "user-1"]],
      ] as const;
      const findings = [];
      for (const [what, words] of pairs)
        findings.push(
          await comparePairs(
            {
              what: `${title}, ${what} / bare table`,
              goal: 2,
              bare: () => typed(bare, words),
              ours: () => typed(page, words),
            },
            runs,
          ),
        );
      return findings;
    } finally {
      await disk.close();
    }
  },
};

/** The least that a search can be: a row for each name, shown or hidden. */
function bareTable(names: readonly string[]): string {
  const rows = names.map((name) => `<tr><td>${name}`).join("\n");
  return `<!doctype html><title>bare</title><input type="search"><table>${rows}</table><script>
    const rows = [...document.querySelectorAll("tr")];
    const input = document.querySelector("input");
    input.addEventListener("input", () => {
      for (const row of rows) row.hidden = !row.textContent.includes(input.value);
    });
  </script>`;
}

/** Runs in the page. As a text, since what loads TypeScript here adds names to functions that the page does not know. */
const TYPING = `async (texts) => {
  const input = document.querySelector("input");
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  const begun = performance.now();
  for (const text of texts) {
    input.value = text;
    input.dispatchEvent(new Event("input"));
    await frame();
    await frame();
  }
  return performance.now() - begun;
}`;

/** Types each word, and waits until the browser shows what it finds. */
async function typed(
  { page }: Awaited<ReturnType<DiskBrowser["open"]>>,
  words: readonly string[],
): Promise<{ milliseconds: number; processorMilliseconds: number }> {
  await page.bringToFront();
  const { TaskDuration: before = 0 } = await page.metrics();
  const milliseconds = (await page.evaluate(`(${TYPING})(${JSON.stringify(words)})`)) as number;
  const { TaskDuration: after = 0 } = await page.metrics();
  return { milliseconds, processorMilliseconds: (after - before) * 1000 };
}
