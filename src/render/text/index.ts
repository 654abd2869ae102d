/** The door to output for people. */
export { checksText, diagnosticsText } from "./diagnostics";
export { plainLines } from "./layout";
export { type Paint, paint } from "./paint";
export { appliedText, eventLine, troubleText, underWayText } from "./result";
export { tokensText } from "./tokens";
export { shownValue } from "../view";
export { outputLines, planText, viewText } from "./view";
