/** Covers src/plan/approval-file.ts. */
import fc from "fast-check";
import { parse } from "yaml";
import type { Approval } from "../../src/plan/approval";
import {
  approvalFiles,
  approvalsIn,
  readApprovals,
  savedNeeds,
  unapproved,
  unapprovedDescent,
  unfitDay,
} from "../../src/plan/approval-file";
import type { Pair } from "../../src/plan";
import { joinedPairs } from "../../src/plan/approval-pairs";
import { type TenancyError, unfitApprovals } from "../../src/problems";
import { PRESETS } from "../../src/resources";
import { rowsOf } from "../support/pairs";
import { rounds } from "../support/rounds";
import { thrown } from "../support/thrown";

const NOW = new Date("2026-03-01T12:00:00.000Z");

const APPROVAL: Approval = {
  stack: "storage",
  service: "https://storage.example",
  until: "2026-03-08",
  pairs: [
    { user: "jane@acme", permission: "vss.format_disks", until: "2026-12-04" },
    { user: "jane@acme", permissions: ["vss.update_vss", "vss.manage_snapshots"], until: "never" },
    { user: "csi@acme", token: "csi-prod", until: "never" },
    { import: "lara@acme", id: "user-profile:1:42", permissions: ["vss.update_vss"], until: "never" },
    { user: "joe@acme", access: "web" },
  ],
};

const TEXT = `stack: storage
service: https://storage.example
until: 2026-03-08
grants:
  - { user: jane@acme, permission: vss.format_disks, until: 2026-12-04 } # destructive
  - { user: jane@acme, permissions: [vss.update_vss, vss.manage_snapshots], until: never }
  - { user: csi@acme, token: csi-prod, until: never }
  - { import: lara@acme, id: user-profile:1:42, permissions: [vss.update_vss], until: never }
removals:
  - { user: joe@acme, access: web }
`;

const read = (text: string) => readApprovals({ "a.yaml": text }, NOW);

/** The problem of a file, without the file's name. */
function problemOf(text: string | Record<string, string>): string {
  try {
    readApprovals(typeof text === "string" ? { "a.yaml": text } : text, NOW);
  } catch (error) {
    expect(error).toEqual(thrown(unfitApprovals));
    return (error as Error).message.replace("approvals/a.yaml, ", "");
  }
  return "nothing";
}

test("a file looks as the documents show it, and is read again", () => {
  const files = approvalFiles([APPROVAL]);
  const [path = ""] = Object.keys(files);
  expect(path).toMatch(/^approvals\/2026-03-08-[0-9a-f]{8}\.yaml$/);
  expect(files[path]).toBe(TEXT);
  expect(read(TEXT)).toEqual([APPROVAL]);
  const continued = { ...APPROVAL, continues: "0123abcd", pairs: [] };
  expect(Object.values(approvalFiles([continued]))[0]).toMatch(/\ncontinues: 0123abcd\n$/);
  expect(read(Object.values(approvalFiles([continued]))[0] ?? "")).toEqual([continued]);
});

