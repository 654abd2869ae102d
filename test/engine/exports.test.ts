/** The names that the library exports: covers src/engine/index.ts. */
import * as engine from "cdktf-provider-tenancy/engine";

test("the library offers what its documentation names, and no helper of ours", () => {
  expect(Object.keys(engine).sort()).toEqual([
    "ApprovalNeeded",
    "InvalidConfiguration",
    "PlanRefused",
    "TenancyError",
    "apply",
    "approvalNeeds",
    "changesSince",
    "close",
    "doctor",
    "findToken",
    "hasChanges",
    "judgeApproval",
    "listStacks",
    "listTokens",
    "outputs",
    "plan",
    "planRotation",
    "planSaved",
    "readApprovals",
    "readReport",
    "readToken",
    "refusedPlan",
    "report",
    "revokeToken",
    "savePlan",
    "snapshotRecords",
    "takeSnapshot",
    "validate",
  ]);
});
