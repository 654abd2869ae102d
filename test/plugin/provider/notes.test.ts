import { notesOf, type Notes, privateStateOf } from "../../../src/plugin/provider/notes";
import { parseJson, stringifyJson, type ObjectValue } from "../../../src/values";

test("notes come back from private state as they went in, digit by digit", () => {
  const notes: Notes = {
    seq: 9007199254740993n,
    imported: true,
    notedAt: new Date("2025-01-02T03:04:05.678Z"),
    replacedObject: { id: "account:1:2", deletion_protection: false },
  };
  const stored = parseJson(stringifyJson(privateStateOf(notes))) as ObjectValue;
  expect(notesOf(stored)).toEqual(notes);
});

test("private state without notes, or with somebody else's values, gives no notes", () => {
  expect(privateStateOf({})).toEqual({});
  expect(notesOf({ seq: "7", imported: "yes", noted_at: "yesterday", replaced_object: [] })).toEqual({});
});
