import { accountDeletionRefused, foreign } from "../../../src/problems";
import { toTerraform } from "../../../src/plugin/provider/words";

test("an account that may not go is told of with the attribute that allows it, and the code to look up", () => {
  const [refused] = toTerraform([accountDeletionRefused.at("acme")]);
  expect(refused?.detail).toBe(
    "If that is intended: apply `deletion_protection = false` first.\nTENANCY_ACCOUNT_DELETION",
  );
});

test("an account of somebody else can be taken in by an import block, and may be the one that is replaced", () => {
  const [refused] = toTerraform([foreign.at({ noun: "account", key: "acme", id: "account:1:2" })]);
  expect(refused?.detail?.split("\n")[1]).toBe(
    'Either adopt it with an `import` block (`id = "acme"`), or choose another name. ' +
      "It cannot be replaced with `create_before_destroy`: both would have its name.",
  );
});
