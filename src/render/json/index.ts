/** What programs read. */
export { jsonDiagnostic, type JsonDiagnostic } from "./json-diagnostic";
export * from "./json-event";
export { jsonOutput, type JsonOutput } from "./json-output";
export * from "./json-plan";
export { jsonText } from "./json-text";