test("a comment names the preset of a user's permissions, and whatever a comment says does not count", () => {
  const pairs = [{ user: "jane@acme", permissions: PRESETS.operator, until: "never" }];
  const [text = ""] = Object.values(approvalFiles([{ ...APPROVAL, pairs }]));
  expect(text).toMatch(/ # operator\n/);
  expect(read(text.replace("# operator", "# observer"))).toEqual(read(text));
});

test("a person may write it in other forms of YAML that show the same", () => {
  const byHand = `# A change of the night shift.
until: 2026-03-08
stack: 'storage'
service: "https://storage.example"

grants:
    - user: jane@acme      # on call
      permission: vss.format_disks
      until: 2026-12-04
    - {user: jane@acme, until: never, permissions: [ vss.update_vss, "vss.manage_snapshots" ]}
    - { user: csi@acme, token: csi-prod, until: never }
    - { import: lara@acme, id: "user-profile:1:42", permissions: [vss.update_vss], until: never }
removals: [{ user: joe@acme, access: web }]
`;
  expect(read(byHand)).toEqual([APPROVAL]);
  expect(read(byHand.replaceAll("\n", "\r\n"))).toEqual([APPROVAL]);
  // Words and numbers are texts here, as they stand there.
  const [odd] = read(byHand.replace("csi-prod", "007").replace("jane@acme      #", "no      #"));
  expect(odd?.pairs[2]).toMatchObject({ token: "007" });
  expect(odd?.pairs[0]).toMatchObject({ user: "no" });
});

test.each<readonly [string, string, string]>([
  ["an unknown member", `${TEXT}reason: none\n`, 'line 11: "reason" is no member of an approval'],
  ["a member twice", `${TEXT}stack: other\n`, "line 11: stack is there twice"],
  ["no stack", TEXT.replace(/stack.*\n/, ""), "line 1: stack is missing"],
  ["no service", TEXT.replace(/service.*\n/, ""), "line 1: service is missing"],
  ["no last day", TEXT.replace(/^until.*\n/m, ""), "line 1: until is missing"],
  ["a list", TEXT.replace(/^/gm, "  ").replace("  stack", "- stack"), "line 1: an approval is expected here"],
  ["nothing", "", "line 1: an approval is expected here"],
  ["a member without a value", TEXT.replace("storage\n", "\n"), "line 1: stack has no value"],
  ["grants that are no list", TEXT.replace(/grants:[^]*rem/, "grants: a\nrem"), "line 4: grants is no list"],
  [
    "a removal with an end",
    TEXT.replace("web }", "web, until: never }"),
    "line 10: the members are user, access",
  ],
])("%s is an error with its line", (_what, text, problem) => {
  expect(problemOf(text)).toContain(problem);
});

test.each(
  rowsOf(`
    jane@acme                                                     | a pair is expected here
    { user: a@b, levle: 5, until: never }                         | "levle" is no member of a pair; write level
    { user: a@b, user: c@b, level: 5, until: never }              | user is there twice
    { user: a@b, level: 5, until: 2026-03-04, until: never }      | until is there twice
    { user: a@b, level: 5 }                                       | the members are user, level, and have to be user, level, until
    { user: a@b, level: 5, until: 2026-02-30 }                    | until is "2026-02-30"; write never
    { user: a@b, level: 5, until: Never }                         | until is "Never"; write never
    { user: a@b, account: c, level: 5, until: never }             | and have to be user, level, until
    { level: 5, until: never }                                    | and have to be user, level, until
    { user: a@b, until: never }                                   | and have to be user, permission, until
    { user: a@b, level: 5, access: web, until: never }            | and have to be user, level, until
    { import: a@b, permissions: [], until: never }                | and have to be import, id, permissions, until
    { user: a@b, id: 1, level: 5, until: never }                  | and have to be user, level, until
    { import: a@b, id: 1, permissions: all, until: never }        | permissions is no list
    { import: a@b, id: 1, level: 5, until: never }                | and have to be import, id, permissions, until
    { user: a@b, reader: age1, level: 5, until: never }           | and have to be user, level, until
    { user: a@b, permissions: [], until: never }                  | permissions has no value
    { user: a@b, permissions: vss.a, until: never }               | permissions is no list
    { user: a@b, level: [5], until: never }                       | level is a list
    { user: a@b, permissions: [vss.a], except: [b], until: never } | except belongs to permissions: all
    { user: a@b, permissions: [vss.update_vss, vss.remove_vss], until: never } | vss.remove_vss is destructive: write a pair for it alone
    *a                                                            | "*a" is not in use here
    { <<: *a, until: never }                                      | "*a" is not in use here
    { <<: { user: a@b }, level: 5, until: never }                 | nested in another way than pairs are
    { user: a@b, level: 5, until: never }, { user: b@b, level: 5, until: never } | nested in another way
    { ? [user] : a@b, level: 5, until: never }                    | "?" is not in use here
    { "user": a@b, level: 5, until: never }                       | the name of a member is expected here
    { user: "jane\\x40acme", level: 5, until: never }             | user is not in the form that shows
    { user: j\u0430ne@acme, level: 5, until: never }              | user is not in the form that shows
    { user: 'j\u0430ne@acme', level: 5, until: never }            | user is not in the form that shows
    { user: 'jane  x@acme', level: 5, until: never }              | user is not in the form that shows
    { user: "mu\u0308ller@acme", level: 5, until: never }         | user is not in the form that shows
    { user: "jane\u202e@acme", level: 5, until: never }           | a character that is not seen
    { user: "csi\u0007", level: 5, until: never }                 | a character that is not seen
    { user: a@b, level: 5,                    until: never }      | a gap of more than 16 blanks
  `),
)("a pair as %s is an error with its line", (text, problem) => {
  const found = problemOf(TEXT.replace(/\{ user: csi.*\}/, text));
  expect(found).toMatch(/^line 7: /);
  expect(found).toContain(problem);
});

// Each of these reads as something else, or as less, to a person or to another reader of YAML.
test.each<readonly [string, string, string]>([
  ["an anchor", TEXT.replace("stack: storage", "stack: &s storage"), 'line 1: "&s" is not in use here'],
  ["a tag", TEXT.replace("stack: storage", "stack: !!str storage"), 'line 1: "!!str" is not in use here'],
  ["a block of text", TEXT.replace("storage\n", ">-\n  storage\n"), 'line 1: ">-" is not in use here'],
  ["a second document", `${TEXT}---\n${TEXT}`, 'line 11: "---" is not in use here'],
  ["a directive", `%YAML 1.1\n---\n${TEXT}`, 'line 1: "%YAML 1.1" is not in use here'],
  [
    "a folded text",
    TEXT.replace("never }", "ne\n      ver }"),
    "line 6: until is not in the form that shows",
  ],
  ["a mark of byte order", `\uFEFF${TEXT}`, "line 1: a character that is not seen"],
  ["a turned comment", TEXT.replace("# d", "# \u202ed"), "line 5: a character that is not seen"],
  ["a stacked comment", TEXT.replace("# d", "# d\u0336"), "line 5: a comment with moving letters"],
  ["a comment to the left", TEXT.replace("# d", "# \u05d0"), "line 5: a comment with moving letters"],
  ["a tab", TEXT.replace(" # d", "\t# d"), "line 5: a character that is not seen"],
  ["a return alone", TEXT.replace("csi-prod", "csi-prod\r"), "line 7: a character that is not seen"],
  ["no YAML", TEXT.replace(" }\nremovals", "\nremovals"), "line 9: this is no YAML"],
])("%s is refused", (_what, text, problem) => {
  expect(text).not.toBe(TEXT);
  expect(problemOf(text)).toContain(problem);
});

test("a name with odd characters is read as it is shown between quotation marks", () => {
  const names = [
    "m\u00fcller@acme",
    "a\u202eb@acme",
    "a  b@c",
    "a\nb@c",
    '"a", level: 5',
    "\u0430@b",
    "- a",
    "#",
    "\ud83d\ude00@a",
    "\ud800",
  ];
  const pairs = names.map((user) => ({ user, level: "5", until: "never" }));
  const [text = ""] = Object.values(approvalFiles([{ ...APPROVAL, pairs }]));
  expect(text).toContain('- { user: "müller@acme", level: 5, until: never }\n');
  expect(text).toContain(String.raw`- { user: "a\u202eb@acme", level`);
  expect(read(text)[0]?.pairs).toEqual(pairs);
});

test("text that would cost a parser of YAML its objects is refused quickly", () => {
  const most = 99_000;
  const start = performance.now();
  for (const unit of [
    "{a: ",
    "- ",
    "? ",
    "a: ",
    "}\n",
    "&a ",
    "!",
    "a: b\n",
    "a: [b\n",
    "- a\n",
    ": \n",
    "#\n",
    "x\n",
  ])
    expect(problemOf(unit.repeat(most / unit.length))).not.toBe("nothing");
  for (const bomb of [
    "[".repeat(999_000),
    `# "\n${"[".repeat(most)}"`,
    `a: '${"''".repeat(most / 2)}`,
    `"${"a\n".repeat(most / 2)}`,
    `a: [${"{},".repeat(most / 3)}]`,
    Array.from({ length: 6_000 }, (_unused, index) => `member${index}: 1\n`).join(""),
  ])
    expect(problemOf(bomb)).not.toBe("nothing");
  expect(performance.now() - start).toBeLessThan(20_000);
});

test("many pairs are in several files, each of which is read", () => {
  const pairs = Array.from({ length: 3_000 }, (_unused, index) => ({
    user: `jane${index}@acme`,
    level: "5",
    until: "never",
  }));
  const texts = Object.values(approvalFiles([{ ...APPROVAL, pairs }]));
  expect(texts.flatMap((text) => read(text)[0]?.pairs ?? [])).toEqual(pairs);
  expect(texts.length).toBeGreaterThan(1);
  expect(problemOf("#".repeat(200_001))).toContain("approvals/a.yaml: the file is too long");
});

test("files of other names, and what is no file, are errors", () => {
  for (const name of [
    "a b.yaml",
    ..."README.md .gitkeep a.yml a.yaml~ .a.yaml sub/a.yaml \u202e.yaml".split(" "),
  ])
    expect(problemOf({ [name]: TEXT })).toContain("no approval has such a name");
  expect(readApprovals({ "production.yaml": TEXT, "2026-03-08.yaml": TEXT }, NOW)).toHaveLength(2);
  expect(() => approvalsIn([{ name: "a.yaml", bytes: undefined }], NOW)).toThrow(
    "a.yaml: this is not a regular file",
  );
  expect(() => approvalsIn([{ name: "a.yaml", bytes: Buffer.from([0xff]) }], NOW)).toThrow(
    "the file is not UTF-8",
  );
});

test("an approval holds until the end of its last day, and nothing else of it is looked at afterwards", () => {
  const ended = TEXT.replace("03-08", "02-28").replace("grants", "former_member");
  expect(read(ended)).toEqual([]);
  const today = TEXT.replace("03-08", "03-01");
  expect(read(today)).toHaveLength(1);
  expect(readApprovals({ "a.yaml": today }, new Date("2026-03-02T00:00:00.000Z"))).toEqual([]);
  expect(problemOf(TEXT.replace("03-08", "02-30"))).toContain(
    'line 3: until is "2026-02-30", and not a day such as',
  );
  expect(problemOf(TEXT.replace("2026-03-08", "never"))).toContain('line 3: until is "never"');
  expect(problemOf(TEXT.replace("03-08", "04-01"))).toContain(
    "line 3: until is 2026-04-01, more than 30 days ahead",
  );
  expect(unfitDay("2026-03-31", NOW)).toBeUndefined();
});

test("the advice says what to do, and names the command only to a person who runs it", () => {
  const advice = (reader?: "library") => {
    try {
      read(TEXT.replace("web }", "web, level: 5 }"));
    } catch (error) {
      return (error as TenancyError).toDiagnostics({}, reader)[0]?.advice;
    }
    return undefined;
  };
  expect(advice()).toBe("Nothing was written. Correct the pair. `tenancy approve PLAN` writes such files.");
  expect(advice("library")).toBe("Nothing was written. Correct the pair.");
});

test("every approval that is written is read again, and a reader of YAML finds the same in it", () => {
  const odd = fc.string({
    unit: fc.constantFrom(..."ab7@/\"\\ ,'#:-&*!|>[]{}%~\u00e9`?=\n", "\u202e", "\u3164"),
    minLength: 1,
    maxLength: 9,
  });
  const word = fc.oneof(
    odd,
    fc.constantFrom("true", "Null", "no", "7", "1e3", "~", "2026-03-01", "a: b", "a #b", "a:"),
  );
  const until = fc.constantFrom("never", "2026-12-04");
  const pairs = fc.array(
    fc.oneof(
      fc.record({ user: word, permission: word, until }),
      fc.record({ import: word, id: word, permission: word, until }),
      fc.record({ account: word, permissions: fc.constant("all"), except: fc.array(word, { minLength: 1 }) }),
      fc.record({ address: word, token: word, reader: word, until }),
    ),
  );
  fc.assert(
    fc.property(word, word, pairs, (stack, service, some) => {
      const approval = { stack, service, until: "2026-03-08", pairs: joinedPairs(some) };
      const [text = ""] = Object.values(approvalFiles([approval]));
      const isGrant = (one: Pair) => one["until"] !== undefined;
      const normal = {
        ...approval,
        pairs: [...approval.pairs.filter(isGrant), ...approval.pairs.filter((one) => !isGrant(one))],
      };
      expect(read(text)).toEqual([normal]);
      const { grants = [], removals = [] } = parse(text, { schema: "failsafe" }) as Record<string, Pair[]>;
      expect([...grants, ...removals]).toEqual(normal.pairs);
    }),
    { numRuns: rounds(100) },
  );
});

const PAIR = { user: "jane@acme", level: "5", until: "never" };
const VERDICT = {
  stack: "storage",
  service: "https://storage.example",
  approved: [PAIR],
  missing: [],
  unknown: [],
};

test("what is not approved is listed, by its stack where several were judged, with the file for a week", () => {
  const { stack, service } = VERDICT;
  const open = { ...VERDICT, missing: [PAIR], unknown: ["c"] };
  expect(unapproved([VERDICT, VERDICT], NOW)).toBeUndefined();
  expect(unapproved([VERDICT, open], NOW, stack)).toMatchObject({
    message: "2 changes need approval",
    detail:
      "not approved: { user: jane@acme, level: 5, until: never }\ncannot be approved, since only the apply will know it: c",
    files: approvalFiles([{ stack, service, until: "2026-03-08", pairs: [PAIR] }]),
  });
  expect(unapproved([VERDICT, open], NOW)?.detail).toContain("not approved: storage: { user");
  expect(unapprovedDescent({ stack, service }, "abc", NOW)).toMatchObject({
    detail: "not approved: continues: abc",
    files: approvalFiles([{ stack, service, until: "2026-03-08", continues: "abc", pairs: [] }]),
  });
});

test("a saved plan says what it needs, in pairs as files have them", () => {
  const tenancy = (one: object, more: object = {}) => ({
    stack: "storage",
    approval: [{ service: "o", pairs: [{ pair: one, broadening: true }], unknown: [], ...more }],
  });
  expect(savedNeeds(tenancy(PAIR) as never)).toEqual([
    { stack: "storage", service: "o", pairs: [{ pair: PAIR, broadening: true }], unknown: [] },
  ]);
  for (const unfit of [
    tenancy({ ...PAIR, level: 5 }),
    tenancy({ ...PAIR, more: "a" }),
    tenancy({ user: "jane@acme" }),
    tenancy({ user: "jane@acme", permissions: ["vss.update_vss", "vss.format_disks"], until: "never" }),
    tenancy(PAIR, { service: "a\u200bb" }),
    tenancy(PAIR, { unknown: ["a\nb"] }),
    tenancy(PAIR, { pairs: [PAIR] }),
    tenancy(PAIR, { pairs: [{ pair: PAIR, broadening: "no" }] }),
    {},
    { stack: "a", approval: [1] },
  ])
    expect(savedNeeds(unfit as never)).toBeUndefined();
});
