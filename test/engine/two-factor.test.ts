/** Log-ins with one-time passwords: covers src/api/session.ts in whole runs. */
import { Secret as SharedSecret, TOTP } from "otpauth";
import { TerraformVariable } from "cdktf";
import { Account, Authorization, Permissions, Secret, Tenant } from "tenancy";
import { RIGHTS } from "../../src/service/rights";
import { actions, findings, projects, writes, type Build, type Project } from "../support/projects";

const start = projects();
const build: Build = (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} });

/** A secret of its own for each test: this process spends each code once. */
async function withTwoFactors(hex: string): Promise<{ project: Project; totp: TOTP }> {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "ops", password: "password" });
  const rights = Object.fromEntries(RIGHTS.realm.map((right) => [right, true]));
  records.createProfile("ops", {
    username: "deployer",
    password: "password",
    permissions: { realm: { rights } },
    two_factor: { auth: "google", secret: hex },
  });
  return { project, totp: new TOTP({ secret: SharedSecret.fromHex(hex) }) };
}

const as = (second: Record<string, string>) => ({
  environment: { TENANCY_USERNAME: "deployer@ops", TENANCY_PASSWORD: "password", ...second },
});

const logIns = ({ service }: Project) => service.requests.filter(({ path }) => path === "/api/oauth2/token");

test("a one-time password that is given serves the whole run, plan and apply", async () => {
  const { project, totp } = await withTwoFactors("31323334353637383930");
  const otp = totp.generate();
  const { plan } = await project.apply(build, as({ TENANCY_OTP: otp }));
  expect(actions(plan)).toEqual(["create tenancy_account.acme"]);
  expect(plan.targets[0]?.caller).toBe("deployer@ops");
  expect(logIns(project).map(({ status }) => status)).toEqual([201]);

  const again = await findings(project.plan(build, as({ TENANCY_OTP: otp })));
  expect(again.map(({ summary }) => summary)).toEqual([expect.stringContaining("this one-time password")]);
});

test("one-time passwords are computed from a secret, base32 as authenticators show it", async () => {
  const { project, totp } = await withTwoFactors("41424344454647484950");
  await project.apply(build, as({ TENANCY_TOTP_SECRET: totp.secret.base32 }));
  expect(project.service.records.account("acme").name).toBe("acme");
  expect(logIns(project).map(({ status }) => status)).toEqual([201]);
});

test("an address as authenticators scan it is a secret, too", async () => {
  const { project, totp } = await withTwoFactors("51525354555657585960");
  await project.apply(build, as({ TENANCY_TOTP_SECRET: totp.toString() }));
  expect(project.service.records.account("acme").name).toBe("acme");
});

test("without a code the run says what it needs, and with a wrong one that it is wrong; nothing is written", async () => {
  const { project } = await withTwoFactors("61626364656667686970");
  const missing = await findings(project.plan(build, as({})));
  expect(missing).toMatchObject([{ code: "TENANCY_OTP_REQUIRED" }]);
  expect(missing[0]?.advice).toContain("TENANCY_TOTP_SECRET");
  expect(await findings(project.plan(build, as({ TENANCY_OTP: "000000" })))).toMatchObject([
    { code: "TENANCY_OTP_REQUIRED", summary: expect.stringContaining("this one-time password") as string },
  ]);
  expect(writes(project.service.requests)).toEqual([]);
});

test("a shared secret is declared as authenticators show it, and sent as the service takes it", async () => {
  const project = await start();
  const declared =
    (version: number): Build =>
    (stack) => {
      const twoFactor = { auth: "google" as const, secret: Secret.variable("shared", { version }) };
      const users = { jane: { permissions: Permissions.none(), twoFactor } };
      new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
    };
  const sent = async (version: number, shared: string): Promise<unknown> => {
    const { requests } = await project.apply(declared(version), { environment: { TF_VAR_shared: shared } });
    const writes = requests.filter(
      ({ method, path }) => method !== "GET" && path.startsWith("/api/user-profile"),
    );
    return writes.map(({ body }) => (body as { two_factor: { secret: string } }).two_factor.secret);
  };
  expect(await sent(1, "gezd gnbv gy3t qojq")).toEqual(["31323334353637383930"]);
  expect(await sent(2, "ABCDEF22")).toEqual(["ABCDEF22"]);
  const refused = findings(project.plan(declared(3), { environment: { TF_VAR_shared: "not a secret!" } }));
  expect(await refused).toMatchObject([
    { summary: "must be hexadecimal characters, or base32 as authenticators show it" },
  ]);
});

test("the run's own user gets a token through its session, also where its password is declared beside the codes", async () => {
  const { project, totp } = await withTwoFactors("71727374757677787970");
  const environment = { TENANCY_TOTP_SECRET: totp.secret.base32, TF_VAR_own: "password" };
  const build: Build = (stack) => {
    const own = new TerraformVariable(stack, "own", { type: "string", sensitive: true });
    new Authorization(stack, "ci", { login: "deployer@ops", name: "ci", passwordWo: own.stringValue });
  };
  await project.apply(build, { ...as(environment), initState: true });
  expect(project.service.records.authorizations).toHaveLength(1);
  expect(logIns(project).map(({ status }) => status)).toEqual([201]);
});
