/** A secret in every place that holds one, and then everything that can be seen of runs that go well and of runs that don't. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Secret } from "otpauth";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { built, tenancy, type Ended } from "../support/built-command";
import { EchoingService, MOODS } from "../support/canaries/echoing-service";
import {
  CONFIGURED,
  MADE,
  secretAttributes,
  SNAPSHOT_KEY,
  STATE_KEY,
  UNASKED,
  VARIABLE,
} from "../support/canaries/secrets";
import { holds } from "../support/canaries/spellings";
import { Watch } from "../support/canaries/watch";
import { CommandProject } from "../support/command";
import { stateKey } from "../support/state-key";

const root = resolve(__dirname, "../..");
const helper = join(root, "test/support/folder-helper.mjs");

let simulator: Simulator;
let service: EchoingService;
beforeEach(async () => {
  simulator = await startSimulator({
    systemUser: { password: CONFIGURED["provider.password"] },
    contacts: "full",
  });
  service = await EchoingService.open(simulator.baseUrl);
});
afterEach(async () => {
  await service.close();
  await simulator.close();
});

/** A program notes what it is given, and what everybody can see of all that runs. */
const NOTED = `
const { execFileSync } = require("node:child_process");
const { appendFileSync } = require("node:fs");
const { join } = require("node:path");
const running = execFileSync("ps", ["-A", "-ww", "-o", "args"], { encoding: "utf8" });
appendFileSync(join(__dirname, "processes.log"), JSON.stringify([process.argv, process.env]) + running);
`;

/** Stacks in which a secret stands where it would be told: in messages of conditions, keys, names that nothing has, settings. */
function misplaced(variables: Readonly<Record<string, string>>): readonly object[] {
  const base = {
    provider: { tenancy: [{ retry_timeout: "0s" }] },
    variable: Object.fromEntries(
      Object.keys(variables).map((name) => [name, { type: "string", sensitive: true }]),
    ),
  };
  const account = (more: object) => ({
    ...base,
    resource: { tenancy_account: { acme: { name: "acme", permissions: {}, ...more } } },
  });
  const failing = [{ condition: "${1 > 2}", error_message: "not ${var.note} nor ${var.jane}" }];
  return [
    { ...base, variable: { ...base.variable, other: { type: "string", default: "", validation: failing } } },
    account({ lifecycle: { precondition: failing } }),
    account({ lifecycle: { postcondition: failing } }),
    account({ permissions: { "${var.note}": true } }),
    account({ primary_contact: { "${var.note}": "x" } }),
    account({ "${var.note}": "x" }),
    account({ for_each: "${toset([var.note])}" }),
    { ...account({}), import: [{ to: "tenancy_account.acme", id: "${var.note}" }] },
    { ...base, locals: { a: "${{a = 1}[var.note]}", b: "${{for k in [var.jane, var.jane] : k => 1}}" } },
    { ...base, data: { tenancy_account: { d: { name: "${var.note}" } } } },
    { ...base, data: { tenancy_user_profile: { d: { login: "${var.note}@${var.note}" } } } },
    { ...base, provider: { tenancy: [{ base_url: "https://${var.note}.invalid", owner: "${var.note}" }] } },
  ];
}

/** All that may be seen nowhere, the secrets that the service has made so far included. */
const secrets = (): readonly string[] => [
  ...Object.values(CONFIGURED),
  STATE_KEY,
  SNAPSHOT_KEY,
  VARIABLE,
  UNASKED,
  ...service.tokens,
];

test("every attribute that is a secret has a canary", () => {
  expect([...Object.keys(CONFIGURED), ...MADE].sort()).toEqual([...secretAttributes()].sort());
});

