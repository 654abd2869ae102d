import type { Entry } from "../../src/problems";

/** Matches the error of a problem, as in `expect(act).toThrow(thrown(invalidValue))`. */
export function thrown({ code }: Entry): Error {
  return expect.objectContaining({ code }) as Error;
}
