/** Helpers for tests of declarations: a simulated service, plans against it, and matchers for Jest. Public, under semantic versioning. */
export type { Plan } from "../plan";
export type { Simulator, SimulatorOptions } from "../simulator";
export { matchers, setupJest } from "./matchers";
export { planOf, type PlanOfOptions } from "./plan-of";
export { startSimulator } from "./simulator";
