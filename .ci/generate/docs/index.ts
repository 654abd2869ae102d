/** The provider's documents in the layout of the registries, from the descriptions and `examples/`. Guides are written by hand. */
import {
  permissionsPresetSignature,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  type Family,
} from "../../../src/resources";
import {
  explainRight,
  RIGHT_GROUPS,
  RIGHTS,
  type Right,
  type RightGroup,
  provider,
} from "../../../src/service";
import type { Description } from "../../../src/schema";
import type { Generator } from "../generator";
import { families } from "../schema";
import { schemaOf } from "./attributes";
import { imports, usage } from "./examples";
import { page } from "./page";

export const documents: readonly Generator[] = [
  { name: "document of the provider", generate: async () => ({ "docs/index.md": providerPage() }) },
  pages("resources", "Resource", ({ resource }) => (resource ? [resource.description] : [])),
  pages("data-sources", "Data Source", ({ dataSources }) =>
    (dataSources ?? []).map(({ description }) => description),
  ),
  pages("ephemeral-resources", "Ephemeral Resource", ({ ephemeral }) =>
    ephemeral ? [ephemeral.description] : [],
  ),
  pages("list-resources", "List Resource", ({ resource }) =>
    resource?.kind === "record" && resource.listing ? [resource.listing.description] : [],
  ),
  {
    name: "documents of the functions",
    folder: "docs/functions",
    generate: async () => ({ "docs/functions/permissions_preset.md": functionPage() }),
  },
  { name: "guide to the rights", generate: async () => ({ "docs/guides/rights.md": rightsPage() }) },
  {
    name: "the manual's page on permissions",
    // The registry's layout needs its own copy: its pages cannot link to the manual.
    generate: async () => ({
      "docs/manual/reference/permissions.md": rightsPage().replace(
        /^---[^]*?---\n\n# Rights/,
        "# Permissions",
      ),
    }),
  },
];

/** One page for each description of this sort. */
function pages(sort: string, noun: string, of: (family: Family) => readonly Description[]): Generator {
  const folder = `docs/${sort}`;
  const extension = sort === "list-resources" ? "tfquery.hcl" : "tf";
  const example = `${noun.toLowerCase().replace(" ", "-")}.${extension}`;
  return {
    name: `documents of the ${sort}`,
    folder,
    async generate() {
      const descriptions = (await families()).flatMap(of);
      return Object.fromEntries(
        descriptions.map((description) => {
          const { name, type, attributes } = description;
          const examples = `${sort}/${type}`;
          const text = page({
            title: `${type} (${noun})`,
            description: description.description,
            parts: [
              usage(examples, example),
              "unset" in attributes ? MANAGED : undefined,
              sort === "list-resources" ? LISTED : undefined,
              schemaOf(attributes),
              imports(examples),
            ],
          });
          return [`${folder}/${name}.md`, text];
        }),
      );
    },
  };
}

const LISTED = `It needs Terraform ≥ 1.14. OpenTofu has no list resources.

The arguments below belong in the \`config\` block. The \`list\` block itself takes Terraform's \`limit\` (default: 100 objects) and
\`include_resource\`, which adds each object's attributes. An object that an import would refuse is left out, with a warning that gives the reason.
The guide [Find and import with terraform query](../guides/terraform-query.md) goes on from here.`;

const MANAGED = `## Absent attributes

An attribute that is absent or null is not managed: the service's value stays, and is shown. \`unset\` clears values.
\`permissions\`, once declared, is authoritative: a right outside the map is denied. [Rights](../guides/rights.md) explains each right, and
[the guide](../guides/hcl.md) has more about absent attributes.

## Unchecked names

Terraform checks the names at the top level of a resource, and the provider checks the names of rights. Inside an object, Terraform drops
unknown names silently. Two kinds of misspelt names therefore stay unnoticed: members of \`primary_contact\` and \`billing_contact\` of an
account, and rights in \`ignore_changes\`. A misspelt right there stays managed. The embedded engine checks all of these names.`;