describe("the command", () => {
  let project: CommandProject;
  let watch: Watch;
  beforeAll(() => built());
  beforeEach(async () => {
    watch = new Watch();
    project = new CommandProject(await mkdtemp(join(tmpdir(), "canaries-")));
    await mkdir(join(project.folder, "home"));
    await project.write("noted.cjs", NOTED);
    await project.write("helper.mjs", `import "./noted.cjs";\nawait import(${JSON.stringify(helper)});\n`);
  });
  afterEach(() => rm(project.folder, { recursive: true, force: true }));

  const variables = {
    acme: CONFIGURED["account.password_wo"],
    jane: CONFIGURED["user_profile.password_wo"],
    otp: CONFIGURED["user_profile.two_factor_otp_wo"],
    secret: CONFIGURED["user_profile.two_factor_secret_wo"],
    private_id: CONFIGURED["user_profile.two_factor_private_id_wo"],
    csi: CONFIGURED["authorization.password_wo"],
    note: VARIABLE,
  };

  /** @param version of all secrets: another one sends all of them again */
  async function declare(version: number): Promise<void> {
    const wo = (name: string, variable: string) => ({
      [`${name}_wo`]: `\${var.${variable}}`,
      [`${name}_wo_version`]: version,
    });
    await project.declare({
      prod: {
        provider: { tenancy: [{ retry_timeout: "0s", request_timeout: "20s" }] },
        variable: Object.fromEntries(
          Object.keys(variables).map((name) => [name, { type: "string", sensitive: true }]),
        ),
        resource: {
          tenancy_account: {
            acme: { name: "acme", ...wo("password", "acme") },
          },
          tenancy_user_profile: {
            jane: {
              account_id: "${tenancy_account.acme.id}",
              username: "jane",
              sms: "+15550123456",
              ...wo("password", "jane"),
              two_factor_auth: "yubikey",
              ...wo("two_factor_otp", "otp"),
              ...wo("two_factor_secret", "secret"),
              ...wo("two_factor_private_id", "private_id"),
            },
            csi: { account_id: "${tenancy_account.acme.id}", username: "csi", ...wo("password", "csi") },
          },
          tenancy_authorization: {
            csi: {
              login: "${tenancy_user_profile.csi.login}",
              name: "csi",
              password_wo: "${var.csi}",
              keepers: { version: String(version), note: "${var.note}" },
            },
          },
        },
        output: { token: { value: "${tenancy_authorization.csi.access_token}", sensitive: true } },
      },
    });
    await project.write("cdktf.json", { language: "typescript", app: "node noted.cjs && sh app.sh" });
  }

  const environment = {
    TENANCY_USERNAME: "system",
    TENANCY_PASSWORD: CONFIGURED["provider.password"],
    TENANCY_TOTP_SECRET: CONFIGURED["provider.totp_secret"],
    TENANCY_OWNER: "canaries",
    TENANCY_STATE_KEY: STATE_KEY,
    TENANCY_SNAPSHOT_KEY: SNAPSHOT_KEY,
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
  };

  /** Runs the command, and looks at all that it prints. */
  async function run(
    words: string,
    changed: Readonly<Record<string, string | undefined>> = {},
    ...more: readonly string[]
  ): Promise<Ended> {
    demandCode();
    const home = join(project.folder, "home");
    const ended = await tenancy([...words.split(" "), ...more], {
      folder: project.folder,
      environment: {
        HOME: home,
        TMPDIR: home,
        TENANCY_BASE_URL: service.baseUrl,
        ...environment,
        ...changed,
      },
    });
    watch.see(`${words} (service ${service.mood})`, ended.stdout + ended.stderr);
    return ended;
  }

  async function succeed(words: string): Promise<void> {
    const { code, stdout, stderr } = await run(words);
    if (code !== 0) throw new Error(`tenancy ${words} ended with ${code}:\n${stdout}\n${stderr}`);
  }

  /**
   * Two factors, and no code is spent: each run makes the same one within half a minute. Not where it has to log in a second time: it
   * would wait for the next one.
   */
  function demandCode(): void {
    const auth = service.mood === "forgets the session" ? "none" : "google";
    const { hex } = Secret.fromBase32(CONFIGURED["provider.totp_secret"]);
    for (const secret of ["00", hex])
      simulator.records.patchProfile("system", { two_factor: { auth, secret } });
  }

  /** What lies about afterwards, what the programs saw that the runs started, and what ran meanwhile. */
  function nothingIsSeen(): void {
    watch.seeFolder(project.folder);
    expect(watch.find(secrets())).toEqual([]);
  }

  test("shows no secret while all goes well", async () => {
    await declare(1);
    await succeed("validate");
    await succeed("plan --json");
    await succeed("plan --out planned");
    await succeed("apply planned");
    await succeed("doctor");
    await succeed("token list");
    await succeed("token list --json");
    await succeed("output");
    await declare(2);
    await succeed("plan --all --html page.html --markdown comment.md --out planned");
    await succeed("show planned --all --html shown.html");
    await succeed("approve planned --yes --require-approval access");
    await succeed("apply --yes --json");
    await declare(3);
    await succeed("apply --yes --retire-early");
    await succeed("token rotate csi --yes --retire-early");
    await succeed("token rotate csi --compromised --yes");
    await succeed("token revoke csi --yes");
    for (const words of ["drift --json --html drift.html --metrics drift.prom", "drift --markdown drift.md"])
      expect((await run(words)).code).toBe(3);
    await succeed("snapshot --full --usage --out live.json");
    await succeed("plan --json --from-snapshot live.json --html live.html");
    await succeed("report --json --html report.html");
    await succeed("report --csv --markdown report.md");
    // The project declares all of it, so there is nothing to be written in TypeScript. HCL is for a module of its own.
    await succeed("export --out tenants");
    await succeed("export --language hcl --out tenants");
    const exported = new Watch();
    exported.seeFolder(join(project.folder, "tenants"));
    expect(exported.find(secrets())).toEqual([]);
    await rm(join(project.folder, "tenants"), { recursive: true });
    await succeed("destroy --yes --allow-account-deletion --max-deletes 9");

    const sent = service.told.join("\n");
    const unsent = ["provider.token", "provider.otp", "provider.totp_secret", "session_token.otp"];
    for (const [place, secret] of Object.entries(CONFIGURED))
      expect([place, holds(sent, secret)]).toEqual([place, !unsent.includes(place)]);
    expect(service.tokens.size).toBeGreaterThan(10);
    nothingIsSeen();
  });

  test("shows no secret whatever the service says", async () => {
    await declare(1);
    await succeed("apply --yes");
    await declare(2);
    for (const mood of MOODS) {
      if (mood === "well") continue;
      service.mood = mood;
      await run("apply --yes");
      await run("apply --yes --json");
      await run("doctor");
    }
    service.mood = "refuses with the request";
    await run("token rotate csi --compromised --yes");
    nothingIsSeen();
  });

  test("shows no secret that is wrong, or in the wrong place", async () => {
    await declare(1);
    const wrong = `wrong ${CONFIGURED["provider.password"]}`;
    await run("plan", { TENANCY_PASSWORD: wrong });
    await run("doctor", { TENANCY_PASSWORD: wrong });
    await run("plan", { TENANCY_TOTP_SECRET: `!${CONFIGURED["provider.totp_secret"]}` });
    await run("plan", { TENANCY_TOTP_SECRET: `otpauth://totp/${CONFIGURED["provider.totp_secret"]}` });
    await run("plan", { TENANCY_TOTP_SECRET: undefined, TENANCY_OTP: CONFIGURED["provider.otp"] });
    const token = {
      TENANCY_USERNAME: undefined,
      TENANCY_PASSWORD: undefined,
      TENANCY_TOTP_SECRET: undefined,
    };
    await run("plan", { ...token, TENANCY_TOKEN: CONFIGURED["provider.token"] });
    await run("plan", { ...token, TENANCY_TOKEN: `\u001b\n${CONFIGURED["provider.token"]}` });
    await run("plan", { TENANCY_TOKEN: CONFIGURED["provider.token"] });
    const address = `://system:${encodeURIComponent(CONFIGURED["provider.password"])}@127.0.0.1:1`;
    // The app would see these addresses.
    await run("synth");
    await run("plan --skip-synth", { TENANCY_BASE_URL: `https${address}` });
    await run("plan --skip-synth", {
      TENANCY_BASE_URL: "https://127.0.0.1:2",
      HTTPS_PROXY: `http${address}`,
    });
    await run("plan --skip-synth", { TENANCY_BASE_URL: `nonsense${address} ` });
    await run("plan", { TF_VAR_secret: `not hexadecimal: ${variables.secret}` });
    await run("plan", { TF_VAR_csi: variables.csi.repeat(9) });
    await project.declare({
      prod: {
        provider: { tenancy: [{ password: CONFIGURED["provider.password"] }] },
        variable: {
          csi: { type: "number", sensitive: true },
          jane: {
            type: "string",
            sensitive: true,
            validation: [{ condition: "${length(var.jane) > 900}", error_message: "Too short." }],
          },
          acme: { type: "string", sensitive: true },
        },
        resource: {
          tenancy_account: { acme: { name: "${parseint(var.acme, 10)}", level: "${var.acme}" } },
        },
        output: { open: { value: "${var.acme}" } },
      },
    });
    await run("validate");
    await run("plan");
    await run("plan --json");
    for (const wrongly of misplaced(variables)) {
      await project.declare({ prod: wrongly });
      await run("validate");
      await run("plan --markdown comment.md");
      await run("apply --yes --json");
    }
    await declare(1);
    await succeed("apply --yes");
    await run("plan", { TENANCY_STATE_KEY: stateKey("canary-another-key") });
    nothingIsSeen();
  });

  test("a helper, which is told every token, shows none and is told nothing else", async () => {
    const vault = await mkdtemp(join(tmpdir(), "vault-"));
    const withHelper = (words: string, mood = "") =>
      run(
        words,
        { TENANCY_STATE_KEY: undefined },
        "--credential-helper",
        `'${process.execPath}' '${project.folder}/helper.mjs' '${vault}' ${mood}`,
      );
    try {
      await declare(1);
      const { code } = await withHelper("apply --yes");
      expect(code).toBe(0);
      expect(await readFile(join(vault, "calls.log"), "utf8")).toContain([...service.tokens].at(-1));
      await declare(2);
      await withHelper("apply --yes", "leaks-on-state");
      await withHelper("plan", "leaks-on-get");
      await withHelper("plan", "fails");
      await withHelper("apply --yes --json");
      const noted = await readFile(join(project.folder, "processes.log"), "utf8");
      expect(noted).toContain("helper.mjs");
      nothingIsSeen();
    } finally {
      await rm(vault, { recursive: true, force: true });
    }
  });
});
