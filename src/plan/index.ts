/** The door to planning without I/O: changes, access changes, guards and fingerprints. */
export { accessChanges, bearsOnAccess, byDanger, isBroadening } from "./access";
export {
  type Approval,
  type ApprovalLevel,
  approvalLevel,
  type ApprovalNeeds,
  type ApprovalVerdict,
  dayAhead,
  isApproved,
  judgeApproval,
  strictest,
} from "./approval";
export { approvalNeeds, grantedBeyond } from "./approval-lines";
export {
  APPROVALS_FILE,
  approvalsText,
  missingApprovals,
  readApprovals,
  savedNeeds,
  unfitDay,
  withApprovals,
} from "./approval-file";
export { hasRights, inOrderOfRights, marksOf, nearestPreset, rightsAfter, rightsBefore } from "./rights";
export type { ApplyEvent, ApplyResult, Deed } from "./events";
export { differences, type Fingerprint, fingerprint, isSameChange } from "./fingerprint";
export { type Contents, type Draft, judge, type Permits, permitsAccount, type Surveyed } from "./guards";
export {
  type AccessChange,
  type AccessEffect,
  type AccessEntry,
  type AccessKind,
  type Action,
  type Change,
  type DeleteReason,
  type Drift,
  DRIFT_KINDS,
  type DriftKind,
  type EvaluatedObject,
  frozenPlan,
  hasChanges,
  type NotDeclared,
  type OutputChange,
  type Plan,
  type Rename,
  type Retained,
  type Sighting,
  type Summary,
  summaryOf,
  type Target,
  type Usage,
} from "./plan";
export {
  absentPaths,
  declarationOf,
  hiddenPaths,
  leftAfter,
  leftOf,
  type Memory,
  NOTHING_LEFT,
  remember,
} from "./remembered";
export {
  answerQuestion,
  changesSince,
  EXISTS,
  may,
  readReport,
  type Report,
  REPORT_FORMAT,
  REPORT_VERSION,
  type ReportChange,
  type ReportChanges,
  type ReportedAccount,
  type ReportedService,
  reportedService,
  whyIncomplete,
  type ReportedToken,
  type ReportedUser,
  type ReportFacts,
  type ReportFinding,
  type ReportQuestion,
  rightsIn,
  type Whose,
  whoseWords,
} from "./report";
export {
  drift,
  driftByObject,
  driftOfDeclaration,
  driftOfLive,
  driftOfRetained,
  type DriftReport,
  type DriftStatus,
  ofChange as driftOfChange,
  statusOf as driftStatusOf,
  type TokenCounts,
  unclassified,
} from "./drift";
