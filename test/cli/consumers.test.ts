/** `tenancy token write`: covers src/cli/consumers and the verb. Also covers src/cli/named-files.ts. */
import { chmod, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { FORMATS, type Format, handover } from "../../src/cli/consumers/formats";
import { type Consumer, writeHandover } from "../../src/cli/consumers/handover";
import { filledTemplate } from "../../src/cli/consumers/template";
import type { Io } from "../../src/cli/io";
import { commandProjects, type CommandProject, tokens } from "../support/command";

const start = commandProjects();

const TOKEN = {
  login: "csi@acme",
  name: "csi-prod",
  serial: "ATH4762194D0D9A5D3F1",
  secret: "1/a+b/CdEfGhIjKl==",
  origin: "https://storage.example:8443",
  baseUrl: "https://storage.example:8443",
  refusedAt: null,
};
const VERIFYING: Consumer = { verifiesPeer: true };

const declared = tokens({ csi: "csi-prod", backup: "backup" });

async function applied(): Promise<Awaited<ReturnType<typeof start>>> {
  const project = await start();
  await project.declare({ prod: declared });
  expect((await project.tenancy(["apply", "--yes"])).stderr).not.toContain("Error");
  return project;
}

async function secretOf({ folder }: CommandProject, token = "csi-prod"): Promise<string> {
  const text = await readFile(join(folder, ".tenancy", "state.json"), "utf8");
  const { parts } = JSON.parse(text) as {
    parts: [{ tokens: { name: string; record: { access_token: string } }[] }];
  };
  return parts[0].tokens.find(({ name }) => name === token)!.record.access_token;
}

test("a token goes to standard output in the format that was asked for, and nothing besides", async () => {
  const project = await applied();
  const { code, stdout, stderr } = await project.tenancy(["token", "write", "csi-prod", "--as", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "synthesizing\n" });
  expect(JSON.parse(stdout)).toEqual({
    written_by: expect.stringContaining("tenancy token write") as string,
    base_url: project.service.baseUrl,
    api_url: `${project.service.baseUrl}/api`,
    access_token: await secretOf(project),
    ssl_verify_peer: true,
    login: "csi@acme",
    name: "csi-prod",
    serial: expect.stringMatching(/^ATH/) as string,
  });
});

test("a token that a run has found refused is written with a warning", async () => {
  const project = await applied();
  const file = join(project.folder, ".tenancy", "state.json");
  const state = JSON.parse(await readFile(file, "utf8")) as {
    parts: [{ tokens: { name: string; record: { serial: string }; refused?: object[] }[] }];
  };
  const entry = state.parts[0].tokens.find(({ name }) => name === "csi-prod")!;
  entry.refused = [{ serial: entry.record.serial, refused_at: "2026-01-02T03:04:05.678Z" }];
  await writeFile(file, JSON.stringify(state));
  const { code, stdout, stderr } = await project.tenancy(["token", "write", "csi-prod", "--as", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ serial: entry.record.serial });
  expect(stderr).toContain(`refuse csi@acme/csi-prod (${entry.record.serial}) at 2026-01-02T03:04:05.678Z`);
  const other = await project.tenancy(["token", "write", "backup", "--as", "json"]);
  expect(other.stderr).toBe("synthesizing\n");
});

test("what has to be restarted is said beside standard output, too, where it is known", async () => {
  const project = await applied();
  const told = async (format: string) =>
    (await project.tenancy(["token", "write", "csi-prod", "--as", format])).stderr;
  expect(await told("proxmox")).toContain("Restart pvedaemon and pvestatd on every node");
  expect(await told("cinder")).toContain("restart cinder-volume");
  expect(await told("kubernetes")).toContain("restart the pods that read it");
  expect(await told("env")).toBe("synthesizing\n");
});

test("neither credentials nor the network are needed", async () => {
  const project = await applied();
  project.service.clearRequests();
  const environment = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
  const { code } = await project.tenancy(["token", "write", "csi-prod", "--as", "env"], { environment });
  expect(code).toBe(0);
  expect(project.service.requests).toEqual([]);
});

test("a Secret of Kubernetes holds the three members as base64, always in one order", () => {
  const { text, afterwards } = handover("kubernetes", TOKEN, { ...VERIFYING, namespace: "storage" });
  expect(text.startsWith("# Written by `tenancy token write`")).toBe(true);
  expect(parse(text)).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "csi-prod", namespace: "storage" },
    type: "Opaque",
    data: {
      "api-url": Buffer.from("https://storage.example:8443/api").toString("base64"),
      "access-token": Buffer.from(TOKEN.secret).toString("base64"),
      "ssl-verify-peer": Buffer.from("true").toString("base64"),
    },
  });
  expect(Object.keys((parse(text) as { data: object }).data)).toEqual([
    "api-url",
    "access-token",
    "ssl-verify-peer",
  ]);
  expect(afterwards).toContain("--server-side");
});

