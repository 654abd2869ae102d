import { buildProgram } from "./module.mjs";

const VERSION = "1.3.2";

/** Make identities and open sealed tokens as readers do, with the programs that wrote the format. */
export function buildAge(go) {
  for (const name of ["age", "age-keygen"])
    buildProgram(go, {
      name,
      version: VERSION,
      requirements: `require filippo.io/age v${VERSION}\n`,
      main: `filippo.io/age/cmd/${name}`,
    });
}
