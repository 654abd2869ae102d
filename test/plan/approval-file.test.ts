import { createHash } from "node:crypto";
import fc from "fast-check";
import { parse } from "yaml";
import type { Approval } from "../../src/plan/approval";
import { linesOfPairs } from "../../src/plan/approval-pairs";
import {
  approvalFiles,
  missingApprovals,
  readApprovals,
  savedNeeds,
  unapproved,
  unendedApprovals,
  unfitDay,
} from "../../src/plan/approval-file";
import { isReadable } from "../../src/plan/approval-lines";
import { type TenancyError, unfitApprovals } from "../../src/problems";
import { PRESETS } from "../../src/resources";
import { rounds } from "../support/rounds";
import { thrown } from "../support/thrown";

const NOW = new Date("2026-03-01T12:00:00.000Z");

const ENTRY: Approval = {
  stack: "storage",
  origin: "https://storage.example",
  owner: "acme-platform",
  until: "2026-03-08",
  allows: [
    "jane@acme gains vss.format_disks (destructive)",
    "jane@acme gains vss.update_vss, vss.manage_snapshots",
    'csi@acme token "csi-prod"',
  ],
};

/** Name in the folder, and text, of the only file of an entry. */
function fileOf(entry: Approval): { name: string; text: string } {
  const [[path = "", text = ""] = []] = Object.entries(approvalFiles([entry]));
  return { name: path.replace("approvals/", ""), text };
}

const { name: NAME, text: TEXT } = fileOf(ENTRY);

/** The file with the fingerprint, and the name, that its text would have. */
function sealed(text: string): Record<string, string> {
  const above = text.slice(0, text.indexOf("fingerprint: "));
  const digits = createHash("sha256").update(above).digest("hex");
  const day = /^until: (.*)$/m.exec(text)?.[1] ?? "2026-03-08";
  return { [`${day}-${digits.slice(0, 8)}.yaml`]: `${above}fingerprint: sha256:${digits}\n` };
}

/** What is wrong with files. */
function problemOf(files: Record<string, string>): string {
  try {
    readApprovals(files, NOW);
  } catch (error) {
    expect(error).toEqual(thrown(unfitApprovals));
    return (error as Error).message;
  }
  return "nothing";
}

test("an entry looks as the documents show it, and its fingerprint is SHA-256 of the text above", () => {
  const above = `stack: storage
origin: https://storage.example
owner: acme-platform
until: 2026-03-08
allows:
  - jane@acme gains vss.format_disks (destructive)
  - jane@acme gains vss.update_vss, vss.manage_snapshots
  - csi@acme token "csi-prod"
`;
  const fingerprint = createHash("sha256").update(above).digest("hex");
  expect(approvalFiles([ENTRY])).toEqual({
    [`approvals/2026-03-08-${fingerprint.slice(0, 8)}.yaml`]: `${above}fingerprint: sha256:${fingerprint}\n`,
  });
  expect(readApprovals({ [NAME]: TEXT }, NOW)).toEqual([ENTRY]);
  expect(sealed(TEXT)).toEqual({ [NAME]: TEXT });
});

const operator = linesOfPairs(PRESETS.operator.map((right) => `jane@acme gains ${right}`));

