import { accountDeletionRefused, rightsKept, unmanagedObject } from "../../src/problems";
import { diagnose, toTerraform } from "../../src/provider/words";
import { resource as userProfile } from "../../src/resources/user-profile";
import { connected } from "../support/connections";
import { created } from "../support/life";

test("an account that may not go is told of with the attribute that allows it, and the code to look up", () => {
  const [refused] = toTerraform([accountDeletionRefused.at("acme")]);
  expect(refused?.detail).toBe(
    "If that is intended: apply `deletion_protection = false` first.\nTENANCY_ACCOUNT_DELETION",
  );
});

test("warnings of one code have the same summary, and their details name the objects", () => {
  const warnings = toTerraform(
    ["jane@acme", "joe@acme"].map((login) =>
      rightsKept.at({ login, rights: ["vss.format_disks"], harm: "destructive" }),
    ),
  );
  expect(new Set(warnings.map(({ summary }) => summary))).toEqual(
    new Set(["A user keeps rights that are not declared"]),
  );
  expect(warnings.map(({ detail }) => detail?.split(".")[0])).toEqual([
    '"jane@acme" keeps destructive rights that are not declared',
    '"joe@acme" keeps destructive rights that are not declared',
  ]);
});

test("an account of somebody else can be taken in by an import block, and may be the one that is replaced", () => {
  const [refused] = toTerraform([unmanagedObject.at({ noun: "account", key: "acme", id: "account:1:2" })]);
  expect(refused?.detail?.split("\n")[1]).toBe(
    'Either import it with an `import` block (`id = "acme"`), or choose another name. ' +
      "If its declaration moved, add a `moved` block. It cannot be replaced with `create_before_destroy`: both would have its name.",
  );
});

test("a user of whom nobody knows whether it was created can be taken in by an import block", async () => {
  const { simulator, connection } = await connected();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  simulator.fail({ method: "POST", path: "/api/user-profile", when: "after", status: 500 });
  simulator.fail({ path: "/api/user-profile", method: "GET", skip: 1, status: 403 });
  const config = { username: "jane", account_id, permissions: {} };
  const failure = await created(userProfile, connection, config).catch((error: unknown) => error);
  const [lost] = diagnose(failure) ?? [];
  expect(lost?.detail?.split("\n").slice(-2)).toEqual([
    "Plan again when the service is healthy. If the object was created, import it with an `import` block " +
      '(`id = "jane@acme"`): it is not in the state.',
    "TENANCY_ANSWER_LOST",
  ]);
});
