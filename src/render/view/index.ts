/** The door to what is shown, as data, before anything decides how it looks. */
export { approvalView, type JudgedApproval } from "./approval";
export {
  bareText,
  type Fact,
  type Form,
  grouped,
  joined,
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
export { brief, failureView, outputRows, phrases, planView, type PlanViewOptions, skippedView } from "./plan";
export { shownTransition, shownValue } from "./values";
