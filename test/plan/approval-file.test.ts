import { approvalFingerprint, type Approval } from "../../src/plan/approval";
import {
  approvalsText,
  missingApprovals,
  readApprovals,
  savedNeeds,
  unapproved,
  unfitDay,
  withApprovals,
} from "../../src/plan/approval-file";
import { type TenancyError, unfitApprovals } from "../../src/problems";
import { thrown } from "../support/thrown";

const NOW = new Date("2026-03-01T12:00:00.000Z");

const ENTRY: Approval = {
  stack: "storage",
  origin: "https://storage.example",
  owner: "acme-platform",
  until: "2026-03-08",
  allows: ["jane@acme gains vss.format_disks", 'csi@acme token "csi-prod"'],
};

const FINGERPRINT = approvalFingerprint(ENTRY);

/** The entry as somebody may write it by hand. */
const TEXT = `# Approved by the owners of the platform.
- stack: storage
  origin: https://storage.example
  owner: acme-platform
  until: 2026-03-08            # a week
  allows:
    - jane@acme gains vss.format_disks
    - csi@acme token "csi-prod"
  fingerprint: ${FINGERPRINT}
`;

/** What is wrong with a text. */
function problemOf(text: string): string {
  try {
    readApprovals(text, NOW);
  } catch (error) {
    expect(error).toEqual(thrown(unfitApprovals));
    return (error as Error).message;
  }
  return "nothing";
}

test("an entry that was written by hand is read", () => {
  expect(readApprovals(TEXT, NOW)).toEqual([ENTRY]);
  expect(readApprovals(`\uFEFF${TEXT.replaceAll("\n", "\r\n")}`, NOW)).toEqual([ENTRY]);
});

test("a file without entries allows nothing", () => {
  for (const text of ["", "\n", "# nobody has approved anything\n", "[]\n", "---\n"])
    expect(readApprovals(text, NOW)).toEqual([]);
});

test.each<readonly [string, string, string]>([
  [
    "an edited line",
    TEXT.replace("format_disks", "remove_vss"),
    "line 9: the fingerprint is not that of the entry",
  ],
  ["an edited day", TEXT.replace("03-08", "03-09"), "line 9: the fingerprint is not that of the entry"],
  ["another entry's owner", TEXT.replace("acme-platform", "globex"), "line 9: the fingerprint is not"],
  [
    "a member that is not known",
    TEXT.replace("  until", "  untill: 1\n  until"),
    'line 5: an entry has no member "untill"',
  ],
  ["a member that is missing", TEXT.replace("  owner: acme-platform\n", ""), "line 2: the entry lacks owner"],
  ["a member that occurs twice", `${TEXT}  until: 2026-03-08\n`, "line 10: a member occurs twice"],
  ["a number for a member", TEXT.replace("  until", "  7: 1\n  until"), 'line 5: an entry has no member "7"'],
  [
    "a member that stands alone",
    "- {stack, origin, owner, until, allows, fingerprint}\n",
    "line 1: stack is not text",
  ],
  ["an empty text", TEXT.replace("stack: storage", 'stack: ""'), "line 2: stack is not text"],
  ["a number for text", TEXT.replace("stack: storage", "stack: 7"), "line 2: stack is not text"],
  ["nothing for text", TEXT.replace("stack: storage", "stack:"), "line 2: stack is not text"],
  [
    "a text for lines",
    TEXT.replace(/allows:[^]*fingerprint/, "allows: all\n  fingerprint"),
    "line 6: allows is not a list",
  ],
  [
    "no lines",
    TEXT.replace(/allows:[^]*fingerprint/, "allows: []\n  fingerprint"),
    "line 6: allows is not a list",
  ],
  [
    "a line that is no text",
    TEXT.replace("jane@acme gains vss.format_disks", "true"),
    "line 7: this line of allows is not text",
  ],
  [
    "a line with what is not seen",
    TEXT.replace("jane@acme", "jane\u202e@acme"),
    "line 7: this line of allows has characters that are not seen",
  ],
  [
    "a stack with what is not seen",
    TEXT.replace("stack: storage", "stack: stor\u200bage"),
    "line 2: stack has characters that are not seen",
  ],
  ["an anchor", TEXT.replace("stack: storage", "stack: &s storage"), "line 2: &s is an anchor"],
  ["an alias", TEXT.replace("acme-platform", "*s"), "line 4: *s is an alias"],
  ["a tag", TEXT.replace("stack: storage", "stack: !!str storage"), "line 2: tag:yaml.org,2002:str is a tag"],
  ["a tag of one's own", TEXT.replace("stack: storage", "stack: !x storage"), "line 2: "],
  ["a merge key", TEXT.replace("- stack", "- <<: {}\n  stack"), 'line 2: an entry has no member "<<"'],
  ["a second document", `${TEXT}---\n[]\n`, "line 10: a second document begins here"],
  ["a directive", `%YAML 1.1\n---\n${TEXT}`, "line 1: the file has a %YAML directive"],
  ["what is no list", "stack: storage\n", "line 1: the file is not a list of entries"],
  ["a text for the list", "nothing\n", "line 1: the file is not a list of entries"],
  ["an entry that is no map", "- storage\n", "line 1: this entry has no members"],
  ["broken YAML", `${TEXT}\t- x: [`, "line 10: this is not YAML that can be read: "],
  [
    "a day that does not exist",
    TEXT.replace("03-08", "02-30"),
    'line 5: until is "2026-02-30", and not a day such as 2026-03-08',
  ],
  ["a time", TEXT.replace("2026-03-08", "2026-03-08T12:00:00Z"), "line 5: until is "],
  [
    "a day too far ahead",
    TEXT.replace("03-08", "04-01"),
    "line 5: until is 2026-04-01, more than 30 days ahead; 2026-03-31 is the last day",
  ],
])("%s is an error that names its line", (_what, text, problem) => {
  expect(problemOf(text)).toContain(`tenancy.approvals, ${problem}`);
});

