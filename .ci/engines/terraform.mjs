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

/** It has resource identity, which came with 1.12, and list resources, which came with 1.14. */
const NEXT_VERSION = "1.16.0";

/**
 * The parts of that version are in no module proxy. What stands in for them has no backends: tests that keep state in one run with the first
 * version that we serve.
 */
const PARTS_OF_NEXT = [...parts, "internal/backend/remote-state/oci"];
const NO_VERSION = "v0.0.0-00010101000000-000000000000";

const nextRequirements = `require (
	github.com/hashicorp/terraform v${NEXT_VERSION}
${PARTS_OF_NEXT.map((part) => `\tgithub.com/hashicorp/terraform/${part} ${NO_VERSION}\n`).join("")})

replace (
${PARTS_OF_NEXT.map((part) => `\tgithub.com/hashicorp/terraform/${part} => ./${part}\n`).join("")})
`;

/** Builds it beside the other one, as `terraform-next`. */
export function buildNextTerraform(go) {
  buildProgram(go, {
    name: "terraform-next",
    version: NEXT_VERSION,
    requirements: nextRequirements,
    files: Object.assign({}, ...PARTS_OF_NEXT.map(standIn)),
    main: "github.com/hashicorp/terraform",
    release: "github.com/hashicorp/terraform/version.dev",
  });
}

function standIn(part) {
  const name = part.split("/").at(-1);
  return {
    [`${part}/go.mod`]: `module github.com/hashicorp/terraform/${part}\n`,
    [`${part}/${name}.go`]:
      name === "legacy"
        ? "package legacy\n"
        : `package ${name}

import "github.com/hashicorp/terraform/internal/backend"

func New() backend.Backend { panic("this Terraform was built for tests, without the backend ${name}") }
`,
  };
}
