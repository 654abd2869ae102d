/** The same canaries with Terraform: its traces, its plans, its states. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../../package.json";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { EchoingService, MOODS } from "../../support/canaries/echoing-service";
import { CONFIGURED, UNASKED } from "../../support/canaries/secrets";
import { Watch } from "../../support/canaries/watch";
import { withEachEngine } from "../../support/terraform/engines";
import { installProvider } from "../../support/terraform/install-provider";
import { TerraformWorkspace } from "../../support/terraform/workspace";

const root = resolve(__dirname, "../../..");

withEachEngine((engine) => {
  let simulator: Simulator;
  let service: EchoingService;
  let workspace: TerraformWorkspace;
  beforeEach(async () => {
    simulator = await startSimulator({
      systemUser: { password: CONFIGURED["provider.password"] },
      contacts: "full",
    });
    service = await EchoingService.open(simulator.baseUrl);
    workspace = await TerraformWorkspace.create(engine.program);
    await installProvider(workspace.home, {
      source: "tenancy/tenancy",
      version,
      main: join(root, "src/provider/main.ts"),
      registry: engine.registry,
    });
  });
  afterEach(async () => {
    await workspace.remove();
    await service.close();
    await simulator.close();
  });

  const secrets = () => [...Object.values(CONFIGURED), UNASKED, ...service.tokens];

  const variables = {
    acme: CONFIGURED["account.password_wo"],
    jane: CONFIGURED["user_profile.password_wo"],
    otp: CONFIGURED["user_profile.two_factor_otp_wo"],
    secret: CONFIGURED["user_profile.two_factor_secret_wo"],
    private_id: CONFIGURED["user_profile.two_factor_private_id_wo"],
    csi: CONFIGURED["authorization.password_wo"],
    session_otp: CONFIGURED["session_token.otp"],
  };

  const configuration = (version: number) => `
    terraform {
      required_providers {
        tenancy = { source = "tenancy/tenancy" }
      }
    }
    provider "tenancy" {
      owner       = "canaries"
      retry_timeout = "0s"
    }
    ${Object.keys(variables)
      .map((name) => `variable "${name}" {\n type = string\n ephemeral = true\n}`)
      .join("\n")}
    resource "tenancy_account" "acme" {
      name                = "acme"
      password_wo         = var.acme
      password_wo_version = ${version}
      deletion_protection = false
    }
    resource "tenancy_user_profile" "jane" {
      account_id          = tenancy_account.acme.id
      username            = "jane"
      password_wo         = var.jane
      password_wo_version = ${version}

      two_factor_auth                  = "yubikey"
      two_factor_otp_wo                = var.otp
      two_factor_otp_wo_version        = ${version}
      two_factor_secret_wo             = var.secret
      two_factor_secret_wo_version     = ${version}
      two_factor_private_id_wo         = var.private_id
      two_factor_private_id_wo_version = ${version}
    }
    resource "tenancy_user_profile" "csi" {
      account_id          = tenancy_account.acme.id
      username            = "csi"
      password_wo         = var.csi
      password_wo_version = ${version}
    }
    resource "tenancy_authorization" "csi" {
      login       = tenancy_user_profile.csi.login
      name        = "csi"
      password_wo = var.csi
      keepers     = { version = "${version}" }
    }
    ephemeral "tenancy_session_token" "csi" {
      username = tenancy_user_profile.csi.login
      password = var.csi
      otp      = var.session_otp
    }`;

  test("traces, plans and states hold no secret but the tokens that are to be kept", async () => {
    const watch = new Watch();
    const environment = {
      TENANCY_BASE_URL: service.baseUrl,
      TENANCY_USERNAME: "system",
      TENANCY_PASSWORD: CONFIGURED["provider.password"],
      TENANCY_TOTP_SECRET: CONFIGURED["provider.totp_secret"],
      TF_LOG: "TRACE",
      TF_LOG_PATH: "log",
      ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
    };
    const run = async (words: string) => {
      const ended = await workspace.run(words.split(" "), { environment });
      watch.see(`${words} (service ${service.mood})`, ended.stdout + ended.stderr);
      return ended;
    };
    const succeed = async (words: string) => {
      const { code, stdout, stderr } = await run(words);
      if (code !== 0) throw new Error(`${words} ended with ${code}:\n${stdout}\n${stderr}`);
    };
    await workspace.configure(configuration(1));
    await succeed("init");
    await succeed("apply -auto-approve");
    await workspace.configure(configuration(2));
    await succeed("plan -out=planned");
    await succeed("show planned");
    await succeed("apply planned");
    await succeed("show");
    await workspace.configure(configuration(3));
    for (const mood of MOODS) {
      if (mood === "well") continue;
      service.mood = mood;
      await run("apply -auto-approve");
    }
    service.mood = "well";
    await run("apply -auto-approve");
    const log = await readFile(join(workspace.folder, "log"), "latin1");
    expect(log).toContain("plugin process exited");
    watch.see("the log", log);
    expect(watch.find(secrets())).toEqual([]);

    const files = new Watch();
    files.seeFolder(workspace.folder, (path) => path.endsWith(".tf"));
    const kept = [...service.tokens].filter((token) => token.startsWith("1/"));
    expect(files.find(secrets().filter((secret) => !kept.includes(secret)))).toEqual([]);
  });
});
