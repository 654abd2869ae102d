export type { Check } from "./check";
export { doctor, type Examination } from "./doctor";
