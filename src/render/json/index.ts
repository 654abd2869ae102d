/** The door to output for programs. */
export { addressParts } from "./address";
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
export { jsonDrift } from "./drift";
export { jsonOutput, jsonPlan } from "./plan";
export { jsonText } from "./values";
