/** The public module of shown content, as data, before a renderer decides its form. */
export { approvalView, type JudgedApproval } from "./approval";
export {
  bareText,
  type CellState,
  type Column,
  type Fact,
  findingPlace,
  type Gauge,
  joinTexts,
  type Matrix,
  type MatrixRow,
  membersText,
  name,
  type Piece,
  type Row,
  type Section,
  sentence,
  SYMBOLS,
  type Text,
  type View,
  type Weight,
  word,
} from "./document";
export { reportView } from "./report";
export { changesView } from "./report-changes";
export { driftView } from "./drift";
export { brief, failureView, outputRows, phrases, planView, type PlanViewOptions, skippedView } from "./plan";
export { shownValue } from "./values";
