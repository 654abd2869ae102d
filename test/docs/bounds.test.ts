/** The bounds that docs/manual/explanation/design.md lists: each is reached, and gives the error that stands beside it. */
import { constants } from "node:buffer";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MAX_LIST_BYTES } from "../../src/api/options";
import { writeHandover } from "../../src/cli/consumers/handover";
import { partName, openState } from "../../src/state";
import { HelperProgram } from "../../src/state/helper";
import { instanceCount } from "../../src/engine/evaluate/instances";
import { evaluate, parseExpression } from "../../src/lib/language";
import type { Marked } from "../../src/lib/values";
import { readApprovals } from "../../src/plan";
import { readManifest } from "../../src/stack";
import { evaluated, scopeOf, valueOf } from "../lib/language/support";
import { hang, startService, text } from "../support/scripted-service";
import { clientOf } from "../support/test-client";

const page = readFileSync(resolve(__dirname, "../../docs/manual/explanation/design.md"), "utf8");
const rows = page
  .slice(page.indexOf("### Bounds"), page.indexOf("## Managed attributes"))
  .split("\n")
  .filter((line) => /^\| (?!bound |-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(
    ([, what = "", most = "", errors = ""]) =>
      [what, [...errors.matchAll(/`(\w+)`/g)].map(([, code]) => code), most] as const,
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenancy-bounds-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of so many bytes, which takes no room on the disk. */
function fileOf(name: string, bytes: number): string {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, "", { mode: 0o600 });
  truncateSync(file, bytes);
  return file;
}

async function answering(body: string) {
  return clientOf(
    await startService({ "GET /api/account/x": text(200, body), "GET /api/account": text(200, body) }),
  );
}

const nested = (open: string, core: string, close: string, levels: number) =>
  `${open.repeat(levels)}${core}${close.repeat(levels)}`;

function doubled(): Marked {
  let value: Marked = "x";
  for (;;) value = evaluated("[local.x, local.x]", { "local.x": value });
}

function deeper(): Marked {
  let value: Marked = "x";
  for (;;) value = evaluated("[local.x]", { "local.x": value });
}

/** The first number of the page's column, in bytes where it gives MiB. */
function numberIn(most: string): number {
  const [, digits = "", unit] = /([\d,]+)( MiB)?/.exec(most) ?? [];
  return Number(digits.replaceAll(",", "")) * (unit === undefined ? 1 : 2 ** 20);
}

/** What goes one past each bound, by the words of the page and with its number. */
const reaching: Readonly<Record<string, readonly ((most: number) => unknown)[]>> = {
  "time of a request": [
    async () => {
      const service = await startService({ "GET /api/account": hang() });
      return clientOf(service, { requestTimeoutMs: 50, retryTimeoutMs: 0 }).accounts.list();
    },
  ],
  "answer that holds one record": [
    async (most) => (await answering(`"${"x".repeat(most - 1)}"`)).accounts.get("x"),
  ],
  "levels of an answer": [async (most) => (await answering(nested("[", "1", "]", most + 1))).accounts.list()],
  "synthesized stack": [
    async (most) => {
      fileOf("stack", most + 1);
      const manifest = { stacks: { a: { synthesizedStackPath: "stack" } } };
      writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
      return (await readManifest(folder))[0]?.text();
    },
  ],
  "instances of a block": [(most) => instanceCount("tenancy_account.a", most + 1)],
  "levels of one expression, and of a decoded text": [
    (most) => valueOf(nested("(", "1", ")", most + 1)),
    (most) => valueOf("jsondecode(local.x)", { "local.x": nested("[", "1", "]", most + 1) }),
  ],
  "file that a function reads": [
    (most) => {
      fileOf("large", most + 1);
      return evaluate(parseExpression('file("large")'), scopeOf({}, { folder, readable: [folder] }));
    },
  ],
  "text that an expression makes": [(most) => valueOf(`format("%${most + 1}s", "x")`)],
  "list that a function makes": [(most) => valueOf(`setproduct(range(1000), range(${most / 1000 + 1}))`)],
  "work of one expression: rounds, calls, elements and sixteenths of text made": [
    (most) => valueOf(`[for a in range(1000) : format("%${(most / 1000) * 16}s", a)]`),
  ],
  "value, written out: lists, objects, their parts, each 64 characters of a text": [doubled, deeper],
  state: [
    (most) =>
      openState({ path: fileOf("state", most + 1) }).part(
        partName("https://storage.example", "acme", "tenancy"),
      ),
  ],
  "answer of a credential helper": [
    (most) => new HelperProgram({ command: `sh -c 'head -c ${most + 1} /dev/zero'` }).call("get", {}),
  ],
  "a file of `approvals/`": [(most) => readApprovals({ "a.yaml": " ".repeat(most + 1) }, new Date(0))],
  "file that `token write` is to replace": [
    (most) => {
      fileOf("token.json", most + 1);
      return writeHandover("token.json", { text: "{}", marker: undefined } as never, { folder } as never);
    },
  ],
};

/** Half a GiB is too much for a test: the bound is that of the other answers, with another number. */
const UNTRIED = "answer that holds a list";

test("every bound of the page is reached here, and none besides", () => {
  expect(rows.map(([what]) => what)).toEqual(expect.arrayContaining([...Object.keys(reaching), UNTRIED]));
  expect(rows).toHaveLength(Object.keys(reaching).length + 1);
  expect(MAX_LIST_BYTES).toBe(constants.MAX_STRING_LENGTH);
});

test.each(rows.filter(([what]) => what !== UNTRIED))("%s: the error is %s", async (what, codes, most) => {
  const acts = reaching[what] ?? [];
  const found = await Promise.all(
    acts.map(async (act) => {
      try {
        await act(numberIn(most));
        return undefined;
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    }),
  );
  expect([...new Set(found)]).toEqual(codes);
});
