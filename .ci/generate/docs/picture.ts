/** The picture of a plan in the README: what a real run prints, at the service that comes with the package. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "../../../src/constructs";
import { apply, close, plan, type Plan } from "../../../src/engine";
import { paint, planText } from "../../../src/render/text";
import { startSimulator } from "../../../src/lib/simulator";
import type { Generator } from "../generator";

const README = "README.md";
const [BEGIN, END] = ["<!-- the plan is made by npm run generate -->\n", "<!-- end of the plan -->\n"];

export const picture: Generator = {
  name: "picture of a plan",
  async generate() {
    const file = resolve(__dirname, "../../..", README);
    // A copy of the sources without a README has no place for it.
    if (!existsSync(file)) return {};
    const text = readFileSync(file, "utf8");
    const [before, rest = ""] = text.split(BEGIN);
    const after = rest.split(END)[1];
    if (after === undefined) throw new Error(`${README} has no place for the plan`);
    return { [README]: `${before}${BEGIN}\n\`\`\`text\n${await printed()}\n\`\`\`\n\n${END}${after}` };
  },
};

/** A tenant is live; then its code changes, and somebody has made a user by hand. */
async function printed(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "picture-"));
  const simulator = await startSimulator();
  const { baseUrl, username, password, records } = simulator;
  const environment = {
    TENANCY_BASE_URL: baseUrl,
    TENANCY_USERNAME: username,
    TENANCY_PASSWORD: password,
  };
  const planned = (declare: (stack: TerraformStack) => void, name: string): Promise<Plan> => {
    const outdir = join(folder, name);
    const app = new App({ outdir, stackTraces: false, skipValidation: true });
    const stack = new TerraformStack(app, "platform");
    new TenancyProvider(stack, "service");
    declare(stack);
    app.synth();
    return plan({ name: "platform", outdir }, { environment, projectFolder: folder });
  };
  try {
    await apply(await planned(live, "live"));
    records.createProfile("acme", { username: "eve" });
    const made = await planned(changed, "changed");
    await close(made);
    return planText(made, paint(false)).replaceAll(baseUrl, "https://storage.example");
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true });
  }
}

const operator = Permissions.operator().deny("vss.resize_disks");
const machine = Permissions.none().allow("vss.manage_snapshots");

function live(stack: TerraformStack): void {
  new Tenant(stack, "acme", {
    name: "acme",
    permissions: Permissions.none(),
    limits: { vssNum: 20 },
    users: { jane: { permissions: operator }, bob: { permissions: operator }, csi: { permissions: machine } },
  });
}

function changed(stack: TerraformStack): void {
  new Tenant(stack, "acme", {
    name: "acme",
    permissions: Permissions.none(),
    limits: { vssNum: 40 },
    users: {
      jane: { permissions: operator.allow("vss.format_disks", "user.manage_users") },
      csi: { permissions: machine },
    },
    tokens: { "csi-prod": { user: "csi", loginWith: "temporary_password" } },
  });
}
