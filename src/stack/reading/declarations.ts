/** What stands at the top of a stack: everything that is not read there is either ignored or refused. */
import { Unsupported, UnsupportedProvider } from "../../errors";
import { isObject, type ObjectValue } from "../../values";
import { constructPathOf } from "./construct-path";
import { namedBlocks, namedValues } from "./named";
import type { Reading } from "./reading";

/** Sections that other files here read, and those that mean nothing without a state. */
const KNOWN: ReadonlySet<string> = new Set([
  "//",
  "terraform",
  "provider",
  "variable",
  "locals",
  "output",
  "resource",
  "data",
  "ephemeral",
  "import",
  "moved",
]);

const OURS = /^(?:[\w.-]+\/)?tenancy\/tenancy$/;
/** Their resources are values: `null_resource`, `terraform_data`. A source of one word is HashiCorp's: CDKTF's own package writes `null`. */
const HARMLESS = /^(?:null|(?:[\w.-]+\/)?hashicorp\/null|(?:terraform\.io\/)?builtin\/terraform)$/;

export function readDeclarations(reading: Reading, root: ObjectValue): void {
  for (const section of Object.keys(root)) {
    if (KNOWN.has(section) || section === "module") continue;
    reading.report(new Unsupported(`"${section}" blocks`), { address: section });
  }
  for (const [name, body] of namedBlocks(reading, "module", root["module"])) {
    reading.block(`module.${name}`, constructPathOf(body)).report(new Unsupported("modules"));
  }
  const terraform = isObject(root["terraform"]) ? root["terraform"] : {};
  for (const [name, required] of namedValues(
    reading,
    "terraform.required_providers",
    terraform["required_providers"],
  )) {
    const source =
      isObject(required) && typeof required["source"] === "string" ? required["source"] : undefined;
    if (!isAllowed(name, source ?? (name === "tenancy" ? "tenancy/tenancy" : `hashicorp/${name}`))) {
      reading.report(
        new UnsupportedProvider(`the provider "${name}"${source === undefined ? "" : ` (${source})`}`),
        {
          address: `provider.${name}`,
        },
      );
    }
  }
}

function isAllowed(name: string, source: string): boolean {
  return name === "tenancy" ? OURS.test(source) : HARMLESS.test(source);
}
