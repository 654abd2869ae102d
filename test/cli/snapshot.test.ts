/** `tenancy snapshot` and `--live`: covers src/cli/verbs/snapshot.ts, and what the command says of plans that ask nobody. */
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accounts, type CommandProject, commandProjects } from "../support/command";

const start = commandProjects();

/** The same project where a pull request is planned: no credential, no owner key, and a store that cannot be read. */
async function withoutCredentials(project: CommandProject, ...words: readonly string[]) {
  const nothing = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "", TENANCY_TOKEN: "", TENANCY_OWNER_KEY: "" };
  return project.tenancy(words, { environment: nothing });
}

test("a snapshot is a file for its owner alone, and a plan from it asks nobody", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  const taken = await project.tenancy(["snapshot", "--out", "live.json"]);
  expect(taken).toMatchObject({ code: 0, stdout: "" });
  expect(taken.stderr).toContain("To plan from it: tenancy plan --live live.json");
  expect((await stat(join(project.folder, "live.json"))).mode & 0o777).toBe(0o600);
  await project.declare({ prod: accounts("acme", "globex") });
  const sent = project.service.requests.length;
  const { code, stdout } = await withoutCredentials(project, "plan", "--live", "live.json");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^prod · http:\/\/127\.0\.0\.1:\d+ as system · owner acme-platform\nFrom a snapshot that is \d+ seconds? old \(.*\); nobody was asked\. It cannot be applied\.\n/,
  );
  expect(stdout).toMatch(/\n1 to create\.\n$/);
  expect(project.service.requests).toHaveLength(sent);
});
