/** Applies, from the first write to the account of what was done: covers src/engine/apply/progress.ts, besides its own source. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Account } from "cdktf-provider-tenancy";
import { TerraformOutput } from "cdktf";
import { apply } from "../../../src/engine";
import { actions, codes, projects, type Build } from "../../support/projects";

const start = projects();

const accounts =
  (...names: readonly string[]): Build =>
  (stack) => {
    for (const name of names) new Account(stack, name, { name, permissions: {} });
    new TerraformOutput(stack, "known", { value: "yes" });
  };

test("a helper that cannot unlock is a warning beside what was done", async () => {
  const project = await start();
  const program = resolve(__dirname, "../../support/folder-helper.mjs");
  const helper = `"${process.execPath}" "${program}" "${project.folder}" fails-unlock`;
  const { result } = await project.run(accounts("acme"), { store: { helper } });
  expect(result).toMatchObject({ ok: true, applied: [{ key: "acme" }], outputs: [{ name: "known" }] });
  expect(codes(result.diagnostics)).toEqual(["TENANCY_CREDENTIAL_HELPER"]);
  expect(result.diagnostics[0]?.severity).toBe("warning");
});

test("a listener that throws stops the apply as a signal does, and its error is told once everything is at rest", async () => {
  const project = await start();
  const plan = await project.plan(accounts("a", "b", "c"), { parallelism: 1 });
  const listening = apply(plan, {
    onEvent({ kind }) {
      if (kind === "finished") throw new RangeError("cannot be shown");
    },
  });
  await expect(listening).rejects.toThrow(RangeError);
  expect(existsSync(`${project.store}.lock`)).toBe(false);
  expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system", "a"]);
  expect(actions(await project.plan(accounts("a", "b", "c")))).toEqual([
    "create tenancy_account.b",
    "create tenancy_account.c",
  ]);
});
