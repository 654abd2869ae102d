/** The names that the library exports: covers src/engine/index.ts. */
import * as engine from "cdktf-provider-tenancy/engine";

test("the library offers what its documentation names, and no helper of ours", () => {
  expect(Object.keys(engine).sort()).toEqual([
    "InvalidConfiguration",
    "PlanRefused",
    "TenancyError",
    "apply",
    "close",
    "doctor",
    "findToken",
    "hasChanges",
    "joinedPlans",
    "listStacks",
    "listTokens",
    "outputs",
    "plan",
    "planRotation",
    "planSaved",
    "readPlans",
    "refusedPlan",
    "revokeToken",
    "savePlan",
    "splitPlans",
    "validate",
  ]);
});
