/** The door to age, the file encryption. */
import type * as Library from "./age-library";

export type { AgeIdentity } from "./age-library";

/** Loaded when something is encrypted or opened for the first time: most runs do neither. */
export function ageLibrary(): typeof Library {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- Jest, which users' tests run in, refuses import()
  return require("./age-library") as typeof Library;
}
