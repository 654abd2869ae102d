/**
 * Sees to the programs that the tests need beside Node, npm and git (test/support/needed-programs.json says what for). What the machine has is used;
 * what it lacks is built from its Go module, or installed by apt, once a machine. Tests find them by test/support/programs.ts.
 */
import { readFileSync } from "node:fs";
import { buildActionlint } from "./engines/actionlint.mjs";
import { buildAge } from "./engines/age.mjs";
import { installPackage } from "./engines/apt.mjs";
import { provideGo } from "./engines/go.mjs";
import { buildTofu } from "./engines/opentofu.mjs";
import { find, onPath } from "./engines/places.mjs";
import { providePostgres } from "./engines/postgres.mjs";
import { providePrometheusClient } from "./engines/prometheus.mjs";
import { provideZizmor } from "./engines/zizmor.mjs";
import { buildNextTerraform, buildTerraform } from "./engines/terraform.mjs";
import { buildDocumentValidator } from "./engines/tfplugindocs.mjs";
import { buildVale } from "./engines/vale.mjs";

if (onPath("chromium") === undefined) installPackage("chromium");
providePostgres();
if (onPath("python3") === undefined) installPackage("python3");
providePrometheusClient(find("python3"));
if (onPath("zizmor") === undefined) provideZizmor(find("python3"));
for (const name of ["jq", "curl", "unzip", "bash", "zsh", "fish"])
  if (onPath(name) === undefined) installPackage(name);
if (onPath("script") === undefined) installPackage("bsdutils");
if (onPath("gpg") === undefined) installPackage("gnupg");
if (onPath("ssconvert") === undefined) installPackage("gnumeric");
const go = provideGo();
if (onPath("actionlint") === undefined) buildActionlint(go);
if (onPath("age") === undefined || onPath("age-keygen") === undefined) buildAge(go);
if (onPath("tfplugindocs") === undefined) buildDocumentValidator(go);
if (onPath("vale") === undefined) buildVale(go);
if (onPath("terraform") === undefined) buildTerraform(go);
if (onPath("tofu") === undefined) buildTofu(go);
if (onPath("terraform-next") === undefined) buildNextTerraform(go);

/** Those that tests ask for. */
const programs = JSON.parse(
  readFileSync(new URL("../test/support/needed-programs.json", import.meta.url), "utf8"),
);
for (const name of Object.keys(programs)) console.log(`${name}: ${find(name)}`);
