import { buildProgram } from "./module.mjs";

const VERSION = "1.3.2";

/** Opens sealed tokens as their readers do, with the program that wrote the format. */
export function buildAge(go) {
  buildProgram(go, {
    name: "age",
    version: VERSION,
    requirements: `require filippo.io/age v${VERSION}\n`,
    main: "filippo.io/age/cmd/age",
  });
}