test("Proxmox gets one section of storage.cfg", () => {
  expect(
    handover("proxmox", TOKEN, { ...VERIFYING, driver: "acmeblock" })
      .text.split("\n")
      .slice(1),
  ).toEqual([
    "acmeblock: csi-prod",
    "\tapi_url https://storage.example:8443/api",
    "\tauth_token 1/a+b/CdEfGhIjKl==",
    "\tssl_verify_peer 1",
    "",
  ]);
});

test("Cinder gets one backend section", () => {
  expect(
    handover("cinder", TOKEN, { ...VERIFYING, driver: "acme", name: "fast" })
      .text.split("\n")
      .slice(1),
  ).toEqual([
    "[fast]",
    "volume_backend_name = fast",
    "acme_api_host = storage.example",
    "acme_api_port = 8443",
    "acme_auth_scheme = token",
    "acme_auth_token = 1/a+b/CdEfGhIjKl==",
    "",
  ]);
});

test("environment files are read as what was written, whatever the token holds", () => {
  expect(parseEnv(handover("docker", TOKEN, VERIFYING).text)).toEqual({
    API_HOST: "storage.example:8443",
    API_KEY: TOKEN.secret,
  });
  const secret = "1/ with $HOME # and spaces";
  expect(parseEnv(handover("env", { ...TOKEN, secret }, VERIFYING).text)).toEqual({
    TENANCY_BASE_URL: TOKEN.baseUrl,
    TENANCY_TOKEN: secret,
  });
  for (const format of ["docker", "proxmox", "cinder"] as const)
    expect(() => handover(format, { ...TOKEN, secret }, VERIFYING)).toThrow("cannot hold this token");
  expect(() => handover("env", { ...TOKEN, secret: "it's" }, VERIFYING)).toThrow("cannot hold this token");
});

test("certificates are verified unless somebody asks otherwise, where the format can say so", () => {
  const lax: Consumer = { verifiesPeer: false };
  expect(handover("proxmox", TOKEN, lax).text).toContain("ssl_verify_peer 0");
  expect(handover("kubernetes", TOKEN, lax).text).toContain(Buffer.from("false").toString("base64"));
  for (const format of ["cinder", "docker", "env"] as const)
    expect(() => handover(format, TOKEN, lax)).toThrow("no setting for the verification of certificates");
});

