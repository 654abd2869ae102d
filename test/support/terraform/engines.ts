/** The engines that the provider is tested with: the Terraform on this machine, and OpenTofu as `.ci/engines.mjs` builds it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

export interface Engine {
  readonly name: "terraform" | "tofu";
  readonly program: string;
  /** Host under which it looks for a provider whose source names none. */
  readonly registry: string;
}

const TOFU = "tofu-1.12.6";

const terraform: Engine = {
  name: "terraform",
  program: process.env["TERRAFORM"] ?? onPath("terraform"),
  registry: "registry.terraform.io",
};

/** The whole path of a program, so that tests can start it with another PATH. */
function onPath(name: string): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? name;
}

function tofu(): readonly Engine[] {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const program = process.env["TOFU"] ?? join(cache, "tenancy-engines", TOFU);
  if (existsSync(program)) return [{ name: "tofu", program, registry: "registry.opentofu.org" }];
  if (process.env["CI"]) throw new Error(`There is no OpenTofu at ${program}: run node .ci/engines.mjs`);
  process.stderr.write(
    `Not tested with OpenTofu: ${program} is not there. node .ci/engines.mjs builds it.\n`,
  );
  return [];
}

export const engines: readonly Engine[] = [terraform, ...tofu()];
