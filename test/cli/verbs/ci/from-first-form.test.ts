/** From the pipelines of the first form to those of now: the commands that `tenancy ci init` prints move the states. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../../../src/lib/simulator";
import { CommandProject, tokens } from "../../../support/command";
import { git, gitRemotes } from "../../../support/git-remote";
import { stateKey } from "../../../support/state-key";

const newRemote = gitRemotes();
const KEYS = {
  staging: stateKey("a key of staging, long enough"),
  production: stateKey("a key of production, long enough"),
};

test("each state moves to its branch, with the key that it has", async () => {
  const remote = newRemote();
  const project = new CommandProject(remote.clone());
  const services = { staging: await startSimulator(), production: await startSimulator() };
  const stacks = Object.entries(services).map(([name, { baseUrl }]) => [
    name,
    { ...tokens({ csi: `csi-${name}` }), provider: { tenancy: [{ base_url: baseUrl, owner: "acme" }] } },
  ]);
  await project.declare(Object.fromEntries(stacks) as Record<string, object>);
  await project.write("cdktf.json", { language: "typescript", app: "sh app.sh", projectId: "platform" });
  cpSync(join(__dirname, "../../first-workflows/github"), join(project.folder, ".github"), {
    recursive: true,
  });
  for (const [name, { username, password }] of Object.entries(services)) {
    const login = { TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
    const environment = { ...login, TENANCY_STATE_KEY: KEYS[name as keyof typeof KEYS] };
    const words = ["apply", name, "--yes", "--state", `state-${name}`];
    expect((await project.tenancy(words, { environment })).code).toBe(0);
    // As the job of the first form kept it.
    const { folder } = project;
    const blob = git(folder, "hash-object", "-w", `state-${name}`);
    const tree = execFileSync("git", ["mktree"], {
      cwd: folder,
      input: `100644 blob ${blob}\tstate.json\n`,
    });
    const commit = git(folder, "commit-tree", tree.toString().trim(), "-m", "State after the apply");
    git(folder, "push", "--quiet", "origin", `${commit}:refs/heads/tenancy-state-${name}`);
  }

  const { code, stderr } = await project.tenancy(["ci", "init"]);
  expect(code).toBe(0);
  const commands = /\nexport TENANCY_STATE_KEY__[^]*?\nrm [^\n]*/.exec(stderr)?.[0].trim().split("\n") ?? [];
  const environment = {
    TENANCY_STATE_KEY__STAGING: KEYS.staging,
    TENANCY_STATE_KEY__PRODUCTION: KEYS.production,
  };
  for (const line of commands) {
    const [, variable = "", words = ""] = /^TENANCY_STATE_KEY="\$(\w+)" npx tenancy (.*)$/.exec(line) ?? [];
    if (words === "") execFileSync("sh", ["-c", line], { cwd: project.folder, stdio: "ignore" });
    else {
      const key = environment[variable as keyof typeof environment];
      const moved = await project.tenancy(words.split(" "), {
        environment: { ...environment, TENANCY_STATE_KEY: key },
      });
      expect([moved.code, moved.stderr]).toEqual([0, expect.any(String)]);
    }
  }
  const listed = await project.tenancy(["token", "list", "--json", "--state", "git:origin/tenancy-state"], {
    environment,
  });
  expect(listed.stdout).toContain("csi-staging");
  expect(listed.stdout).toContain("csi-production");
  expect(git(project.folder, "status", "--short", ".tenancy")).toBe("");
  expect(readFileSync(join(project.folder, ".github/workflows/tenancy.yml"), "utf8")).toContain("ci apply");
  for (const service of Object.values(services)) await service.close();
});