test.each<[Format, Partial<Consumer>, string]>([
  ["kubernetes", { name: "Csi_Prod" }, 'no Secret named "Csi_Prod"'],
  ["kubernetes", { name: "csi..prod" }, 'no Secret named "csi..prod"'],
  ["kubernetes", { name: "csi-.prod" }, 'no Secret named "csi-.prod"'],
  ["kubernetes", { namespace: "a b" }, 'no namespace named "a b"'],
  ["kubernetes", { namespace: "a.b" }, 'no namespace named "a.b"'],
  ["kubernetes", { namespace: "x".repeat(64) }, "no namespace named"],
  ["proxmox", { name: "1st" }, 'no storage named "1st"'],
  ["cinder", { name: "a]\n[b" }, "no backend named"],
  ["cinder", { name: "DEFAULT" }, 'no backend named "DEFAULT"'],
  ["proxmox", { driver: "a: b" }, "no name of a driver"],
  ["docker", { name: "x" }, "--as docker takes no --name"],
  ["env", { namespace: "x" }, "--as env takes no --namespace"],
])("%s does not take %j", (format, consumer, message) => {
  expect(() => handover(format, TOKEN, { ...VERIFYING, ...consumer })).toThrow(message);
});

test.each(FORMATS)("names with line breaks in them add no line to %s", (format) => {
  const odd = { ...TOKEN, login: "a\nAPI_KEY=x@\u2028acme\u0085", name: "b\r\n[section]\u2029\u202e\u007f" };
  const { text } = handover(format, odd, TAKES_NAME.has(format) ? { ...VERIFYING, name: "fine" } : VERIFYING);
  // Where YAML ends a line, too.
  const lines = (one: string) => one.split(format === "json" ? /[\r\n]/ : /[\r\n\u0085\u2028\u2029]/).length;
  expect(lines(text)).toBe(lines(handover(format, TOKEN, VERIFYING).text));
});
const TAKES_NAME: ReadonlySet<string> = new Set(["kubernetes", "proxmox", "cinder"]);

describe("a template", () => {
  const filled = (template: string) => filledTemplate("t.txt", template, TOKEN, VERIFYING).text;

  test("is filled in, with filters and with texts that stand for themselves", () => {
    expect(filled('# {{ marker }}\n{{access_token | json}} {{ name | base64 }} {{ "{{" }} {{ host }}')).toBe(
      `# Written by \`tenancy token write\`: ${TOKEN.origin} "csi@acme/csi-prod"\n"${TOKEN.secret}" Y3NpLXByb2Q= {{ storage.example:8443`,
    );
  });

  test("that asks for what nobody knows is refused, with what was meant", () => {
    expect(() => filled("{{ acces_token }}")).toThrow('t.txt: "{{ acces_token }}" is no placeholder');
    expect(() => filled("{{ constructor }}")).toThrow("is no placeholder");
    expect(() => filled("{{ name | bas64 }}")).toThrow("is no filter");
    expect(() => filled("{{ name | toString }}")).toThrow("is no filter");
  });
});

