import { sortedByKey } from "../../../src/resources/record/data-sources";

test("records with equal keys stand in the same order, whatever the order in which the service lists them", () => {
  const records = ["3", "1", "2"].map((id) => ({ id, name: "acme" }));
  const ids = (list: typeof records) => sortedByKey(list, ({ name }) => name).map(({ id }) => id);
  expect(ids(records)).toEqual(["1", "2", "3"]);
  expect(ids([...records].reverse())).toEqual(["1", "2", "3"]);
});
