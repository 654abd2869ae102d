import { buildProgram } from "./module.mjs";

const VERSION = "1.12.6";

/** OpenTofu builds only with its own fork of hcl, which a module that depends on it has to name again. */
const requirements = `require github.com/opentofu/opentofu v${VERSION}

replace github.com/hashicorp/hcl/v2 v2.20.1 => github.com/opentofu/hcl/v2 v2.20.2-0.20251021132045-587d123c2828
`;

export function buildTofu(go) {
  buildProgram(go, {
    name: "tofu",
    version: VERSION,
    requirements,
    main: "github.com/opentofu/opentofu/cmd/tofu",
    release: "github.com/opentofu/opentofu/version.dev",
  });
}
