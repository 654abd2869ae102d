/** The part of age that Tenancy needs; a file of its own since the build makes one bundle of it and the library. */
import type * as Age from "age-encryption" with { "resolution-mode": "import" };

export type AgeIdentity = Age.Identity;
// eslint-disable-next-line @typescript-eslint/no-require-imports -- a module in a form that CommonJS cannot import otherwise
export const { armor, Decrypter, Encrypter } = require("age-encryption") as typeof Age;
