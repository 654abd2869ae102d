/** Pull requests that want more from `tenancy ci review` than a plan. Each gains nothing, and its status is red. */
import { type Zippable, zipSync } from "fflate";
import { GITHUB_TOKEN } from "../../../support/github-api";
import { GITLAB_TOKEN } from "../../../support/gitlab-api";
import { GitlabReviews } from "../../../support/gitlab-reviews";
import { HOSTS } from "../../../support/merge-host";
import { CANARY, type PackedPull, ReviewedProject } from "../../../support/reviewed-project";
import { stateKey } from "../../../support/state-key";

describe.each(HOSTS)("at %s", (host) => {
  let project: ReviewedProject;
  let gitlab: GitlabReviews | undefined;

  beforeAll(async () => {
    project = await ReviewedProject.start(["staging"]);
  });

  /** Forgets what was said and opened so far. */
  async function rest(): Promise<void> {
    project.rest();
    await gitlab?.close();
    gitlab = host === "gitlab" ? await GitlabReviews.start(project) : undefined;
  }

  beforeEach(rest);

  afterAll(async () => {
    await gitlab?.close();
    await project.close();
  });

  const statuses = () =>
    gitlab?.api.statuses.map(({ status, description }) => ({
      ...{ state: status === "failed" ? "failure" : status, description },
    })) ?? project.api.statuses;

  const comments = () => (gitlab?.api.notes ?? project.api.comments).map(({ body = "" }) => body);

  /** Reviews, and makes sure that what anybody can read shows no secret, and commands the host nothing. */
  async function reviewed(change: PackedPull, more: Readonly<Record<string, string>> = {}) {
    const environment = { SECRET_OF_THE_JOB: `${CANARY}-job`, ...more };
    gitlab?.opened(change);
    const review = await (gitlab?.review(environment) ?? project.review(change.run, environment));
    const said = JSON.stringify([comments(), statuses(), review]);
    for (const secret of [CANARY, GITHUB_TOKEN, GITLAB_TOKEN, "root:x:0"]) expect(said).not.toContain(secret);
    const [, text = ""] =
      host === "gitlab"
        ? ["", review.stdout]
        : (/^::stop-commands::[0-9a-f]{32}\n(.*)::[0-9a-f]{32}::\n$/s.exec(review.stdout) ?? []);
    expect(text).not.toMatch(/^\s*::|##\[|section_(start|end):/m);
    return { ...review, text };
  }

  const expectRed = (description = "There is no plan, or it is refused") =>
    expect(statuses()).toMatchObject([{ state: "failure", description }]);

  const STACK = "cdktf.out/stacks/staging/cdk.tf.json";

  /** A pull request whose archive has an output of this value: the job that made it could be made to leave anything. */
  async function reading(expression: string, files: Parameters<ReviewedProject["pullRequest"]>[1] = {}) {
    const change = await project.pullRequest(project.stacks({ limit: 20 }), files);
    project.forge(change, (texts) => {
      const stack = JSON.parse(texts[STACK] ?? "") as object;
      texts[STACK] = JSON.stringify({ ...stack, output: { it: { value: `\${${expression}}` } } });
    });
    return change;
  }

  test.each([
    ["the environment of the job", 'file("/proc/self/environ")'],
    ["a file outside of the project", 'file("../../../../../../../../../../etc/passwd")'],
    ["the user's folder", 'file(pathexpand("~/.netrc"))'],
    ["the snapshot beside the project", 'file("../../../../staging.snapshot")'],
  ])("a stack that reads %s", async (_, expression) => {
    await reviewed(await reading(expression));
    expectRed();
    expect(comments().join()).toMatch(/outside of the project's folder|cannot be read/);
  });

  test("links that are committed are no files, for stacks, variables and approvals", async () => {
    const link = { link: "/etc/passwd" };
    await reviewed(await reading('file("../../../secret.txt")', { "secret.txt": link }));
    expectRed();
    expect(comments().join()).toContain("does not exist");

    await rest();
    const variables = await project.pullRequest(project.stacks(), { "terraform.tfvars": 'a = "b"\n' });
    project.forge(variables, (files) => (files["terraform.tfvars"] = 'a = "c"\n'));
    expect((await reviewed(variables)).text).toContain("its terraform.tfvars is not the one of the commit");
    expectRed("The review itself has failed");

    await rest();
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const approving = await project.pullRequest(project.stacks({ rights: ["realm.view_logs"] }), {
      [`approvals/${day}-01234567.yaml`]: link,
    });
    expect((await reviewed(approving)).text).toContain("this is not a regular file");
    expectRed("The review itself has failed");
  });

  test("files that are committed are read as an apply would read them", async () => {
    await reviewed(
      await reading('templatefile("../../../files/a.tftpl", { name = "x" })', {
        "files/a.tftpl": "Hello ${name}",
      }),
    );
    expect(statuses()).toMatchObject([{ state: "success" }]);
  });

  test("an archive as large as allowed, of text that resembles calls and commands, is read in linear time", async () => {
    const change = await project.pullRequest(project.stacks({ limit: 20 }));
    project.forge(change, (texts) => {
      const stack = JSON.parse(texts[STACK] ?? "") as object;
      const output = {
        file: { value: "file".repeat(3 * 2 ** 20) },
        lines: { value: "\n".repeat(4 * 2 ** 20) },
      };
      texts[STACK] = JSON.stringify({
        ...stack,
        output,
        [" ".repeat(2 ** 20)]: {},
        ["::".repeat(2 ** 20)]: {},
      });
    });
    await reviewed(change);
    expectRed();
  });

  test("an output over a data source does not print what the snapshot holds of all tenants", async () => {
    const change = await project.pullRequest(project.stacks({ limit: 20 }));
    project.forge(change, (texts) => {
      const stack = JSON.parse(texts[STACK] ?? "") as { resource: { tenancy_account: object } };
      Object.assign(stack.resource.tenancy_account, { fresh: { name: "fresh" } });
      // A plan contains an output if a part of it is known only after apply.
      const loot = "the tenants are ${jsonencode(data.tenancy_accounts.all)}";
      const output = {
        list: { value: ["${tenancy_account.fresh.id}", loot] },
        open: {
          value: [
            "${tenancy_account.fresh.id}",
            "${nonsensitive(upper(jsonencode(data.tenancy_accounts.all)))}",
          ],
        },
      };
      texts[STACK] = JSON.stringify({ ...stack, data: { tenancy_accounts: { all: {} } }, output });
    });
    await reviewed(change);
    const [body] = comments();
    expect(body).toContain("2 sensitive");
    expect(body).not.toMatch(/the tenants are|DELETION_PROTECTION/);
  });

  test("names that are commands of the host", async () => {
    const change = await project.pullRequest(project.stacks());
    project.forge(change, (files) => {
      const stack = JSON.parse(files[STACK] ?? "") as { resource: { tenancy_account: object } };
      stack.resource.tenancy_account = {
        evil: {
          name: "x\n::add-mask::acme\nsection_start:0:y\r   ::error::y##[error]z",
          "::set-output name=a::b": true,
        },
      };
      files[STACK] = JSON.stringify(stack);
    });
    await reviewed(change);
    expectRed();
  });

  test.each<[string, (files: Record<string, string>) => void]>([
    ["a path that leads up", (files) => (files["../../.bashrc"] = "")],
    ["a file of npm's", (files) => (files[".npmrc"] = "script-shell=/bin/evil")],
    ["a state", (files) => (files[".tenancy/state.json"] = "{}")],
    [
      "a manifest that names another file",
      (files) =>
        (files["cdktf.out/manifest.json"] = (files["cdktf.out/manifest.json"] ?? "").replace(
          "stacks/staging/cdk.tf.json",
          "../../../../proc/self/environ",
        )),
    ],
    ["no stack of the workflow", (files) => (files["cdktf.out/manifest.json"] = '{"stacks":{}}')],
    [
      "a stack that nests without an end",
      (files) => {
        files[STACK] = "[".repeat(200_000);
      },
    ],
  ])("an archive with %s", async (_, edit) => {
    const change = await project.pullRequest(project.stacks());
    project.forge(change, edit);
    await reviewed(change);
    expect(statuses()).toMatchObject([{ state: "failure" }]);
  });

  // GitLab opens the archive itself, and hands out the one file.
  if (host === "github")
    test.each<[string, Zippable[string], Zippable, string]>([
      ["a link", [new Uint8Array(2), { os: 3, attrs: 0o120777 << 16 }], {}, "no regular file"],
      ["two files", new Uint8Array(2), { "a/../../x": new Uint8Array(1) }, "is expected"],
      ["a bomb", new Uint8Array(33 * 2 ** 20), {}, "larger than 32 MiB"],
    ])("an artifact that is %s", async (_, file, others, words) => {
      const change = await project.pullRequest(project.stacks());
      const zip = zipSync({ "tenancy-stacks.json": file, ...others });
      project.api.upload(change.run, "tenancy-stacks", Buffer.from(zip));
      expect((await reviewed(change)).text).toContain(words);
      expectRed("The review itself has failed");
    });

  test("a service elsewhere is not asked, and not planned", async () => {
    const stacks = JSON.parse(
      JSON.stringify(project.stacks()).replaceAll(project.service.baseUrl, "https://evil.example"),
    ) as ReturnType<typeof project.stacks>;
    const { text } = await reviewed(await project.pullRequest(stacks));
    expect(text).toContain("TENANCY_SNAPSHOT_UNFIT");
    expectRed();
  });

  test("settings of the pull request's cdktf.json count for nothing: no state, no level, no program", async () => {
    const config = {
      language: "typescript",
      app: "sh app.sh",
      context: { state: "git:--upload-pack=touch pwned/x", requireApproval: "never" },
    };
    const change = await project.pullRequest(project.stacks({ rights: ["realm.view_logs"] }), {
      "cdktf.json": JSON.stringify(config),
    });
    await reviewed(change);
    expectRed("An approval is missing");
  });

  test("a run that is no run of a pull request is not reviewed", async () => {
    const change = await project.pullRequest(project.stacks());
    if (gitlab !== undefined) {
      const { pipeline } = gitlab.opened(change, false);
      pipeline.source = "push";
      await gitlab.review();
      return expectRed("The pull request's own job has not succeeded");
    }
    change.run.event = "push";
    const { text, code } = await reviewed(change);
    expect(text).toContain("contains no run of a pull request");
    expect([code, statuses()]).toEqual([1, []]);
  });

  test("an old run that is run again has the tool of its time, and is refused", async () => {
    const change = await project.pullRequest(project.stacks());
    project.git("switch", "-q", "--detach", "origin/main");
    const before = project.git("rev-parse", "HEAD");
    await project.write(
      "package-lock.json",
      JSON.stringify({ packages: { "node_modules/tenancy": { version: "9.9.9" } } }),
    );
    project.commit("Upgrade");
    project.git("push", "-q", "origin", "HEAD:main");
    const { text, code } = await reviewed(change);
    expect(text).toContain('package-lock.json of the default branch has "9.9.9"');
    expect([code, statuses(), comments()]).toEqual([1, [], []]);
    project.git("push", "-q", "--force", "origin", `${before}:main`);
  });

  test("a public repository is refused, unless the pipeline allows it", async () => {
    const change = await project.pullRequest(project.stacks({ limit: 20 }));
    (gitlab?.api ?? project.api).visibility = "public";
    expect((await reviewed(change)).text).toContain("this repository is public");
    expect(statuses()).toEqual([]);
    await reviewed(change, { TENANCY_PUBLIC: "true" });
    expect(statuses()).toMatchObject([{ state: "success" }]);
  });

  test("a stack without a snapshot, or with one of another key, has no plan", async () => {
    const change = await project.pullRequest(project.stacks({ limit: 20 }));
    await reviewed(change, { TENANCY_SNAPSHOT_KEY: stateKey("another key of sixteen letters") });
    expectRed();
    await rest();
    const again = await project.opened("again", change.sha);
    const { text } = await reviewed(again, { TENANCY_STACKS: "staging production" });
    expect(text).toContain("it lacks the stack production");
    expectRed();
  });
});