test("what is wrong with YAML is said in one line, without the place once more", () => {
  expect(problemOf("- a: b: c\n").split("\n")[0]).toMatch(
    /, line 1: this is not YAML that can be read: [^:]+[^:\d]$/,
  );
});

test("a file may be longer than anybody would review, up to four million characters", () => {
  const comment = `#${" ".repeat(3_999_999)}`;
  expect(readApprovals(comment, NOW)).toEqual([]);
  expect(problemOf(`${comment} `)).toContain("tenancy.approvals: the file is too long");
});

test("an entry may be for as far ahead as 30 days, and may have ended", () => {
  expect(unfitDay("2026-03-31", NOW)).toBeUndefined();
  expect(unfitDay("2020-01-01", NOW)).toBeUndefined();
  expect(unfitDay("2026-3-1", NOW)).toContain("not a day");
});

test("an entry that is written is read again, whatever stands in its lines", () => {
  const odd = {
    ...ENTRY,
    stack: "a: b # c",
    allows: ["- x", "&a", "*a", "'", '"a: b"@acme activated', "#", "true", "~"],
  };
  expect(readApprovals(approvalsText([ENTRY, odd]), NOW)).toEqual([ENTRY, odd]);
});

test("an entry looks as the documents show it", () => {
  expect(approvalsText([])).toBe("");
  expect(approvalsText([ENTRY])).toBe(`- stack: storage
  origin: https://storage.example
  owner: acme-platform
  until: 2026-03-08
  allows:
    - jane@acme gains vss.format_disks
    - csi@acme token "csi-prod"
  fingerprint: ${FINGERPRINT}
`);
});

test("further entries come at the end of the file, whose comments and lines stay", () => {
  const other = { ...ENTRY, stack: "staging" };
  const text = withApprovals(TEXT, [other]);
  expect(text).toBe(`${TEXT.replace("            # a week", " # a week")}\n${approvalsText([other])}`);
  expect(readApprovals(text, NOW)).toEqual([ENTRY, other]);
  for (const empty of ["", "# nothing yet\n", "[]\n", "---\n"])
    expect(readApprovals(withApprovals(empty, [other]), NOW)).toEqual([other]);
  expect(withApprovals("", [other])).toBe(approvalsText([other]));
  expect(withApprovals("# nothing yet\n", [other])).toContain("# nothing yet");
});

test("what is missing becomes an entry for each service and owner", () => {
  const { stack, origin, owner } = ENTRY;
  const verdict = { stack, origin, owner, approved: ["a"], missing: ["b"], unknown: [] };
  expect(missingApprovals([verdict, { ...verdict, owner: "x", missing: [] }], "2026-03-08")).toEqual([
    { stack, origin, owner, until: "2026-03-08", allows: ["b"] },
  ]);
});

test("what is not approved is told, by its stack where several were judged, with the entry for a week", () => {
  const { stack, origin, owner } = ENTRY;
  const verdict = { stack, origin, owner, approved: ["a"], missing: [], unknown: [] };
  const open = { ...verdict, missing: ["b"], unknown: ["c"] };
  expect(unapproved([verdict, verdict], NOW)).toBeUndefined();
  expect(unapproved([verdict, open], NOW, stack)).toMatchObject({
    message: "2 changes need approval",
    detail: "not approved: b\ncannot be approved, since only the apply will know it: c",
    entries: approvalsText([{ stack, origin, owner, until: "2026-03-08", allows: ["b"] }]),
  });
  expect(unapproved([verdict, open], NOW)?.detail).toBe(
    "not approved: storage: b\ncannot be approved, since only the apply will know it: storage: c",
  );
});

test("an entry that is edited or too old is advised to be written anew, with the command for whoever runs it", () => {
  const advice = (text: string, reader?: "library") => {
    try {
      readApprovals(text, NOW);
    } catch (error) {
      return (error as TenancyError).toDiagnostics({}, reader)[0]?.advice;
    }
    return undefined;
  };
  const edited = TEXT.replace("vss.format_disks", "vss.manage_disks");
  expect(advice(edited)).toBe(
    "Nothing was written. Somebody has edited the entry. Write it anew: tenancy approve PLAN.",
  );
  expect(advice(edited, "library")).toBe(
    "Nothing was written. Somebody has edited the entry. Write it anew.",
  );
  const far = TEXT.replace("2026-03-08", "2026-09-08");
  expect(advice(far)).toBe("Nothing was written. Approve it anew: tenancy approve PLAN.");
  expect(advice(far, "library")).toBe("Nothing was written. Approve it anew.");
});

test("a saved plan says what it needs, and says it in lines that hide nothing", () => {
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
