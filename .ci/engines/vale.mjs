import { installPackage } from "./apt.mjs";
import { buildProgram } from "./module.mjs";
import { onPath } from "./places.mjs";

const VERSION = "3.21.0";

/** Checks the words of documents and comments. Its parsers are in C, so it is the one program that needs a compiler. */
export function buildVale(go) {
  if (onPath("gcc") === undefined) for (const name of ["gcc", "libc6-dev"]) installPackage(name);
  buildProgram(go, {
    name: "vale",
    version: VERSION,
    requirements: `require github.com/vale-cli/vale/v3 v${VERSION}\n`,
    main: "github.com/vale-cli/vale/v3/cmd/vale",
    usesC: true,
  });
}
