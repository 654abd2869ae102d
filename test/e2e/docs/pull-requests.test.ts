/**
 * The guides docs/manual/how-to/pull-requests-on-github.md and pull-requests-on-gitlab.md, as they stand there: their commands are run in their order, with
 * npm, git, the workflows that init writes, and a service for each stack.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built } from "../../support/built-command";
import { LocalRegistry } from "../../support/local-registry";
import { blocksOf, Shell } from "../../support/pages";
import type { GithubPull } from "../../support/github-api";
import { PipelineHost, type Ran } from "../../support/pipeline-host";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const PAGE = "docs/manual/how-to/pull-requests-on-github.md";
const AT_GITLAB = "docs/manual/how-to/pull-requests-on-gitlab.md";

/** What each block does, in the order of the page. A section that is not named here has no commands. */
const KNOWN = {
  Begin: ["init with one service", "init with staging and production", "push"],
  "A change": ["plan and approve from a snapshot", "approve"],
};

const blocks = blocksOf(PAGE);

const textOf = (name: string): string => {
  for (const [section, names] of Object.entries(KNOWN))
    if (names.includes(name))
      return blocks.filter((block) => block.section === section)[names.indexOf(name)]?.text ?? "";
  throw new Error(`no block is called ${name}`);
};

test("every block on the page holds commands, and is one that is run here", () => {
  const commands = blocks.filter(({ language }) => language !== "mermaid");
  expect([...new Set(commands.map(({ language }) => language))]).toEqual(["sh"]);
  const sections = [...new Set(commands.map(({ section }) => section))];
  expect(
    Object.fromEntries(
      sections.map((name) => [name, blocks.filter(({ section }) => section === name).length]),
    ),
  ).toEqual(Object.fromEntries(Object.entries(KNOWN).map(([section, names]) => [section, names.length])));
});

