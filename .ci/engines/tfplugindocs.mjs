import { buildProgram } from "./module.mjs";

const VERSION = "0.25.0";

/** Checks a provider's documents as the registries do. */
export function buildDocumentValidator(go) {
  buildProgram(go, {
    name: "tfplugindocs",
    version: VERSION,
    requirements: `require github.com/hashicorp/terraform-plugin-docs v${VERSION}\n`,
    main: "github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs",
  });
}