function providerPage(): string {
  const guides = `## Guides

- [Plain HCL](guides/hcl.md): install the provider, log in, manage secrets and tokens, import, delete
- [Rights](guides/rights.md): each right, and the presets that grant it
- [Keep tokens out of Terraform's state](guides/sealed-tokens.md): sealed for their readers, and handed to a secret store
- [Find and import with terraform query](guides/terraform-query.md): configuration for existing tenants, from Terraform 1.14 on
- [After a lost state](guides/lost-state.md): import all tenants and users again

The npm package \`tenancy\` has constructs for CDKTF and CDKTN, and an engine that needs no Terraform. Its manual is in the folder
\`docs/manual\` of the package.`;
  return page({
    title: "tenancy Provider",
    isIndex: true,
    description: provider.description,
    parts: [usage("provider", "provider.tf"), REQUIREMENTS, guides, schemaOf(provider.attributes)],
  });
}

const REQUIREMENTS = `It needs Terraform or OpenTofu ≥ 1.11. Missing settings come from the environment. The provider respects \`HTTPS_PROXY\`, \`NO_PROXY\` and
\`NODE_EXTRA_CA_CERTS\`. While an argument is unknown at plan, the provider makes no requests: the plan trusts the prior state, with a warning, and
an import or a data source is an error.`;

/** What each right lets its holder do, which are marked, and which preset grants it. */
function rightsPage(): string {
  const presets = PRESET_NAMES.filter((name) => PRESETS[name].length > 0);
  const holds = (name: PresetName, right: Right) => (PRESETS[name].includes(right) ? "✓" : "");
  const tables = RIGHT_GROUPS.map((group) => {
    const rows = RIGHTS[group].map((name) => {
      const right = `${group}.${name}` as Right;
      return `| \`${right}\` | ${explainRight(right)} | ${presets.map((preset) => holds(preset, right)).join(" | ")} |`;
    });
    const head = `| right | meaning | ${presets.map((preset) => `\`${preset}\``).join(" | ")} |`;
    return `## ${GROUPS[group]}\n\n${head}\n| --- | --- | ${presets.map(() => "---").join(" | ")} |\n${rows.join("\n")}`;
  });
  return page({
    title: "Rights",
    description:
      "The rights that `permissions` of an account and of a user profile name, as the API spells them.\n\n" +
      "*Destructive* rights destroy data. *Privileged* rights let their holder take over other users. Plans mark both. The columns show the presets " +
      "of `permissions_preset` and of `Permissions` that grant a right; the preset `none` grants nothing. A profile that is created without " +
      "`permissions` gets the rights of `account_admin` by the service's default.",
    parts: [...tables, NEWER_SERVICE],
  });
}

const NEWER_SERVICE = `## Rights of a newer service

A service may have rights that this version does not know. Name them in \`extra_rights\` of the provider, and \`permissions\` may name them, too:

\`\`\`hcl
provider "tenancy" {
  extra_rights = ["vss.new_right"]
}

resource "tenancy_user_profile" "jane" {
  username    = "jane"
  permissions = { "vss.new_right" = true }
}
\`\`\`

In TypeScript:

\`\`\`ts
new TenancyProvider(this, "service", { extraRights: ["vss.new_right"] });
const permissions = Permissions.observer().allowExtra("vss.new_right");
\`\`\`

The effect of such a right is unknown. Plans, pages and approvals mark it _(unknown right)_, and it has its own pair for approval. \`tenancy doctor\` warns in
three cases: no user of the service has the right, this version knows the right now, or the service shows a right without a name here.`;

const GROUPS: Readonly<Record<RightGroup, string>> = {
  realm: "Over the whole service",
  node: "On storage nodes",
  vss: "On virtual storage services",
  user: "On the account's users",
  account: "On the account itself",
};

function functionPage(): string {
  const { name, summary, description, parameters, variadicParameter: rest } = permissionsPresetSignature;
  const presets = Object.entries(PRESETS)
    .map(
      ([preset, rights]) =>
        `- \`${preset}\`: ${rights.map((right) => `\`${right}\``).join(", ") || "no right at all"}`,
    )
    .join("\n");
  return page({
    title: `${name} (Function)`,
    description: `${summary}\n\n${description}`,
    parts: [
      usage(`functions/${name}`, "function.tf"),
      `## Signature\n\n\`\`\`text\n${name}(name string, overrides map(bool)...) map(bool)\n\`\`\``,
      `## Arguments\n\n${[...parameters, rest]
        .map((one, index) => {
          const type = one === rest ? "Variadic, Map of Boolean" : "String";
          return `${index + 1}. \`${one.name}\` (${type}) ${one.description}`;
        })
        .join("\n")}`,
      `## Presets\n\nA preset denies all other rights.\n\n${presets}`,
    ],
  });
}
