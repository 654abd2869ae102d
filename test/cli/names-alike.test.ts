/** Users whose names differ in what is not seen read differently in every output: covers `shownName` of src/lib/values/text.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandProjects } from "../support/command";

const start = commandProjects();

/** Names that differ in what is not seen, and how they are shown. */
const TWINS: Readonly<Record<string, string>> = {
  "jane\u200b": String.raw`jane\u200b`,
  "ja\u00adne": String.raw`ja\u00adne`,
  "jane\u{e0041}": String.raw`jane\udb40\udc41`,
  "ja\u2060ne": String.raw`ja\u2060ne`,
  "ja  ne": String.raw`ja \u0020ne`,
};

test("names that differ in what is not seen read differently in every output", async () => {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "acme" });
  for (const username of ["jane", ...Object.keys(TWINS), " jane"])
    records.createProfile("acme", { username, permissions: { vss: { rights: { manage_targets: true } } } });
  await project.declare({
    prod: {
      provider: { tenancy: [{}] },
      resource: { tenancy_account: { acme: { name: "acme", permissions: {} } } },
      import: [{ to: "tenancy_account.acme", id: "acme" }],
    },
  });
  const texts: Record<string, string> = {};
  for (const words of [
    "plan --all --markdown plan.md --html plan.html",
    "report --markdown report.md --html report.html",
    "report --csv",
    "drift",
  ]) {
    const { stdout, stderr } = await project.tenancy(words.split(" "));
    texts[words] = stdout + stderr;
  }
  for (const file of ["plan.md", "plan.html", "report.md", "report.html"])
    texts[file] = await readFile(join(project.folder, file), "utf8");
  for (const [where, text] of Object.entries(texts)) {
    const quoted = /^\w+.html$/.test(where) ? /&quot; jane@acme&quot;/ : /"" jane@acme""|" jane@acme"/;
    expect([where, text]).toEqual([where, expect.stringMatching(quoted)]);
    for (const [name, shown] of Object.entries(TWINS)) {
      expect([where, text]).toEqual([where, expect.stringContaining(`${shown}@acme`)]);
      expect(text).not.toContain(name);
    }
  }
});
