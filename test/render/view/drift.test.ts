import type { DriftReport } from "../../../src/plan";
import { driftView } from "../../../src/render/view";

const report: DriftReport = {
  stack: "storage",
  targets: [],
  status: "none",
  drift: [],
  ignored: [],
  unmanagedUsers: [],
  unremembered: 0,
  tokens: { checked: 0, refused: 0, expiring: 0 },
  ends: { overdue: 0, nextInDays: null },
  rotations: { due: 0, nextInDays: null },
  warnings: [],
  checkedAt: "2026-03-01T12:00:00.000Z",
};

test("a warning that comes twice is said once, in a comment and on a page, too", () => {
  const warning = { severity: "warning", code: "TENANCY_SECRET_NOT_SENT", summary: "w" } as const;
  expect(driftView({ ...report, warnings: [warning, { ...warning }] }).findings).toEqual([warning]);
});
