import { type ObjectValue, type TerraformAttributes, textOf } from "../../../src/lib/values";
import type { Provider, ResourceDefinition } from "../../../src/lib/plugin-runtime";

const attributes: TerraformAttributes = {
  mount: { type: "string", required: true },
  name: { type: "string", required: true },
  data_json_wo: { type: "string", optional: true, write_only: true },
  data_json_wo_version: { type: "number", optional: true },
};

/** Writes an entry to the server at VAULT_ADDR, over the entry that is there. */
async function write({ mount, name, data_json_wo: data }: ObjectValue): Promise<void> {
  const url = `${process.env["VAULT_ADDR"]}/v1/${textOf(mount)}/data/${textOf(name)}`;
  const headers = { "x-vault-token": process.env["VAULT_TOKEN"] ?? "" };
  const before = await fetch(url, { headers });
  const entry = (await before.json()) as { data?: { metadata: { version: number } } };
  const body = JSON.stringify({
    data: JSON.parse(textOf(data) ?? "") as unknown,
    options: { cas: entry.data?.metadata.version ?? 0 },
  });
  const answer = await fetch(url, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
}

const secret: ResourceDefinition = {
  schema: { version: 0, block: { attributes } },
  read: ({ state }) => ({ state }),
  async create({ planned, config }) {
    await write(config);
    return { state: planned };
  },
  async update({ planned, config }) {
    await write(config);
    return { state: planned };
  },
  delete: () => undefined,
};

/** Stands in for `hashicorp/vault`, whose program is not to be had in tests: one resource of it, as far as a guide uses it. */
export const vaultProvider: Provider = {
  schema: { version: 0, block: { attributes: {} } },
  resources: { vault_kv_secret_v2: secret },
};
