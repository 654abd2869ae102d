/** Records that repeat a secret of the run: no output shows it. Covers src/engine/hidden-secrets.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandProjects } from "../support/command";

const start = commandProjects();

const OWN = "canary-own-password";
const WRITTEN = "canary-write-only";
const HIDDEN = "canary-sensitive";

const user = (username: string, more: object = {}) => ({
  account_id: "${tenancy_account.acme.id}",
  username,
  permissions: {},
  ...more,
});

const declared = (users: Readonly<Record<string, object>>, more: object = {}) => ({
  provider: { tenancy: [{}] },
  variable: {
    written: { type: "string", sensitive: true, ephemeral: true },
    hidden: { type: "string", sensitive: true },
  },
  resource: {
    tenancy_account: { acme: { name: "acme", permissions: {} } },
    tenancy_user_profile: users,
    tenancy_authorization: {
      csi: {
        login: "${tenancy_user_profile.csi.login}",
        name: "csi",
        login_with: "temporary_password",
        keepers: { hidden: "${var.hidden}" },
      },
    },
  },
  ...more,
});

test("a record that repeats a secret of the run shows it in no output", async () => {
  const project = await start({ simulator: { systemUser: { username: "system", password: OWN } } });
  const environment = { TF_VAR_written: WRITTEN, TF_VAR_hidden: HIDDEN };
  const csi = user("csi");
  // The write-only value is that of the user who comes last.
  const zoe = user("zoe", { password_wo: "${var.written}", password_wo_version: 1 });
  const first = declared({
    csi,
    zoe,
    jane: user("jane"),
    bob: user("bob"),
    kim: user("kim"),
    old: user("old"),
  });
  await project.declare({ prod: first });
  await project.tenancy(["apply", "--yes"], { environment });
  const state = JSON.parse(await readFile(join(project.folder, ".tenancy/state.json"), "utf8")) as object;
  const token = /"access_token":"([^"]+)"/.exec(JSON.stringify(state))?.[1] ?? "";
  expect(token.length).toBeGreaterThan(16);
  const { records } = project.service;
  records.patchProfile("jane@acme", { xref: OWN, email: `${OWN}@acme.example` });
  records.patchProfile("bob@acme", { xref: `my ${Buffer.from(token).toString("base64")}` });
  records.patchProfile("kim@acme", { xref: WRITTEN, email: `${HIDDEN}@acme.example` });
  records.patchProfile("old@acme", { xref: token });

  const later = declared(
    {
      csi,
      zoe,
      jane: user("jane", { xref: "x" }),
      bob: user("bob", { xref: "y" }),
      kim: user("kim"),
    },
    {
      data: { tenancy_user_profile: { kim: { login: "kim@acme" } } },
      output: { kim: { value: "${data.tenancy_user_profile.kim.xref}" } },
    },
  );
  await project.declare({ prod: later });
  let printed = "";
  for (const words of [
    "plan --all --html page.html --markdown comment.md --out plan.json",
    "plan --json",
    "show plan.json --all",
    "show plan.json --json",
    "plan --destroy --allow-account-deletion --json",
    "drift",
    "drift --json",
    "report",
    "report --json",
    "report --csv",
    "report --html report.html --markdown report.md",
    "output",
    "apply --yes --json",
    "plan --all",
    "snapshot --full --out live.json",
    "plan --from-snapshot live.json --all",
  ]) {
    const { code, stdout, stderr } = await project.tenancy(words.split(" "), { environment });
    expect([words, code, stderr]).toEqual([words, words.startsWith("drift") ? 2 : 0, expect.any(String)]);
    printed += stdout + stderr;
  }
  for (const file of ["page.html", "comment.md", "plan.json", "report.html", "report.md", "live.json"])
    printed += await readFile(join(project.folder, file), "utf8");
  expect(printed).toContain("(sensitive value)");
  const spellings = [OWN, WRITTEN, HIDDEN, token, Buffer.from(token).toString("base64")];
  expect(spellings.filter((secret) => printed.includes(secret))).toEqual([]);
});
