/** Covers src/render/html in a real browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { html } from "../../../src/render/html";
import { planView } from "../../../src/render/view";
import { DiskBrowser, faultsOf, inPage, OVERFLOWING, search, textOf, whoIsSeen } from "../../support/browser";
import { hostilePlan } from "../../support/hostile/plans";
import { describeWith } from "../../support/programs";
import { plan } from "../../support/plans";
import { planOfUsers, samplePlan, user } from "../../support/sample-pages";

const refusal = {
  severity: "error",
  code: "TENANCY_TOO_MANY_DELETES",
  summary: "7 records would be deleted",
  advice: "Pass --max-deletes 7",
} as const;

const sample = html([planView(samplePlan, { page: true })]);
const several = html([
  planView(samplePlan, { page: true, refusals: [refusal] }),
  planView(samplePlan, { page: true, all: true }),
]);

/** The light of a colour, from 0 to 255. */
const lightOf = (colour: string) => {
  const parts = [...colour.matchAll(/\d+/g)].slice(0, 3).map(([part]) => Number(part));
  return parts.reduce((sum, part) => sum + part, 0) / 3;
};

describeWith(["chromium"], "a page in Chromium", ({ chromium }) => {
  let disk: DiskBrowser;
  beforeAll(async () => {
    disk = await DiskBrowser.start(chromium);
  });
  afterAll(() => disk.close());
  afterEach(async () => {
    for (const page of await disk.browser.pages()) if (page.url() !== "about:blank") await page.close();
  });

  test("opens from the disk, asks nobody for anything, and has nothing to complain of", async () => {
    for (const text of [sample, several]) {
      const { page, requests, complaints } = await disk.open(text);
      await search(page, "jane");
      expect(requests).toEqual([page.url()]);
      expect(page.url()).toMatch(/^file:/);
      expect(complaints).toEqual([]);
    }
  });

  test("lets not even code that has got into it send or load anything", async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer(({ url }, response) => {
      asked.push(url);
      response.setHeader("access-control-allow-origin", "*").end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const { page } = await disk.open(sample);
    const attempt = `(async () => {
      const script = document.createElement("script");
      script.textContent = "globalThis.got = true";
      const image = document.createElement("img");
      image.src = "${origin}/pixel";
      const form = document.createElement("form");
      form.action = "${origin}/form";
      document.body.append(script, image, form);
      document.body.setAttribute("onclick", "globalThis.got = true");
      document.body.click();
      form.submit();
      const sent = await fetch("${origin}/fetch").then(() => true, () => false);
      const loaded = await image.decode().then(() => true, () => false);
      return { sent, loaded, got: "got" in globalThis, at: location.protocol };
    })()`;
    expect(await inPage(page, attempt)).toEqual({ sent: false, loaded: false, got: false, at: "file:" });
    expect(asked).toEqual([]);
    // It would have been heard.
    const { page: unguarded } = await disk.open("<!doctype html><title>bare</title>");
    await inPage(unguarded, `fetch("${origin}/fetch").then(() => true)`);
    expect(asked).toEqual(["/fetch"]);
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
  });

  test("finds a user by name, in a group and among those who stay as they are too", async () => {
    const { page } = await disk.open(sample);
    expect(await search(page, "JANE@")).toBe("2 found");
    expect(await whoIsSeen(page, "access")).toEqual(["jane@acme"]);
    expect(await whoIsSeen(page, "changes")).toEqual(["tenancy_user_profile.jane"]);
    expect(await whoIsSeen(page, "quotas")).toEqual([]);
    await search(page, "dan@acme");
    expect(await whoIsSeen(page, "access")).toEqual(["dan@acme"]);
    expect(await search(page, "carol")).toBe("1 found");
    expect(await whoIsSeen(page, "access-unchanged")).toEqual(["carol@acme"]);
    expect(await search(page, "zzz")).toBe("Nothing found");
    expect(await search(page, "")).toBe("");
    expect(await whoIsSeen(page, "access")).toHaveLength(6);
    expect(await whoIsSeen(page, "access-unchanged")).toEqual([]);
  });

  test("reads without scripts, and folds by itself", async () => {
    const { page } = await disk.open(sample, { scripts: false });
    const text = await textOf(page);
    for (const said of ["jane@acme", "csi@acme", "8 to create", "bob@acme", "initech", "limits_vss_num"])
      expect(text).toContain(said);
    expect(text).not.toContain("Find a user");
    expect(await whoIsSeen(page, "access-unchanged")).toEqual([]);
    await page.click("#access-unchanged summary");
    expect(await whoIsSeen(page, "access-unchanged")).toContain("eve@acme");
  });

  test.each([360, 768, 1440, 1920])(
    "has nothing that overflows or is clipped at %d pixels",
    async (width) => {
      for (const text of [sample, several, html([planView(planOfUsers(30), { page: true, all: true })])]) {
        const { page } = await disk.open(text, { width });
        expect(await inPage(page, OVERFLOWING)).toEqual([]);
        await inPage(page, "for (const details of document.querySelectorAll('details')) details.open = true");
        expect(await inPage(page, OVERFLOWING)).toEqual([]);
      }
    },
  );

  test("of 320 new users has their log-in addresses side by side where there is room, and nothing overflows", async () => {
    const created = Array.from({ length: 320 }, (_unused, index) =>
      user(`u${index}`, { after: { username: `u${index}`, email: `u${index}@acme.example` } }),
    );
    const text = html([planView(plan(created), { page: true })]);
    const columnsAt = async (width: number) => {
      const { page } = await disk.open(text, { width });
      expect(await inPage(page, OVERFLOWING)).toEqual([]);
      if (width === 768) expect(await faultsOf(page)).toEqual([]);
      return inPage<number>(
        page,
        `new Set([...document.querySelectorAll("#log-in li")].map((one) => one.getBoundingClientRect().left)).size`,
      );
    };
    expect([await columnsAt(360), await columnsAt(768), await columnsAt(1440)]).toEqual([1, 1, 3]);
  });

  test("writes no character as an escape of its own, and has no search where nothing is to be found", async () => {
    const { page } = await disk.open(html([planView(planOfUsers(30), { page: true })]));
    expect(await textOf(page)).toMatch(/41 rights .*▲.destructive 8/);
    expect(await textOf(page)).not.toContain("\\u");
    expect(await inPage(page, `document.querySelector("input").checkVisibility()`)).toBe(true);
    const { page: empty } = await disk.open(html([planView(plan([]), { page: true })]));
    expect(await textOf(empty)).toContain("No changes. Nothing is declared.");
    expect(await inPage(empty, `document.querySelector("input").checkVisibility()`)).toBe(false);
  });

  test.each([360, 1440])(
    "has a right in the line of its group, where the line is narrow too: %i px",
    async (width) => {
      for (const text of [sample, html([planView(planOfUsers(30), { page: true })])]) {
        const { page } = await disk.open(text, { width });
        const tornRights = await inPage<readonly string[]>(
          page,
          `[...document.querySelectorAll(".card .danger b")].filter((group) => {
          const range = document.createRange();
          range.setStart(group.nextSibling, 1);
          range.setEnd(group.nextSibling, 2);
          return Math.abs(range.getBoundingClientRect().top - group.getBoundingClientRect().top) > 4;
        }).map((group) => group.parentElement.textContent)`,
        );
        expect(tornRights).toEqual([]);
      }
    },
  );

  test("reads from the title to the sentence that matters, then what needs to be done, Access, and all else", async () => {
    const { page } = await disk.open(sample, { width: 1440 });
    const tops = await inPage<readonly number[]>(
      page,
      `[".kind", "h1", ".meta", ".alert", ".summary", "search", "#warnings", "#access", "#changes", "#quotas"]
        .map((one) => document.querySelector(one).getBoundingClientRect().top)`,
    );
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    // Who gains what is seen without scrolling.
    expect(await inPage(page, "document.querySelector('.card').getBoundingClientRect().bottom")).toBeLessThan(
      800,
    );
  });

  test("has gains, losses and what is kept side by side where there is room, and else one below the other", async () => {
    const placesAt = async (width: number) => {
      const { page } = await disk.open(sample, { width });
      return inPage<readonly (readonly number[])[]>(
        page,
        `(() => {
          const card = [...document.querySelectorAll("#access .card")].find((one) => one.textContent.startsWith("jane@"));
          return ["gains", "loses", "keeps"].map((css) => {
            const { left, top } = card.querySelector("." + css).getBoundingClientRect();
            return [Math.round(left), Math.round(top)];
          });
        })()`,
      );
    };
    const wide = await placesAt(1440);
    expect(new Set(wide.map(([, top]) => top)).size).toBe(1);
    const lefts = wide.map(([left]) => left);
    expect(lefts).toEqual([...lefts].sort((a = 0, b = 0) => a - b));
    const narrow = await placesAt(360);
    expect(new Set(narrow.map(([left]) => left)).size).toBe(1);
  });

  test("marks what is dangerous by a shape and a word that are seen, not by its color alone", async () => {
    const { page } = await disk.open(sample, { width: 360 });
    const marks = await inPage<readonly (readonly [string, boolean])[]>(
      page,
      `[...document.querySelectorAll(".gains .mark")].map((mark) => {
        const { width, height } = mark.getBoundingClientRect();
        return [mark.textContent, mark.checkVisibility() && width > 40 && height > 10];
      })`,
    );
    expect(marks.length).toBeGreaterThan(3);
    for (const [text, isSeen] of marks) {
      expect(text).toMatch(/^(?:▲.destructive|◆.privileged)$/);
      expect(isSeen).toBe(true);
    }
    await page.click("#access .matrix > summary");
    const heads = await inPage<readonly string[]>(
      page,
      "[...document.querySelectorAll('#access .matrix th.danger')].map((head) => head.innerText.trim())",
    );
    expect(heads).toContain("format_disks ▲ destructive");
    for (const head of heads) expect(head).toMatch(/ (?:▲ destructive|◆ privileged)/);
  });

  test("shows the matrix of all rights when its button is pressed, and each group of it folds", async () => {
    for (const scripts of [true, false]) {
      const { page } = await disk.open(sample, { scripts });
      const isSeen = async (selector: string) =>
        inPage<boolean>(page, `document.querySelector("${selector}").checkVisibility()`);
      expect(await isSeen("#access .group table")).toBe(false);
      await page.click("#access .matrix > summary");
      expect(await isSeen("#access .group table")).toBe(true);
      await page.click("#access .group > summary");
      expect(await isSeen("#access .group table")).toBe(false);
      expect(await isSeen("#access .group + .group table")).toBe(true);
    }
  });

  test("searches in a matrix that is open, and in one that is opened later", async () => {
    const { page } = await disk.open(sample);
    const rows = async () =>
      inPage<readonly string[]>(
        page,
        `[...document.querySelectorAll("#access .group tbody tr")].filter((row) => row.checkVisibility())
          .map((row) => row.querySelector(".n").textContent)`,
      );
    await search(page, "jane@");
    await page.click("#access .matrix > summary");
    await page.waitForFunction("document.querySelectorAll('#access .group tr[hidden]').length > 0");
    expect(await rows()).toEqual(["jane@acme", "jane@acme"]);
    await search(page, "dan@");
    expect(new Set(await rows())).toEqual(new Set(["amy@acme"]));
    await search(page, "");
    expect((await rows()).length).toBeGreaterThan(6);
  });

  test("keeps who and which right in sight while the matrix scrolls", async () => {
    for (const plan of [samplePlan, planOfUsers(300)]) {
      const { page } = await disk.open(html([planView(plan, { page: true, all: true })]), { width: 500 });
      const moved = await inPage<Record<"who" | "head", number>>(
        page,
        `(() => {
          for (const details of document.querySelectorAll("#access .matrix, #access .group")) details.open = true;
          const box = [...document.querySelectorAll("#access .scroll")].find((one) => one.querySelector("thead tr").cells.length > 20);
          box.scrollTo(400, box.scrollHeight);
          const edges = box.getBoundingClientRect();
          const rows = [...box.querySelectorAll("tbody th")];
          return {
            who: Math.round(rows.at(-1).getBoundingClientRect().left - edges.left),
            head: Math.round(box.querySelector("thead th:nth-child(20)").getBoundingClientRect().top - edges.top),
          };
        })()`,
      );
      expect(moved.who).toBeGreaterThanOrEqual(0);
      expect(moved.head).toBeGreaterThanOrEqual(0);
      expect(moved.who).toBeLessThanOrEqual(2);
      expect(moved.head).toBeLessThanOrEqual(2);
    }
  });

  test("is light or dark as the reader's other windows are", async () => {
    const lights = await Promise.all(
      [false, true].map(async (dark) => {
        const { page } = await disk.open(sample, { dark });
        const colours = await inPage<readonly string[]>(
          page,
          "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.documentElement))",
        );
        return colours.map(lightOf);
      }),
    );
    const [[back = 0, front = 0] = [], [darkBack = 0, darkFront = 0] = []] = lights;
    expect(back - front).toBeGreaterThan(150);
    expect(darkFront - darkBack).toBeGreaterThan(150);
  });

  test.each([
    [false, 1280],
    [true, 1280],
    [false, 360],
    [true, 1920],
  ])("has nothing that axe finds: dark %p, %d pixels", async (dark, width) => {
    for (const text of [sample, several, html([planView(planOfUsers(120), { page: true, all: true })])]) {
      const { page } = await disk.open(text, { dark, width });
      await inPage(page, "for (const details of document.querySelectorAll('details')) details.open = true");
      expect(await faultsOf(page)).toEqual([]);
    }
  });

  test("is whole on paper", async () => {
    const { page } = await disk.open(sample, { scripts: false });
    await page.emulateMediaType("print");
    await page.setViewport({ width: 1000, height: 800 });
    const clipped = await inPage<readonly boolean[]>(
      page,
      `[...document.querySelectorAll(".scroll")].flatMap((box) => [
        box.scrollWidth > box.clientWidth, box.scrollHeight > box.clientHeight])`,
    );
    expect(clipped).not.toContain(true);
    expect(await whoIsSeen(page, "access-unchanged")).toContain("eve@acme");
    expect(await textOf(page)).toContain("dan@acme");
    expect((await page.pdf({ landscape: true })).length).toBeGreaterThan(10_000);
  });

  test("holds ten thousand users of whom each is different, and finds one of them", async () => {
    const { page } = await disk.open(html([planView(planOfUsers(10_000), { page: true, all: true })]));
    const count = async (selector: string) =>
      inPage<number>(page, `document.querySelectorAll("${selector}").length`);
    expect(await count("#access .card")).toBeGreaterThan(9_900);
    await search(page, "9876@");
    expect(await whoIsSeen(page, "access")).toEqual(["user-9876@acme"]);
    await search(page, "");
    expect(await count("#access .box:not([hidden])")).toBeGreaterThan(99);
  });

  test("of ten thousand users is small, and writes what is opened or printed: kept rights, the matrix, group by group", async () => {
    const text = html([planView(planOfUsers(10_000), { page: true })]);
    expect(text.length).toBeLessThan(10_000_000);
    const { page, complaints } = await disk.open(text);
    const matrixOf = `document.querySelector("#access .matrix")`;
    expect(await inPage(page, `${matrixOf}.querySelectorAll("tbody tr").length`)).toBe(0);
    // Each state of the first card, by the words beside its letters in the matrix.
    const opened = await inPage<{ readonly kept: string; readonly rows: number; readonly first: string }>(
      page,
      `(async () => {
        const settled = () => new Promise((resolve) => setTimeout(resolve, 50));
        const card = document.querySelector("#access .card");
        const kept = card.querySelector(".keeps details");
        kept.open = true;
        const matrix = ${matrixOf};
        matrix.open = true;
        const group = matrix.querySelector(".group");
        group.open = true;
        await settled();
        const row = group.querySelector("tbody tr");
        return {
          kept: [...kept.querySelectorAll("p")].map((line) => line.textContent).join("\\n"),
          rows: group.querySelectorAll("tbody tr").length,
          first: [...row.cells].slice(1).map((cell) => cell.textContent.repeat(cell.colSpan)).join(""),
        };
      })()`,
    );
    expect(opened.kept).toMatch(/^realm .*◆ can_switch_user \(privileged\)/);
    expect(opened.rows).toBeGreaterThan(8_000);
    expect(opened.first).toMatch(/^[+•−⊕?]{1,6}$/);
    await search(page, "9876@");
    const seen = `[...${matrixOf}.querySelectorAll("tbody tr")].filter((one) => one.checkVisibility()).length`;
    expect(await inPage(page, seen)).toBeLessThan(3);
    expect(complaints).toEqual([]);
    const { page: unscripted } = await disk.open(text, { scripts: false });
    expect(await textOf(unscripted)).toContain("Grants access to");
    expect(await textOf(unscripted)).toMatch(/▲.destructive/);
  });

  test("of many users has on paper what was never opened", async () => {
    const { page } = await disk.open(html([planView(planOfUsers(600), { page: true, all: true })]));
    const unwritten = `document.querySelectorAll("[data-rights]").length`;
    expect(await inPage<number>(page, unwritten)).toBeGreaterThan(500);
    await inPage(page, `dispatchEvent(new Event("beforeprint"))`);
    expect(await inPage(page, unwritten)).toBe(0);
    expect(await textOf(page)).toContain("◆ can_switch_user (privileged)");
  });

  test("does nothing that a name says", async () => {
    for (const plan of fc.sample(hostilePlan, { numRuns: 5, seed: 5 })) {
      const { page, requests, complaints } = await disk.open(html([planView(plan, { page: true })]));
      await search(page, "<");
      expect(requests).toEqual([page.url()]);
      expect(complaints).toEqual([]);
    }
  });
});
