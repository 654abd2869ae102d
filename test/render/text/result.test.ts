import type { ApplyResult } from "../../../src/plan";
import { appliedText, eventLine, troubleText, underWayText } from "../../../src/render/text";
import { plain } from "../../../src/render/text/paint";
import { change } from "../../support/plans";

const acme = change({ kind: "account", name: "acme", after: { name: "acme" } });
const jane = change({ kind: "user_profile", name: "jane", key: "jane@acme", after: {} });

const done: ApplyResult = {
  ok: true,
  applied: [acme],
  failed: [],
  notTried: [],
  outputs: [],
  diagnostics: [],
};

test("each step of an apply is a line", () => {
  expect(eventLine({ kind: "started", change: acme, operation: "create" }, plain)).toBe(
    "tenancy_account.acme: creating acme",
  );
  expect(
    eventLine(
      { kind: "finished", change: acme, operation: "create", id: "account:1:42", milliseconds: 260 },
      plain,
    ),
  ).toBe("tenancy_account.acme: created in 0.3 s (account:1:42)");
  expect(
    eventLine({ kind: "failed", change: jane, operation: "update", diagnostics: [], milliseconds: 0 }, plain),
  ).toBe("tenancy_user_profile.jane: update failed after 0.0 s");
  expect(
    eventLine({ kind: "skipped", change: jane, reason: "tenancy_account.acme failed" }, plain),
  ).toBeUndefined();
  expect(
    underWayText([
      { change: acme, operation: "delete" },
      { change: jane, operation: "create" },
    ]),
  ).toBe("deleting acme, creating jane@acme");
});

test("an apply ends with what was done", () => {
  expect(appliedText(done)).toBe("Applied: 1 created.");
  expect(appliedText({ ...done, applied: [] })).toBe("Applied. There was nothing to change.");
  expect(troubleText(done, plain)).toBe("");
});

test("a failed apply says what failed and what was not tried", () => {
  const result: ApplyResult = {
    ...done,
    ok: false,
    failed: [
      {
        change: jane,
        diagnostics: [
          {
            severity: "error",
            code: "TENANCY_API_FORBIDDEN",
            summary: "no",
            address: "tenancy_user_profile.jane",
          },
        ],
      },
    ],
    notTried: [change({ kind: "authorization", name: "t", key: "jane@acme/t", after: {} })],
    diagnostics: [{ severity: "warning", code: "TENANCY_SECRET_NOT_SENT", summary: "odd" }],
  };
  expect(troubleText(result, plain)).toBe(`Warning TENANCY_SECRET_NOT_SENT: odd

Error TENANCY_API_FORBIDDEN: no
  on tenancy_user_profile.jane

Failed
  + tenancy_user_profile.jane             jane@acme

Not tried
  + tenancy_authorization.t               jane@acme/t`);
  expect(appliedText(result)).toBe("Not all was applied: 1 created, 1 failed, 1 not tried.");
  expect(appliedText({ ...result, applied: [], failed: [], notTried: [] })).toBe("Nothing was applied.");
  // The state could not be written after the last object.
  expect(appliedText({ ...result, failed: [], notTried: [] })).toBe("Applied: 1 created.");
});

test("what was not tried is grouped by its reason, and of many alike a few are named", () => {
  const many = Array.from({ length: 177 }, (_, index) =>
    change({ kind: "account", name: `a${index}`, after: {} }),
  );
  const result: ApplyResult = { ...done, ok: false, notTried: [...many, jane] };
  const reasonOf = (one: object) =>
    one === jane ? "something that it depends on failed" : "the run was stopped";
  expect(troubleText(result, plain, reasonOf)).toBe(`Not tried: the run was stopped
  + tenancy_account.a0                    a0
  + tenancy_account.a1                    a1
  + tenancy_account.a2                    a2
    and 174 more to create

Not tried: something that it depends on failed
  + tenancy_user_profile.jane             jane@acme`);
});
