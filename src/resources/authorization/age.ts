/** The part of age that sealed tokens need. The build makes one file of this file and the library, so this file imports no other. */
import type * as Age from "age-encryption" with { "resolution-mode": "import" };

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a module in a form that CommonJS cannot import otherwise
export const { armor, Decrypter, Encrypter } = require("age-encryption") as typeof Age;
