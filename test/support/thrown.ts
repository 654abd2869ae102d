/** Matches the error of a problem, as in `expect(act).toThrow(thrown(invalidValue))`. */
export function thrown({ code }: { readonly code: string }): Error {
  return expect.objectContaining({ code }) as Error;
}
