import { bareText, type CellState } from "../../../src/render/view";
import { matrixOf, type RightsOf } from "../../../src/render/view/matrix";

const person = (who: string, cells: Readonly<Record<string, CellState>>, facts = {}): RightsOf => ({
  who,
  about: [],
  facts: [],
  cells: new Map(Object.entries(cells)),
  ...facts,
});

const names = (rows: ReturnType<typeof matrixOf>["rows"]) => rows.map(({ who }) => who.map(bareText));

test("rights stand in the API's order, and those of a newer service last in their group, or last of all", () => {
  const { columns, rows } = matrixOf([
    person("a", { "user.manage_users": "holds", "vss.shred_disks": "gains", "lab.run": "loses" }),
    person("b", { "vss.resize_disks": "holds", "realm.view_logs": "unknown" }),
  ]);
  expect(columns.map(({ name, group, marks }) => [name.text, group, ...marks])).toEqual([
    ["realm.view_logs", "realm"],
    ["vss.resize_disks", "vss"],
    ["vss.shred_disks", "vss", "unknown right"],
    ["user.manage_users", "user", "privileged"],
    ["lab.run", "lab", "unknown right"],
  ]);
  expect(rows.map(({ cells }) => cells)).toEqual([
    [undefined, undefined, "gains", "holds", "loses"],
    ["unknown", "holds", undefined, undefined, undefined],
  ]);
});

test("people of whom the same is said share a row, in whatever order it is said; whoever goes has a row of their own", () => {
  const gains = person("a", { "vss.remove_vss": "gains", "vss.resize_disks": "holds" });
  const same = person("b", { "vss.resize_disks": "holds", "vss.remove_vss": "gains" });
  const going = (who: string) => person(who, { "vss.remove_vss": "loses" }, { action: "delete" });
  const people = [gains, going("x"), same, going("y"), person("c", { "vss.remove_vss": "holds" })];
  expect(names(matrixOf(people).rows)).toEqual([["a", "b"], ["x"], ["y"], ["c"]]);
  expect(names(matrixOf(people, true).rows)).toEqual([["a"], ["x"], ["b"], ["y"], ["c"]]);
});

test("nobody at all is a matrix, too", () => {
  expect(matrixOf([])).toEqual({ columns: [], rows: [] });
});
