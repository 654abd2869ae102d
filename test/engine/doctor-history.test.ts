import { historyChecks } from "../../src/engine/doctor";

test("a history of the state that is larger than 500 MB is a warning that says what to do", () => {
  expect(historyChecks(undefined, {})).toEqual([]);
  expect(historyChecks({ historySize: undefined }, {})).toEqual([]);
  expect(historyChecks({ historySize: 500 * 2 ** 20 }, {})).toEqual([]);
  expect(historyChecks({ historySize: 512 * 2 ** 20 }, {})).toEqual([
    expect.objectContaining({ name: "state", message: expect.stringContaining("512 MB") as string }),
  ]);
});
