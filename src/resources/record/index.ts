/** The public module of the code that all families of records share: it takes a description and hooks, and gives the engines' interface. */
export { dataSourcesOf, shownState } from "./data-sources";
export { makeFamily } from "./family";
export { unmanagedError, keyOfRecord } from "./inventory";
export { idOfState, idOf, isVersionRecorded, type RecordFamily } from "./kind";
export { fillPlanned, readUntil, stateAfterWrite } from "./outcome";
export { differenceSince, isSameVersion } from "./update";
