import { heldOf, notesOf, type Notes } from "../../../../src/plugin/provider/words";
import { parseJson, stringifyJson, type ObjectValue } from "../../../../src/values";

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

test("what nobody noted, or another provider did, is no note", () => {
  expect(heldOf({})).toEqual({});
  expect(notesOf({ seq: "7", imported: "yes", noted_at: "yesterday", standing: [] })).toEqual({});
});
