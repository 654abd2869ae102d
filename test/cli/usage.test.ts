/**
 * The help, the version, `explain` and mistyped command lines: covers src/cli/mistyped.ts, program.ts, main.ts, io.ts, options.ts,
 * src/cli/verbs/explain.ts and index.ts.
 */
import { makeProgram } from "../../src/cli/program";
import { commandProjects } from "../support/command";

const start = commandProjects();

test("the help lists every verb on stdout", async () => {
  const project = await start({ service: false });
  const { code, stdout, stderr } = await project.tenancy(["--help"]);
  expect(code).toBe(0);
  expect(stderr).toBe("");
  for (const verb of [
    "init",
    "plan",
    "apply",
    "destroy",
    "approve",
    "output",
    "validate",
    "drift",
    "snapshot",
    "report",
    "doctor",
    "token",
    "plugin",
    "export",
    "simulator",
    "completion",
    "explain",
    "show",
  ]) {
    expect(stdout).toMatch(new RegExp(`^  ${verb} +\\S`, "m"));
  }
});

test.each(["plan", "apply", "drift", "report"])(
  "the help of %s lists what is shown and written before variables and the state",
  async (verb) => {
    const project = await start({ service: false });
    const { stdout } = await project.tenancy([verb, "--help"]);
    const [own = "", others = ""] = stdout.split("\nInput:\n");
    const shown = verb === "apply" ? ["--all "] : ["--all ", "--markdown ", "--html "];
    for (const option of shown) expect(own).toContain(`\n  ${option}`);
    expect(others).not.toMatch(/\n {2}--(?:all|json|markdown|html) /);
  },
);

describe("the help of each verb", () => {
  const program = makeProgram(
    async () => undefined,
    () => undefined,
  );
  const verbs = program.commands.flatMap((verb): readonly string[] =>
    verb.commands.length > 0
      ? verb.commands.map((one) => `${verb.name()} ${one.name()}`)
      : verb.summary() === ""
        ? []
        : [verb.name()],
  );

  test.each(verbs)("ends with an example that can be typed: %s", async (verb) => {
    const project = await start({ service: false });
    const { stdout } = await project.tenancy([...verb.split(" "), "--help"]);
    const [, line = ""] = /\nExample:\n {2}(.*)\n*$/.exec(stdout) ?? [];
    const [, command = ""] = /\btenancy ([^|)]*)/.exec(line) ?? [];
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    const calls: string[] = [];
    const parser = makeProgram(
      async (name) => void calls.push(name),
      () => undefined,
    );
    await parser.parseAsync(words, { from: "user" });
    expect(calls).toEqual([verb]);
  });

  test("names the variables of the environment that it reads", async () => {
    const project = await start({ service: false });
    const { stdout } = await project.tenancy(["apply", "--help"]);
    const [, environment = ""] = /\nEnvironment:\n([\s\S]*)\nExample:/.exec(stdout) ?? [];
    for (const variable of [
      "TENANCY_BASE_URL",
      "TENANCY_PASSWORD",
      "TENANCY_STATE_KEY",
      "TENANCY_REQUIRE_APPROVAL",
    ])
      expect(environment).toContain(variable);
    expect((await project.tenancy(["explain", "--help"])).stdout).not.toContain("Environment:");
  });

  test("hides what only shells call", async () => {
    const project = await start({ service: false });
    expect((await project.tenancy(["--help"])).stdout).not.toMatch(/^ {2}complete /m);
  });
});

test("completion of a shell that it does not know is an error that names those it knows", async () => {
  const project = await start({ service: false });
  expect(await project.tenancy(["completion", "bas"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Did you mean bash?") as string,
  });
});

test("without a verb the help goes to stderr, and the command fails", async () => {
  const project = await start({ service: false });
  const { code, stdout, stderr } = await project.tenancy([]);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain("Usage: tenancy <verb>");
});

test("the version is that of the package", async () => {
  const project = await start({ service: false });
  expect(await project.tenancy(["--version"])).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
});

test.each([
  [["plna"], "unknown command 'plna'\n  Did you mean plan?"],
  [["plan", "--jsn"], "unknown option '--jsn'\n  Did you mean --json?"],
  [["plan", "-var", "n=4"], "unknown option '-var'\n  Write --var."],
  [["apply", "-auto-approve"], "unknown option '-auto-approve'\n  Write --auto-approve."],
  [["plan", "-target=tenancy_account.acme"], "Write --target=tenancy_account.acme."],
  [["--skip-synth", "plan"], "unknown option '--skip-synth'\n  Write the verb first."],
  [["apply", "--auto-aprove"], "unknown option '--auto-aprove'\n  Did you mean --auto-approve?"],
  [["plan", "-lock=false"], "unknown option '-lock=false'\n  See tenancy plan --help."],
  [["apply", "--destroy"], "unknown option '--destroy'\n  See tenancy apply --help."],
  [["help", "plans"], "unknown command 'plans'\n  Did you mean plan?"],
  [["help", "nothing"], "unknown command 'nothing'\n  See tenancy --help."],
  [["version"], "unknown command 'version'\n  Write tenancy --version."],
  [["token"], "a word is missing after `tenancy token`"],
  [["plan", "--out"], "option '--out <file>' argument missing"],
  [["plan", "--parallelism", "0"], "It must be at least 1."],
  [["plan", "--max-deletes", "-1"], "It must be a whole number, zero or more."],
  [["simulator", "--port", "65536"], "It must be at most 65535."],
  [["apply", "--allow-account-deletion=acme,,b"], "It contains an empty name."],
  [["apply", "--allow-account-deletion="], "It contains an empty name."],
  [["explain", "A", "B"], "too many arguments"],
  [["explain", "UNMANGED"], "Did you mean TENANCY_UNMANAGED?"],
  [["explain", "TENANCY_NOPE"], "tenancy explain lists all of them."],
])("a wrong command line says what is wrong: %j", async (words, message) => {
  const project = await start({ service: false });
  const { code, stdout, stderr } = await project.tenancy(words);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain("Error TENANCY_USAGE: ");
  expect(stderr).toContain(message);
});

test("explain says more about a code, however it is typed", async () => {
  const project = await start({ service: false });
  for (const code of ["TENANCY_UNMANAGED", "unmanaged", "tenancy_unmanaged"]) {
    const { code: exit, stdout } = await project.tenancy(["explain", code]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^TENANCY_UNMANAGED\n\nAn object with the declared name exists/);
  }
});

test("what explain says runs on in paragraphs, and its points begin lines", async () => {
  const project = await start({ service: false });
  const { stdout: busy } = await project.tenancy(["explain", "API_BUSY"]);
  expect(busy).toContain("A lower `max_concurrency` puts less load on it.");
  const { stdout: intent } = await project.tenancy(["explain", "OPEN_INTENT"]);
  expect(intent.match(/^\d\. /gm)).toEqual(["1. ", "2. ", "3. "]);
});

test("explain lists all codes, and knows near ones", async () => {
  const project = await start({ service: false });
  const { stdout } = await project.tenancy(["explain"]);
  const codes = stdout.trim().split("\n");
  expect(codes).toEqual([...codes].sort());
  expect(codes).toContain("TENANCY_INTERNAL");
  expect(new Set(codes).size).toBe(codes.length);
  expect(await project.tenancy(["explain", "UNMANGED"])).toMatchObject({
    code: 1,
    stderr: 'Error TENANCY_USAGE: there is no error code "UNMANGED"\n  Did you mean TENANCY_UNMANAGED?\n',
  });
});
