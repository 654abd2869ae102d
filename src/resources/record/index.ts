/** The door to what accounts and user profiles share: lookup, comparison, creation and update. */
export { chosenUuid, createRecord, listsBeforeCreates } from "./create";
export { isWhole, type RecordKind, sequenceOf, text } from "./kind";
export {
  checkOneOf,
  foreignTo,
  hasPrefix,
  idOf,
  importRecord,
  inOrder,
  requireOne,
  seek,
  type Shelf,
  shownState,
  takeIn,
} from "./match";
export {
  type Asked,
  askedByChanges,
  outcomeOfCreate,
  outcomeOfUpdate,
  readUntil,
  type Written,
} from "./outcome";
export { checkRecord, filled, foresee, proposeRecord, settled } from "./plan";
export {
  atAttributes,
  bodyOf,
  differenceOf,
  dispatchOf,
  idIn,
  isEmpty,
  readKnown,
  requireUnchanged,
  unlessGone,
} from "./update";
