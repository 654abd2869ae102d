/** The bounds that docs/design.md lists: each is reached, and gives the error that stands beside it. */
import { constants } from "node:buffer";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MAX_LIST_BYTES } from "../../src/api/options";
import { writeHandover } from "../../src/cli/consumers";
import { openStore } from "../../src/credentials";
import { countOf } from "../../src/engine/evaluate/instances";
import { evaluate, type Marked, parseExpression } from "../../src/language";
import { readApprovals } from "../../src/plan";
import { readStackFile } from "../../src/stack";
import { evaluated, scopeOf, valueOf } from "../language/support";
import { hang, startService, text } from "../support/scripted-service";
import { clientOf } from "../support/test-client";

const page = readFileSync(resolve(__dirname, "../../docs/design.md"), "utf8");
const rows = page
  .slice(page.indexOf("### Bounds"), page.indexOf("## What is managed"))
  .split("\n")
  .filter((line) => /^\| (?!what |-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(
    ([, what = "", , errors = ""]) =>
      [what, [...errors.matchAll(/`(\w+)`/g)].map(([, code]) => code)] as const,
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

const nested = (open: string, core: string, close: string, levels = 201) =>
  `${open.repeat(levels)}${core}${close.repeat(levels)}`;

function doubled(): Marked {
  let value: Marked = "x";
  for (;;) value = evaluated("[local.x, local.x]", { "local.x": value });
}

function deeper(): Marked {
  let value: Marked = "x";
  for (;;) value = evaluated("[local.x]", { "local.x": value });
}

/** What reaches each bound, by the words of the page. */
const reaching: Readonly<Record<string, readonly (() => unknown)[]>> = {
  "time of a request": [
    async () => {
      const service = await startService({ "GET /api/account": hang() });
      return clientOf(service, { requestTimeoutMs: 50, maxRetries: 0 }).accounts.list();
    },
  ],
  "answer that holds one record": [
    async () => (await answering(`"${"x".repeat(16 * 2 ** 20)}"`)).accounts.get("x"),
  ],
  "levels of an answer": [async () => (await answering(nested("[", "1", "]"))).accounts.list()],
  "synthesized stack": [() => readStackFile({ name: "a", file: fileOf("stack", 256 * 2 ** 20 + 1) })],
  "instances of a block": [() => countOf("tenancy_account.a", 1_000_001)],
  "levels of one expression, and of what a function decodes": [
    () => valueOf(nested("(", "1", ")")),
    () => valueOf("jsondecode(local.x)", { "local.x": nested("[", "1", "]") }),
  ],
  "file that a function reads": [
    () => {
      fileOf("large", 64 * 2 ** 20 + 1);
      return evaluate(parseExpression('file("large")'), scopeOf({}, { folder, readable: [folder] }));
    },
  ],
  "text that an expression makes": [() => valueOf('format("%67108865s", "x")')],
  "list that a function makes": [() => valueOf("setproduct(range(1000), range(1001))")],
  "work of one expression: rounds, calls, elements and sixteenths of text made": [
    () => valueOf('[for a in range(1000) : format("%40000s", a)]'),
  ],
  "value, written out: lists, objects, their parts, each 64 characters of a text": [doubled, deeper],
  "credential store": [
    () => openStore({ path: fileOf("store", 512 * 2 ** 20 + 1) }).ledger("https://storage.example", "acme"),
  ],
  "`tenancy.approvals`": [() => readApprovals(" ".repeat(4_000_001), new Date(0))],
  "file that `token write` is to replace": [
    () => {
      fileOf("token.json", 2 ** 20 + 1);
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

test.each(rows.filter(([what]) => what !== UNTRIED))("%s: the error is %s", async (what, codes) => {
  const acts = reaching[what] ?? [];
  const found = await Promise.all(
    acts.map(async (act) => {
      try {
        await act();
        return undefined;
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    }),
  );
  expect([...new Set(found)]).toEqual(codes);
});
