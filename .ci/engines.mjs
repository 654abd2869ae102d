// Builds the OpenTofu that the tests use, once a machine: from its Go module, into a cache outside the tree.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const version = "1.12.6";
const main = "github.com/opentofu/opentofu/cmd/tofu";

/** OpenTofu builds only with its own fork of hcl, which a module that depends on it has to name again. */
const moduleFile = `module engines

go 1.24

require github.com/opentofu/opentofu v${version}

replace github.com/hashicorp/hcl/v2 v2.20.1 => github.com/opentofu/hcl/v2 v2.20.2-0.20251021132045-587d123c2828
`;

const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tenancy-engines");

/** Where the tests look for the program. */
export const tofu = join(cache, `tofu-${version}`);

export function buildTofu() {
  if (existsSync(tofu)) return;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "build-"));
  const go = (...words) => execFileSync("go", words, { cwd: folder, stdio: ["ignore", 2, 2] });
  try {
    writeFileSync(join(folder, "go.mod"), moduleFile);
    writeFileSync(join(folder, "tofu.go"), `package engines\n\nimport _ "${main}"\n`);
    go("mod", "tidy");
    go("build", "-ldflags", `-s -w -X github.com/opentofu/opentofu/version.dev=no`, "-o", "tofu", main);
    renameSync(join(folder, "tofu"), tofu); // at once: whoever else builds, or looks, meets a whole program
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  buildTofu();
  console.log(tofu);
}