describeWith(["jq"], "a team that follows the page", () => {
  const folder = temporaryFolder();
  let registry: LocalRegistry;
  let services: Readonly<Record<string, Simulator>>;
  let host: PipelineHost;
  let shell: Shell;

  beforeAll(async () => {
    await built();
    registry = await LocalRegistry.start();
  });
  afterAll(() => registry.close());

  afterEach(async () => {
    await host.close();
    for (const service of Object.values(services)) await service.close();
  });

  /** @param addresses of the page, by stack */
  async function begin(addresses: Readonly<Record<string, string>>): Promise<(text: string) => string> {
    services = Object.fromEntries(
      await Promise.all(
        Object.keys(addresses).map(async (stack) => [stack, await startSimulator()] as const),
      ),
    );
    host = await PipelineHost.start(folder(), registry.environment);
    const typed: Record<string, Record<string, string>> = {};
    const credentials: Record<string, string> = {};
    for (const [stack, { baseUrl, username, password }] of Object.entries(services)) {
      const login = { TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
      Object.assign(typed, { [stack]: login, [`${stack}-read`]: login, [`${stack}-ended`]: login });
      const suffix = new URL(baseUrl).host.replaceAll(/[.:]/g, "_");
      for (const [name, value] of Object.entries(login)) credentials[`${name}__${suffix}`] = value;
    }
    host.change((state) => Object.assign(state, { typed }));
    shell = new Shell(folder(), { ...host.desk, ...credentials });
    return (text) =>
      Object.entries(addresses).reduce(
        (changed, [stack, address]) => changed.replaceAll(address, services[stack]?.baseUrl ?? ""),
        // What is answered at a terminal.
        text.replaceAll("tenancy approve ", "tenancy approve --yes "),
      );
  }

  const writes = () =>
    Object.values(services).flatMap(({ requests }) =>
      requests.filter(({ method, path }) => method !== "GET" && !/session|auth|login/.test(path)),
    );

  /** From the empty folder to the run that takes the first snapshot. */
  async function setUp(init: string): Promise<void> {
    const printed = await shell.run(init);
    await shell.run(textOf("push"));
    expect(host.state.visibility).toBe("private");

    // The first run fails: nothing is set up yet, and nothing is sent anywhere.
    const stacks = Object.keys(services);
    const [first = "", ...others] = stacks.map((stack) => `apply (${stack})`);
    const skipped = Object.fromEntries(others.map((job) => [job, "skipped"]));
    const failed = { pack: "success", [first]: "failure", ...skipped };
    expect((await host.pushed()).jobs).toMatchObject(failed);
    for (const service of Object.values(services)) expect(service.requests).toEqual([]);

    // The commands that init prints.
    await shell.run(printed.slice(printed.indexOf("\n# ")));
    const environments = [
      "tenancy-review",
      ...stacks.flatMap((stack) => [stack, `${stack}-read`, `${stack}-ended`]),
    ];
    expect(host.state.environments).toEqual(
      Object.fromEntries(environments.map((name) => [name, { branches: ["main"] }])),
    );
    expect(host.state.protection).toMatchObject({
      required_status_checks: { checks: [{ context: "tenancy", app_id: 15368 }] },
    });
    expect(host.state.ruleset).toMatchObject({ rules: [{ type: "deletion" }, { type: "non_fast_forward" }] });

    // The apply of the first stack fails for want of an approval, and takes a snapshot.
    const byHand = { name: "workflow_dispatch", inputs: { command: "apply" } };
    const refused = await host.run("tenancy.yml", host.main, byHand);
    expect([refused.log, refused.jobs]).toEqual([expect.any(String), expect.objectContaining(failed)]);
    expect(refused.log).toContain("TENANCY_APPROVAL_NEEDED");
    expect(artifactsOf(refused)).toContain(`tenancy-${stacks[0]}`);
    expect(writes()).toEqual([]);
  }

  const artifactsOf = ({ run }: Ran) =>
    host.api.artifacts.filter((artifact) => artifact.run === run.id).map(({ name }) => name);

  /** Reviews the pull request that was opened last, and merges it. */
  async function mergedPull(status: object): Promise<Readonly<Record<string, string>>> {
    const pull = host.state.pulls.at(-1) as GithubPull;
    const { own, review } = await host.reviewed(pull.head.sha);
    expect({ ...own.jobs, ...review.jobs }).toEqual({ pack: "success", review: "success" });
    expect(host.api.statuses.at(-1)).toMatchObject({ sha: pull.head.sha, ...status });
    await shell.run(`git switch --quiet main
git merge --quiet --no-ff --message "Merge the pull request" ${pull.head.sha}
git push --quiet origin main`);
    Object.assign(host.api.pulls.at(-1) ?? {}, { state: "closed" });
    return (await host.pushed()).jobs;
  }

  test("for one service has a loop in which the first tenants are reviewed, approved and applied", async () => {
    const page = await begin({ platform: "https://storage.example" });
    await setUp(page(textOf("init with one service")));
    await shell.run(page(textOf("approve")));
    expect(await mergedPull({ state: "success" })).toMatchObject({
      pack: "success",
      "apply (platform)": "success",
    });
    expect(services["platform"]?.records.profile("jane@acme")).toMatchObject({ login: "jane@acme" });
  });

  test("for staging and production waits for the first night, plans without credentials, and applies to one after the other", async () => {
    const page = await begin({
      staging: "https://staging.storage.example",
      production: "https://storage.example",
    });
    await setUp(page(textOf("init with staging and production")));
    const night = await host.nightly();
    for (const stack of ["staging", "production"]) expect(artifactsOf(night)).toContain(`tenancy-${stack}`);

    await shell.run(page(textOf("approve")));
    expect(await mergedPull({ state: "success" })).toMatchObject({
      pack: "success",
      "apply (staging)": "success",
      "apply (production)": "success",
    });
    for (const service of Object.values(services))
      expect(service.records.profile("jane@acme")).toMatchObject({ login: "jane@acme" });

    // A later change. Its author has a clone without the state and without credentials, and plans from the snapshots.
    await host.nightly();
    const home = join(folder(), "author");
    mkdirSync(home);
    const key = host.state.secrets["tenancy-review"]?.["TENANCY_SNAPSHOT_KEY"];
    const author = new Shell(home, { ...host.desk, TENANCY_SNAPSHOT_KEY: key });
    await author.run(`git clone --quiet file://${host.repository} platform
cd platform
npm ci
git switch --quiet --create later
sed -i 's/"vss.manage_snapshots"/"vss.manage_snapshots", "vss.update_vss"/' $(git grep -l vss.manage_snapshots -- '*.ts')`);
    const requests = () => Object.values(services).map(({ requests: sent }) => sent.length);
    const sentBefore = requests();
    const plan = page(textOf("plan and approve from a snapshot"));
    expect(await author.run(plan)).toContain("csi@acme");
    await author.run(`rm -r live\n${plan.replaceAll("staging", "production")}`);
    expect(requests()).toEqual(sentBefore);
    await author.run(`git add --all
git commit --quiet --message "Update storage"
git push --quiet --set-upstream origin HEAD
gh pr create --fill`);
    await shell.run("git fetch --quiet");
    expect(await mergedPull({ state: "success" })).toMatchObject({
      "apply (staging)": "success",
      "apply (production)": "success",
    });
  });

  test("at GitLab begins with a project that has its pipelines, and is told the settings", async () => {
    const page = await begin({ platform: "https://storage.example" });
    const printed = await shell.run(
      page(blocksOf(AT_GITLAB).find(({ language }) => language === "sh")?.text ?? ""),
    );
    expect(printed).toContain("The settings that the pipelines need at GitLab");
    for (const file of [".gitlab-ci.yml", ".gitlab/tenancy.yml", ".gitlab/CODEOWNERS"])
      expect(existsSync(join(folder(), "platform-at-gitlab", file))).toBe(true);
  });
});