describe("a file", () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "consumers-"))));
  afterEach(() => rm(folder, { recursive: true }));
  const write = (project: CommandProject, file: string, ...words: readonly string[]) =>
    project.tenancy([
      "token",
      "write",
      "csi-prod",
      "--to",
      file,
      ...(words.length > 0 ? words : ["--as", "docker"]),
    ]);

  test("is readable by its owner alone, and is left alone while nothing changes", async () => {
    const project = await applied();
    const file = join(folder, "storage.env");
    const first = await write(project, file);
    expect(first.stderr).toContain("Create the containers that use it");
    expect(first.stdout).toBe("");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await utimes(file, 1, 1);
    expect((await write(project, file)).stderr).toContain("holds csi@acme/csi-prod");
    expect((await stat(file)).mtimeMs).toBe(1_000);
  });

  test("follows a rotation", async () => {
    const project = await applied();
    const file = join(folder, "storage.env");
    await write(project, file);
    await project.tenancy(["token", "rotate", "csi-prod", "--yes"]);
    await chmod(file, 0o644);
    expect((await write(project, file)).code).toBe(0);
    expect(parseEnv(await readFile(file, "utf8"))["API_KEY"]).toBe(await secretOf(project));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("that somebody else made, or that holds another token, is never overwritten", async () => {
    const project = await applied();
    const file = join(folder, "storage.env");
    await writeFile(file, "API_KEY=mine\n");
    expect(await write(project, file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("was not written by `tenancy token write`") as string,
    });
    expect(await readFile(file, "utf8")).toBe("API_KEY=mine\n");

    const other = join(folder, "backup.json");
    await project.tenancy(["token", "write", "backup", "--as", "json", "--to", other]);
    const refused = await write(project, other, "--as", "json");
    expect(refused.stderr).toContain("was written for another token");
    expect(await readFile(other, "utf8")).toContain(await secretOf(project, "backup"));
  });

  test("of a token with the same names at another port of that host is never overwritten", async () => {
    const file = "storage.env";
    const io = { folder } as Io;
    for (const format of ["docker", "json"] as const) {
      const first = handover(format, TOKEN, VERIFYING);
      const second = { ...TOKEN, origin: "https://storage.example", baseUrl: "https://storage.example" };
      expect(await writeHandover(file, first, io)).toBe(true);
      await expect(writeHandover(file, handover(format, second, VERIFYING), io)).rejects.toThrow(
        "was written for another token",
      );
      expect(await readFile(join(folder, file), "utf8")).toBe(first.text);
      await rm(join(folder, file));
    }
  });

  test("that is a link to another one is refused", async () => {
    const project = await applied();
    const file = join(folder, "link.env");
    await write(project, join(folder, "storage.env"));
    await symlink(join(folder, "storage.env"), file);
    expect((await write(project, file)).code).toBe(1);
  });

  test("made of a template is replaced only where the template names its writer", async () => {
    const project = await applied();
    const [file, template] = [join(folder, "out.txt"), join(folder, "template.txt")];
    await writeFile(template, "key={{ access_token }}\n");
    expect((await write(project, file, "--template", template)).code).toBe(0);
    expect((await write(project, file, "--template", template)).stderr).toContain("already");
    await writeFile(template, "# new\nkey={{ access_token }}\n");
    expect((await write(project, file, "--template", template)).stderr).toContain("{{ marker }}");
    await rm(file);
    await writeFile(template, "# {{ marker }}\nkey={{ access_token }}\n");
    expect((await write(project, file, "--template", template)).code).toBe(0);
    await writeFile(template, "; {{ marker }}\nkey={{ access_token }}\n");
    expect((await write(project, file, "--template", template)).stderr).toContain("Wrote");
  });

  test("that cannot be written is an error that names it as it was typed, and says why", async () => {
    const project = await applied();
    const { code, stderr } = await write(project, "absent/storage.env");
    expect(code).toBe(1);
    expect(stderr).toContain("Error TENANCY_FILE_UNUSABLE: absent/storage.env: its folder does not exist");
    expect(stderr).not.toContain(await secretOf(project));
    const long = "x".repeat(300);
    expect((await write(project, long)).stderr).toContain(`Error TENANCY_FILE_UNUSABLE: ${long}: cannot be`);
  });

  test("of a template that is not there is an error that says so", async () => {
    const project = await applied();
    const { stderr } = await write(project, "storage.env", "--template", "absent.txt");
    expect(stderr).toContain("Error TENANCY_FILE_UNUSABLE: absent.txt: there is no such file");
  });
});

test("what is missing or misspelt is said before anything is read", async () => {
  const project = await start({ service: false });
  expect((await project.tenancy(["token", "write", "csi-prod"])).stderr).toContain("--as kubernetes|proxmox");
  expect((await project.tenancy(["token", "write", "csi-prod", "--as", "kubernets"])).stderr).toContain(
    "Did you mean kubernetes?",
  );
});

test("a token that the state does not hold is named, with what it holds", async () => {
  const project = await applied();
  const { code, stderr } = await project.tenancy(["token", "write", "csi-prd", "--as", "env"]);
  expect(code).toBe(1);
  expect(stderr).toContain("TENANCY_UNKNOWN_NAME");
  expect(stderr).toContain('Did you mean "csi-prod"?');
});
