/** What people read. */
export { diagnosticsText, diagnosticText } from "./diagnostic";
export { outputLines } from "./outputs";
export { paint, type Paint } from "./paint";
export { planText } from "./plan";
export { eventLine, underWayText } from "./progress";
export { resultText } from "./result";
