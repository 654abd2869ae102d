/** The guide docs/guides/sealed-tokens.md, as it stands there: a token is sealed, read with age, and handed to a secret store; no file of the run holds it. */
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TenancyWorkspace } from "../../support/terraform/tenancy";
import { type FakeVault, startFakeVault } from "../../support/fake-vault";
import { blocksOf, Shell } from "../../support/pages";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";
import { withEachEngine } from "../../support/terraform/engines";
import { installProvider } from "../../support/terraform/install-provider";
import { unzipped } from "../../support/unzipped";

const PAGE = "docs/guides/sealed-tokens.md";
const DAY = 86_400_000;

const blocks = blocksOf(PAGE);
const textOf = (section: string, language: string) =>
  blocks.find((block) => block.section === section && block.language === language)?.text ?? "";
const folder = temporaryFolder();

test("every block of the page is run here", () => {
  expect(blocks.map(({ section, language }) => `${section}: ${language}`)).toEqual([
    "1. Make an identity for each reader: sh",
    "2. Seal the token: hcl",
    "2. Seal the token: sh",
    "3. Hand it to a secret store: hcl",
    "3. Hand it to a secret store: sh",
  ]);
});

describeWith(["age", "age-keygen"], "with age", (files) => {
  withEachEngine((engine) => {
    let workspace: TenancyWorkspace;
    let vault: FakeVault;
    let today = Date.parse("2026-03-01T02:00:00Z");
    const clock = () => today;
    const noted = () => join(folder(), "identity");
    /** The provider is in this process, and reads what the engine has in its environment. */
    const environment = {
      get TENANCY_IDENTITY() {
        return existsSync(noted()) ? readFileSync(noted(), "utf8") : "";
      },
    };
    beforeEach(async () => {
      vault = await startFakeVault();
      workspace = await TenancyWorkspace.create(engine, { now: () => new Date(today), clock, environment });
      await installProvider(workspace.engine.home, {
        source: "hashicorp/vault",
        version: "5.0.0",
        main: join(__dirname, "../../support/vault-provider/main.ts"),
        registry: engine.registry,
      });
    });
    afterEach(async () => {
      await workspace.close();
      await vault.stop();
    });

    /** A folder of the programs in the page. The engine runs in its own folder, writes a trace, and notes the identity in its environment. */
    async function programs(): Promise<string> {
      const bin = join(folder(), "bin");
      await mkdir(bin);
      for (const [name, file] of Object.entries(files)) await symlink(file, join(bin, name));
      await writeFile(
        join(bin, "terraform"),
        `#!/bin/sh
printf %s "$TENANCY_IDENTITY" > ${noted()}
cd ${workspace.engine.folder}
export HOME=${workspace.engine.home} TF_LOG=trace TF_LOG_PATH=trace.log
exec ${engine.program} "$@"
`,
      );
      await chmod(join(bin, "terraform"), 0o755);
      return `${bin}:${process.env["PATH"]}`;
    }

    const inVault = () =>
      (vault.entries.get("csi-prod")?.data as { readonly access_token: string }).access_token;
    async function isGood(secret: string): Promise<boolean> {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await fetch(`${workspace.simulator.baseUrl}/api/status/authorization`, { headers });
      return answer.status === 200;
    }

    test("the token reaches its readers and the secret store, and no state, plan or log", async () => {
      const shell = new Shell(folder(), {
        PATH: await programs(),
        CHECKPOINT_DISABLE: "1",
        TF_CLI_ARGS: "-no-color",
        VAULT_ADDR: vault.address,
        VAULT_TOKEN: "good",
        ...workspace.attachment,
      });
      const printed: string[] = [];
      const terraform = async (command: string) => {
        const output = await shell.run(command);
        printed.push(output);
        return output;
      };
      expect(await shell.run(textOf("1. Make an identity for each reader", "sh"))).toMatch(/^age1\w{58}$/m);
      await shell.run(`export TF_VAR_readers="[\\"$(age-keygen -y reader.txt)\\"]"`);

      const sealed = textOf("2. Seal the token", "hcl");
      const open = textOf("2. Seal the token", "sh");
      await workspace.configure(sealed);
      await terraform("terraform init && terraform apply -auto-approve");
      const first = await shell.run(open);
      expect(await isGood(first)).toBe(true);
      await expect(
        shell.run(`age-keygen -o other.txt\n${open.replace("reader.txt", "other.txt")}`),
      ).rejects.toThrow("no identity matched");

      await workspace.configure(sealed + textOf("3. Hand it to a secret store", "hcl"));
      await expect(terraform("terraform init && terraform plan")).rejects.toThrow("no age identity is given");
      await terraform(textOf("3. Hand it to a secret store", "sh"));
      expect(inVault()).toBe(first);
      await terraform("terraform plan -detailed-exitcode");

      // A rotation by age is delivered in the same run.
      today += 91 * DAY;
      await terraform("terraform plan -out=planned");
      await terraform("terraform show -json planned");
      const plan = unzipped(readFileSync(join(workspace.engine.folder, "planned")));
      await terraform("terraform apply planned");
      const second = await shell.run(open);
      expect(inVault()).toBe(second);
      expect([await isGood(first), await isGood(second), first === second]).toEqual([true, true, false]);
      await terraform("terraform plan -detailed-exitcode");

      // The first token has ended. Another reader: the former one opens the new token no more.
      today += 8 * DAY;
      await terraform("terraform apply -auto-approve");
      expect(await isGood(first)).toBe(false);
      await shell.run(
        `export TF_VAR_readers="[\\"$(age-keygen -y other.txt)\\"]" TENANCY_IDENTITY="$(cat other.txt)"`,
      );
      await terraform("terraform apply -auto-approve");
      await expect(shell.run(open)).rejects.toThrow("no identity matched");
      const third = await shell.run(open.replace("reader.txt", "other.txt"));
      expect(inVault()).toBe(third);
      await terraform("terraform show");
      await terraform("terraform destroy -auto-approve -target=tenancy_authorization.csi");
      expect([await isGood(second), await isGood(third)]).toEqual([false, false]);

      const written = ["terraform.tfstate", "terraform.tfstate.backup", "trace.log"].map((name) =>
        readFileSync(join(workspace.engine.folder, name), "utf8"),
      );
      expect(written.join("")).toContain("BEGIN AGE ENCRYPTED FILE");
      for (const text of [plan, ...written, ...printed])
        for (const secret of [first, second, third]) expect(text).not.toContain(secret);
    });
  });
});
