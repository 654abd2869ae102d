import { buildProgram } from "./module.mjs";

/** The first with write-only attributes. */
const VERSION = "1.11.4";

/** The commit of that version, as the modules of its parts are numbered: they bear no versions of their own. */
const PARTS_VERSION = "v0.0.0-20250409131005-35645b8fca68";

const backends = ["azure", "consul", "cos", "gcs", "kubernetes", "oss", "pg", "s3"];
const parts = ["internal/legacy", ...backends.map((name) => `internal/backend/remote-state/${name}`)];

const requirements = `require (
	github.com/hashicorp/terraform v${VERSION}
${parts.map((part) => `\tgithub.com/hashicorp/terraform/${part} ${PARTS_VERSION}\n`).join("")})
`;

export function buildTerraform(go) {
  buildProgram(go, {
    name: "terraform",
    version: VERSION,
    requirements,
    main: "github.com/hashicorp/terraform",
    release: "github.com/hashicorp/terraform/version.dev",
  });
}
