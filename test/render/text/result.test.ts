import type { ApplyResult } from "../../../src/apply";
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
  expect(eventLine({ kind: "started", change: acme, deed: "create" }, plain)).toBe(
    "tenancy_account.acme: creating acme",
  );
  expect(
    eventLine(
      { kind: "finished", change: acme, deed: "create", id: "account:1:42", milliseconds: 260 },
      plain,
    ),
  ).toBe("tenancy_account.acme: created in 0.3 s (account:1:42)");
  expect(
    eventLine({ kind: "failed", change: jane, deed: "update", diagnostics: [], milliseconds: 0 }, plain),
  ).toBe("tenancy_user_profile.jane: update failed after 0.0 s");
  expect(eventLine({ kind: "skipped", change: jane, reason: "tenancy_account.acme failed" }, plain)).toBe(
    "tenancy_user_profile.jane: not tried, tenancy_account.acme failed",
  );
  expect(
    underWayText([
      { change: acme, deed: "delete" },
      { change: jane, deed: "create" },
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
            code: "TENANCY_FORBIDDEN",
            summary: "no",
            address: "tenancy_user_profile.jane",
          },
        ],
      },
    ],
    notTried: [change({ kind: "authorization", name: "t", key: "jane@acme/t", after: {} })],
    diagnostics: [{ severity: "warning", code: "TENANCY_W", summary: "odd" }],
  };
  expect(troubleText(result, plain)).toBe(`Warning TENANCY_W: odd

Error TENANCY_FORBIDDEN: no
  on tenancy_user_profile.jane

Failed
  + tenancy_user_profile.jane             jane@acme

Not tried
  + tenancy_authorization.t               jane@acme/t`);
  expect(appliedText(result)).toBe("Not all was applied: 1 created, 1 failed, 1 not tried.");
  expect(appliedText({ ...result, applied: [], failed: [], notTried: [] })).toBe("Nothing was applied.");
});
