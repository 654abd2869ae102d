import { buildProgram } from "./module.mjs";

const VERSION = "1.7.12";

/** Reads the workflows under .github as the service that runs them does. */
export function buildActionlint(go) {
  buildProgram(go, {
    name: "actionlint",
    version: VERSION,
    requirements: `require github.com/rhysd/actionlint v${VERSION}\n`,
    main: "github.com/rhysd/actionlint/cmd/actionlint",
  });
}
