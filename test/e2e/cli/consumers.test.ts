/** What `tenancy token write` writes, read by what works with it. Covers src/cli/consumers. */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { handover } from "../../../src/cli/consumers/formats";
import { run } from "../../support/built-command";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

const TOKEN = {
  login: "csi@acme",
  name: "csi-prod",
  serial: "ATH4762194D0D9A5D3F1",
  secret: "1/a+b/CdEfGhIjKl%(x)s==",
  origin: "https://storage.example:8443",
  baseUrl: "https://storage.example:8443",
  refusedAt: null,
};

/** Where Go keeps what it downloads and builds; another HOME would have it download all of it again. */
const GO = {
  GOPATH: process.env["GOPATH"],
  GOPROXY: process.env["GOPROXY"],
  GOSUMDB: process.env["GOSUMDB"],
};

describeWith(["go"], "with Go", ({ go }) => {
  test("the types of Kubernetes' own clients read the Secret, strictly", async () => {
    await cp(join(__dirname, "kubernetes-secret"), folder(), { recursive: true });
    const given = Object.fromEntries(Object.entries(GO).filter(([, value]) => value !== undefined));
    const environment = { ...given, GOFLAGS: "-mod=mod" };
    const compiled = await run(go, ["build", "-o", "reader", "."], { folder: folder(), environment });
    if (compiled.code !== 0) throw new Error(compiled.stderr);
    const { text } = handover("kubernetes", TOKEN, { namespace: "storage", verifiesPeer: true });
    await writeFile(join(folder(), "secret.yaml"), text);
    const { stdout, stderr } = await run("sh", ["-c", "./reader < secret.yaml"], { folder: folder() });
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual([
      "v1 Secret storage csi-prod Opaque",
      `access-token ${TOKEN.secret}`,
      "api-url https://storage.example:8443/api",
      "ssl-verify-peer true",
    ]);
  });
});

describeWith(["python3"], "with Python", ({ python3 }) => {
  test("its reader of configuration files reads Cinder's section", async () => {
    const { text } = handover("cinder", TOKEN, { driver: "acme", verifiesPeer: true });
    await writeFile(join(folder(), "cinder.conf"), text);
    const program = [
      "import configparser, json",
      "parser = configparser.RawConfigParser()",
      "parser.read('cinder.conf')",
      "print(json.dumps({name: dict(parser[name]) for name in parser.sections()}))",
    ].join("\n");
    const { stdout, stderr } = await run(python3, ["-c", program], { folder: folder() });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      "csi-prod": {
        volume_backend_name: "csi-prod",
        acme_api_host: "storage.example",
        acme_api_port: "8443",
        acme_auth_scheme: "token",
        acme_auth_token: TOKEN.secret,
      },
    });
  });
});

test("a shell that reads the environment file has the token as it is", async () => {
  const secret = '1/ $HOME `id` "# =';
  await writeFile(
    join(folder(), "storage.env"),
    handover("env", { ...TOKEN, secret }, { verifiesPeer: true }).text,
  );
  const { stdout } = await run("sh", ["-c", '. ./storage.env; printf %s "$TENANCY_TOKEN"'], {
    folder: folder(),
  });
  expect(stdout).toBe(secret);
});
