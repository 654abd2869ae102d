/** The door to what all families of records share: a description and hooks in, and what the engines call out. */
export { dataSourcesOf, shownState } from "./data-sources";
export { makeFamily } from "./family";
export { unmanagedError, keyOfRecord } from "./inventory";
export { idOfState, idOf, type RecordFamily, titleOf } from "./kind";
export { fillPlanned, readUntil, stateAfterWrite } from "./outcome";
export { isSameVersion } from "./update";
