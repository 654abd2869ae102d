/** The door to what is shown, as data, before anything decides how it looks. */
export { approvalView, type JudgedApproval } from "./approval";
export {
  bareText,
  type CellState,
  type Column,
  type Fact,
  findingPlace,
  type Form,
  type Gauge,
  grouped,
  joined,
  type Matrix,
  type MatrixRow,
  membersOf,
  membersText,
  name,
  type Piece,
  type PieceKind,
  type Row,
  row,
  type Section,
  section,
  sentence,
  SYMBOLS,
  type Text,
  value,
  type View,
  type Weight,
  word,
} from "./document";
export { reportView } from "./report";
export { changesView } from "./report-changes";
export { driftView } from "./drift";
export { matrixOf, type RightsOf } from "./matrix";
export { brief, failureView, outputRows, phrases, planView, type PlanViewOptions, skippedView } from "./plan";
export { shownTransition, shownValue } from "./values";
