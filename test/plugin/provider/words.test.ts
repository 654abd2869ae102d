import { accountDeletionRefused, foreign } from "../../../src/problems";
import { heldOf, notesOf, type Notes, toTerraform } from "../../../src/plugin/provider/words";
import { parseJson, stringifyJson, type ObjectValue } from "../../../src/values";

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

test("notes come back from private state as they went in, digit by digit", () => {
  const notes: Notes = {
    seq: 9007199254740993n,
    imported: true,
    notedAt: new Date("2025-01-02T03:04:05.678Z"),
    standing: { id: "account:1:2", deletion_protection: false },
  };
  const stored = parseJson(stringifyJson(heldOf(notes))) as ObjectValue;
  expect(notesOf(stored)).toEqual(notes);
});

test("private state without notes, or with somebody else's values, gives no notes", () => {
  expect(heldOf({})).toEqual({});
  expect(notesOf({ seq: "7", imported: "yes", noted_at: "yesterday", standing: [] })).toEqual({});
});
