import { flag, group, integer, locatedIn, text } from "../../src/schema";

const attributes = {
  name: text("Name."),
  limits: group("Quotas.", { vss_num: integer("Most services.").absentMeans(null) }),
  access: group("Ways in.", { web: flag("By browser."), api: flag("By program.") }),
};

test("attributes stand in the order of the description, the members of a group under it", () => {
  const [name, limits, access] = locatedIn(attributes);
  expect(name).toMatchObject({ name: "name", path: ["name"], members: [] });
  expect(limits?.members.map(({ path }) => path)).toEqual([["limits", "vss_num"]]);
  expect(access?.members.map(({ path }) => path)).toEqual([
    ["access", "web"],
    ["access", "api"],
  ]);
});

test("a group is managed whole where an absent member of it means something", () => {
  const whole = locatedIn(attributes).filter(({ isManagedWhole }) => isManagedWhole);
  expect(whole.map(({ name }) => name)).toEqual(["limits"]);
});

test("a description is listed once", () => {
  expect(locatedIn(attributes)).toBe(locatedIn(attributes));
});
