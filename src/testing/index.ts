/** Helpers for tests of declarations: a simulated service, plans against it, and matchers for Jest. Public, under semantic versioning. */
export { matchers, setupJest } from "./matchers";
export { planOf, type PlanOfOptions } from "./plan-of";
export { startSimulator } from "./simulator";
export type { Simulator, SimulatorOptions } from "../simulator";
export type { Plan } from "../engine";
