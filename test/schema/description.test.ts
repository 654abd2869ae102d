import { flag, group, integer, locatedIn, members, text } from "../../src/schema";

const attributes = {
  name: text("Name."),
  ...members({ name: "limits", description: "Quotas." }, { vss_num: integer("Most services.") }),
  contact: group("Whom to ask.", { phone: text("Number."), notify: flag("Tell by text message.") }),
};

test("attributes stand in the order of the description, the members of a group under it", () => {
  const [name, quota, contact] = locatedIn(attributes);
  expect(name).toMatchObject({ name: "name", path: ["name"], members: [] });
  expect(quota).toMatchObject({ name: "limits_vss_num", path: ["limits_vss_num"], members: [] });
  expect(contact?.members.map(({ path }) => path)).toEqual([
    ["contact", "phone"],
    ["contact", "notify"],
  ]);
});

test("a member of an object of the API is an attribute of its own, which knows where it is read and written", () => {
  const { limits_vss_num: quota } = members(
    { name: "limits", description: "Quotas.", whole: true },
    { vss_num: integer("Most services.") },
  );
  expect(quota).toMatchObject({
    memberOf: { name: "limits", whole: true },
    readPath: ["limits", "vss_num"],
    writtenTo: ["limits", "vss_num"],
  });
});

test("a description is listed once", () => {
  expect(locatedIn(attributes)).toBe(locatedIn(attributes));
});
