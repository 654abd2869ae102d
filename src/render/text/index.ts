/** What people read. */
export { checksText, type ShownCheck } from "./checks";
export { diagnosticsText, diagnosticText } from "./diagnostic";
export { outputLines } from "./outputs";
export { paint, type Paint } from "./paint";
export { planText } from "./plan";
export { plainLines } from "./plain-lines";
export { shownValue } from "./shown-value";
export { eventLine, underWayText } from "./progress";
export { appliedText, troubleText } from "./result";
export { tokensText, type ShownTokens } from "./tokens";
