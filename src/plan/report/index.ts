/** The public module of access reviews: the access of all users, the findings, and the changes since an earlier review. */
export {
  changesSince,
  EXISTS,
  readReport,
  type ReportChange,
  type ReportChanges,
  ownershipLabels,
} from "./baseline";
export { type ReportFacts, reportedService, whyIncomplete } from "./evaluate";
export {
  type Report,
  REPORT_FORMAT,
  REPORT_VERSION,
  type ReportedAccount,
  type ReportedService,
  type ReportedToken,
  type ReportedUser,
  type ReportFinding,
  type ReportQuestion,
  type Ownership,
} from "./model";
export { answerQuestion, may, rightsIn } from "./question";
