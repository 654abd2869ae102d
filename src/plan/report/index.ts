/** The door to access reviews: who may do what, what deserves a look, and what has changed since an earlier review. */
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
  type ReportedEnd,
  type ReportedService,
  type ReportedToken,
  type ReportedUser,
  type ReportFinding,
  type ReportQuestion,
  type Ownership,
} from "./model";
export { answerQuestion, may, rightsIn } from "./question";
