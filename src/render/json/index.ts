/** What programs read. */
export {
  appliedEvents,
  applyEvent,
  applyProgress,
  diagnosticEvent,
  jsonDiagnostic,
  type JsonEvent,
  planEvents,
  versionEvent,
} from "./events";
export { jsonOutput, jsonPlan } from "./plan";
export { jsonText } from "./values";
