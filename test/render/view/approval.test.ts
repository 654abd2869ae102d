import type { ApprovalVerdict } from "../../../src/plan";
import { planText } from "../../../src/render/text";
import { plain } from "../../../src/render/text/paint";
import { bareText } from "../../../src/render/view";
import { approvalSection, approvalSummary } from "../../../src/render/view/approval";
import { plan } from "../../support/plans";

const verdict: ApprovalVerdict = {
  stack: "storage",
  service: "https://storage.example",
  approved: [{ account: "acme", activated: "true", until: "never" }],
  missing: [{ user: "jane@acme", permission: "vss.format_disks", until: "never" }],
  unknown: [],
};

const rows = (...verdicts: readonly ApprovalVerdict[]) =>
  (approvalSection({ level: "broadening", verdicts })?.groups ?? [])
    .flat()
    .map(({ name, about, weight }) => `${weight}: ${bareText(name)} · ${bareText(about)}`);

test("what nobody has approved stands first, and is the last to be left out", () => {
  expect(rows(verdict)).toEqual([
    "vital: { user: jane@acme, permission: vss.format_disks, until: never } · missing · destructive",
    "aside: { account: acme, activated: true, until: never } · approved",
  ]);
});

test("where there are several services, each pair names its own", () => {
  expect(rows(verdict, { ...verdict, service: "https://west.example", missing: [] })[2]).toBe(
    "aside: { account: acme, activated: true, until: never } · approved · https://west.example",
  );
});

test("what cannot be approved is told apart from what is missing", () => {
  const unknown = ["jane@acme permissions (known after apply)"];
  expect(rows({ ...verdict, missing: [], approved: [], unknown })).toEqual([
    "vital: jane@acme permissions (known after apply) · refused: a value that only the apply will know cannot be approved",
  ]);
});

test("the summary of a plan says whether it passes, and nothing where nothing is demanded", () => {
  const says = (...verdicts: readonly ApprovalVerdict[]) => approvalSummary({ level: "access", verdicts });
  expect(says(verdict)).toBe("1 pair is not approved yet (level: access).");
  expect(says({ ...verdict, missing: [] })).toBe(
    "Every pair that needs approval is approved (level: access).",
  );
  expect(says()).toBe("Nothing needs approval (level: access).");
  expect(approvalSummary({ level: "never", verdicts: [] })).toBe("");
  expect(planText(plan([]), plain)).not.toContain("approv");
});