test("rights of a preset are spelt out, and the comment beside them names the preset", () => {
  const { name, text } = fileOf({ ...ENTRY, allows: operator });
  expect(text).toContain("  - jane@acme gains vss.dismiss_tasks, vss.update_vss, ");
  expect(text).toMatch(/account\.write_object_storage # operator\n/);
  expect(readApprovals({ [name]: text }, NOW)).toEqual([{ ...ENTRY, allows: operator }]);
  const more = [ENTRY.allows[0]!, ...operator, "joe@acme gains vss.update_vss"];
  expect(fileOf({ ...ENTRY, allows: more }).text).toMatch(/ # operator \+ vss\.format_disks\n/);
});

test.each<readonly [string, string, string]>([
  ["names another preset", " # operator", " # observer"],
  ["names a preset that the rights do not make", "manage_snapshots", "manage_snapshots # observer"],
  ["names more than there is", " # operator", " # operator + vss.format_disks"],
  ["is left out", " # operator", ""],
])("a comment that %s is refused", (_which, from, to) => {
  const text = to.includes("snapshots #") ? TEXT : fileOf({ ...ENTRY, allows: operator }).text;
  expect(problemOf(sealed(text.replace(from, to)))).toMatch(
    /this line is not in its exact form: {3}- jane@acme/,
  );
});

const HERE = "this line is not in its exact form: ";

// V16: each of these reads as the entry, or as less, to a person or to a reader of YAML.
test.each<readonly [string, string, string]>([
  [
    "an escaped line",
    TEXT.replace(
      "- jane@acme gains vss.format_disks (",
      String.raw`- "jane@acme gains vss.format_disks\x20(`,
    ),
    "line 6: ",
  ],
  [
    "a line in needless quotation marks",
    TEXT.replace("storage\n", "'storage'\n"),
    `line 1: ${HERE}stack: storage`,
  ],
  ["a folded line", TEXT.replace("gains vss.update", "gains\n      vss.update"), "line 8: "],
  ["a block of text", TEXT.replace("- csi", "- >-\n    csi"), "line 9: "],
  ["blanks before a line", TEXT.replace("- csi", `-${" ".repeat(200)}csi`), "line 8: "],
  [
    "blanks in a line",
    TEXT.replace("gains vss.f", `gains${" ".repeat(200)}vss.f`),
    "line 6: a line of allows has",
  ],
  ["blanks after a line", TEXT.replace('prod"', 'prod"  '), "line 8: a line of allows has"],
  ["a blank after a member", TEXT.replace("storage\n", "storage \n"), "line 1: stack has characters"],
  ["a comment", TEXT.replace("stack:", "# Approved.\nstack:"), "line 1: stack is expected here"],
  [
    "a comment beside a line",
    TEXT.replace('prod"', 'prod" # harmless'),
    `line 8: ${HERE}  - csi@acme token "csi-prod"`,
  ],
  ["an empty line", TEXT.replace("allows", "\nallows"), "line 5: allows: is expected here"],
  [
    "a flow list",
    TEXT.replace(/allows:[^]*fingerprint/, "allows: [a]\nfingerprint"),
    "line 5: allows: is expected",
  ],
  [
    "no lines",
    TEXT.replace(/allows:[^]*fingerprint/, "allows:\nfingerprint"),
    "line 6: a line of allows is expected",
  ],
  ["members in another order", TEXT.replace(/(stack.*\n)(origin.*\n)/, "$2$1"), "line 1: stack is expected"],
  ["a member twice", TEXT.replace(/(stack.*\n)/, "$1$1"), "line 2: origin is expected"],
  ["another member", TEXT.replace("until", "reason: none\nuntil"), "line 4: until is expected"],
  ["an anchor", TEXT.replace("stack: storage", "stack: &s storage"), `line 1: ${HERE}stack: '&s storage'`],
  ["a tag", TEXT.replace("stack: storage", "stack: !!str storage"), `line 1: ${HERE}stack: '!!str storage'`],
  ["a list of entries", TEXT.replace(/^/gm, "  ").replace("  stack", "- stack"), "line 1: stack is expected"],
  ["a begin of a document", `---\n${TEXT}`, "line 1: stack is expected"],
  ["a mark of byte order", `\uFEFF${TEXT}`, "line 1: stack is expected"],
  [
    "a sign that is not seen",
    TEXT.replace("jane@acme", "jane\u202e@acme"),
    "line 6: a line of allows has characters",
  ],
  [
    "a dangerous right without its mark",
    TEXT.replace(" (destructive)", ""),
    `line 6: ${HERE}  - jane@acme gains vss.format_disks (destructive)`,
  ],
  ["another mark", TEXT.replace("(destructive)", "(privileged)"), `line 6: ${HERE}`],
  [
    "a harmless right with a mark",
    TEXT.replace(/ {2}- csi.*\n/, "  - jane@acme gains vss.compress_disks (destructive)\n"),
    "line 7: ",
  ],
  [
    "a dangerous right among others",
    TEXT.replace("vss.update_vss,", "vss.update_vss, vss.remove_vss,"),
    `line 7: ${HERE}  - jane@acme gains vss.remove_vss (destructive)`,
  ],
  [
    "rights in another order",
    TEXT.replace(/(vss.update_vss), (vss.manage_snapshots)/, "$2, $1"),
    `line 7: ${HERE}`,
  ],
  ["a right twice", TEXT.replace("vss.update_vss", "vss.update_vss, vss.update_vss"), `line 7: ${HERE}`],
  [
    "rights of one user in two lines",
    TEXT.replace("vss.update_vss,", "vss.update_vss\n  - jane@acme gains"),
    `line 7: ${HERE}`,
  ],
  [
    "a dangerous right below others",
    TEXT.replace(/( {2}- .*destructive.*\n)( {2}- .*\n)/, "$2$1"),
    `line 6: ${HERE}`,
  ],
  ["text after the end", `${TEXT}# more\n`, "there is more after the fingerprint"],
])("%s is refused, with the line", (_what, text, problem) => {
  expect(text).not.toBe(TEXT);
  const [name = ""] = Object.keys(sealed(text));
  const found = /after the end/.test(_what)
    ? problemOf({ [NAME]: text })
    : problemOf({ [name]: sealed(text)[name]! });
  expect(found).toContain(problem);
});

test.each<readonly [string, string]>([
  ["an edited line", TEXT.replace("manage_snapshots", "compress_disks")],
  ["an edited day", TEXT.replace("03-08", "03-09")],
  ["another owner", TEXT.replace("acme-platform", "globex")],
])("%s does not fit the fingerprint", (_what, text) => {
  expect(problemOf({ [NAME]: text })).toContain(
    `approvals/${NAME}, line 9: the fingerprint is not that of the entry`,
  );
});

test("converted ends of lines are an error that says how to keep Git from it", () => {
  const error = () => readApprovals({ [NAME]: TEXT.replaceAll("\n", "\r\n") }, NOW);
  expect(error).toThrow("the lines end with carriage returns");
  expect(error).toThrow(
    expect.objectContaining({
      advice: expect.stringContaining('write "approvals/* -text" to .gitattributes') as string,
    }) as Error,
  );
});

test.each<readonly [string, string, string]>([
  ["day", TEXT.replace("03-08", "02-30"), 'line 4: until is "2026-02-30", and not a day such as 2026-03-08'],
  ["time", TEXT.replace("2026-03-08", "2026-03-08T12:00:00Z"), "line 4: until is "],
  [
    "far day",
    TEXT.replace("03-08", "04-01"),
    "line 4: until is 2026-04-01, more than 30 days ahead; 2026-03-31 is",
  ],
])("a last day that cannot be is refused: %s", (_what, text, problem) => {
  expect(problemOf({ [NAME]: text })).toContain(`approvals/${NAME}, ${problem}`);
});

test("a file whose name is not that of its content is an error", () => {
  for (const name of [
    "2026-03-09-00000000.yaml",
    NAME.replace("2026-03-08", "2026-03-09"),
    `2026-03-08-00000000.yaml`,
  ])
    expect(problemOf({ [name]: TEXT })).toBe(
      `approvals/${name}: the entry in it belongs to approvals/${NAME}`,
    );
});

test.each([
  "entry.yaml",
  "README.md",
  ".gitkeep",
  NAME.replace("yaml", "yml"),
  `${NAME}~`,
  NAME.toUpperCase(),
])("another file in the folder is an error: %s", (name) => {
  expect(problemOf({ [name]: TEXT })).toBe(`approvals/${name}: no entry has such a name`);
});

test("entries that have ended are not read, and a link is an error even under the name of one", () => {
  const ended = "2026-02-28-00000000.yaml";
  expect(readApprovals({ [ended]: "no entry at all", [NAME]: TEXT }, NOW)).toEqual([ENTRY]);
  const last = fileOf({ ...ENTRY, until: "2026-03-01" });
  expect(readApprovals({ [last.name]: last.text }, NOW)).toHaveLength(1);
  expect(readApprovals({ [last.name]: last.text }, new Date("2026-03-02T00:00:00.000Z"))).toEqual([]);
  expect(() => unendedApprovals([{ name: ended, isRegular: false }], NOW)).toThrow(
    `approvals/${ended}: this is not a regular file`,
  );
});

test("a file may be longer than a person would review, up to a million characters", () => {
  expect(problemOf({ [NAME]: "a".repeat(1_000_000) })).toContain("stack is expected here");
  expect(problemOf({ [NAME]: "a".repeat(1_000_001) })).toContain("the file is too long");
});

test("a last day may be as far ahead as 30 days, and may be over", () => {
  expect(unfitDay("2026-03-31", NOW)).toBeUndefined();
  expect(unfitDay("2020-01-01", NOW)).toBeUndefined();
  expect(unfitDay("2026-3-1", NOW)).toContain("not a day");
});

test("every entry that is written is read again, and a reader of YAML finds the same in it", () => {
  const odd = fc
    .string({ unit: fc.constantFrom(..."ab7@/\"\\ ,'#:-&*!|>[]{}%~é`?="), minLength: 1, maxLength: 9 })
    .filter(isReadable);
  const word = fc.oneof(
    odd,
    fc.constantFrom("true", "Null", "no", "7", "1e3", "~", "2026-03-01", "a: b", "a #b", "a:"),
  );
  const entries = fc.record({
    stack: word,
    origin: word,
    owner: word,
    allows: fc.array(word, { minLength: 1 }),
  });
  fc.assert(
    fc.property(entries, ({ allows, ...scope }) => {
      const entry: Approval = { ...scope, until: "2026-03-08", allows: linesOfPairs(allows) };
      const { name, text } = fileOf(entry);
      expect(readApprovals({ [name]: text }, NOW)).toEqual([entry]);
      expect(parse(text)).toMatchObject(entry);
    }),
    { numRuns: rounds(100) },
  );
});

test("what is missing becomes an entry for each service and owner", () => {
  const { stack, origin, owner } = ENTRY;
  const verdict = { stack, origin, owner, approved: ["a"], missing: ["b"], unknown: [] };
  expect(missingApprovals([verdict, { ...verdict, owner: "x", missing: [] }], "2026-03-08")).toEqual([
    { stack, origin, owner, until: "2026-03-08", allows: ["b"] },
  ]);
});

test("what is not approved is listed, by its stack where several were judged, with the entry for a week", () => {
  const { stack, origin, owner } = ENTRY;
  const verdict = { stack, origin, owner, approved: ["a"], missing: [], unknown: [] };
  const open = { ...verdict, missing: ["b"], unknown: ["c"] };
  expect(unapproved([verdict, verdict], NOW)).toBeUndefined();
  expect(unapproved([verdict, open], NOW, stack)).toMatchObject({
    message: "2 changes need approval",
    detail: "not approved: b\ncannot be approved, since only the apply will know it: c",
    entries: approvalFiles([{ stack, origin, owner, until: "2026-03-08", allows: ["b"] }]),
  });
  expect(unapproved([verdict, open], NOW)?.detail).toBe(
    "not approved: storage: b\ncannot be approved, since only the apply will know it: storage: c",
  );
});

test("the advice for an edited entry, and for one that is too far ahead, names the command only to a person who runs it", () => {
  const advice = (text: string, reader?: "library") => {
    try {
      readApprovals({ [NAME]: text }, NOW);
    } catch (error) {
      return (error as TenancyError).toDiagnostics({}, reader)[0]?.advice;
    }
    return undefined;
  };
  const edited = TEXT.replace("manage_snapshots", "compress_disks");
  const only = "Nothing was written. An entry counts only in its exact form.";
  expect(advice(edited)).toBe(`${only} Write the entry again: tenancy approve PLAN.`);
  expect(advice(edited, "library")).toBe(`${only} Write the entry again.`);
  const far = TEXT.replace("2026-03-08", "2026-09-08");
  expect(advice(far)).toBe("Nothing was written. Approve the plan again: tenancy approve PLAN.");
  expect(advice(far, "library")).toBe("Nothing was written. Approve the plan again.");
});

test("a saved plan says what it needs, in lines that hide nothing and mark what is dangerous", () => {
  const tenancy = (line: string) => ({
    stack: "storage",
    approval: [{ origin: "o", owner: "w", lines: [{ line, broadening: true }], unknown: [] }],
  });
  expect(savedNeeds(tenancy("acme activated"))).toEqual([
    {
      stack: "storage",
      origin: "o",
      owner: "w",
      lines: [{ line: "acme activated", broadening: true }],
      unknown: [],
    },
  ]);
  for (const unfit of [
    tenancy("acme\nactivated"),
    tenancy("acme  activated"),
    tenancy("acme activated "),
    tenancy("acme gains vss.format_disks"),
    tenancy("acme gains vss.update_vss, vss.format_disks"),
    tenancy(""),
    {},
    { ...tenancy("acme activated"), stack: "stor\u200bage" },
    { stack: "a", approval: [1] },
    { ...tenancy("acme activated"), approval: [...tenancy("acme activated").approval, 1] },
    { stack: "a", approval: [{ origin: 1, owner: "w", lines: [], unknown: [] }] },
    {
      stack: "a",
      approval: [{ origin: "o", owner: "w", lines: [{ line: "a", broadening: "no" }], unknown: [] }],
    },
  ])
    expect(savedNeeds(unfit)).toBeUndefined();
});
