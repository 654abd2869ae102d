/** A file of its own since package.json names it: helpers for users' tests. Public, and under semantic versioning. */
export type { Plan } from "../plan";
export type { ServiceBehavior, Simulator, SimulatorOptions } from "../lib/simulator";
export { matchers, setupJest } from "./matchers";
export { planOf, type PlanOfOptions } from "./plan-of";
export { startSimulator } from "./simulator";
