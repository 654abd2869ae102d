/** The names of all attributes: covers the descriptions in src/resources. */
import { worded } from "../../src/problems";
import { resources } from "../../src/resources";
import { ALL_RIGHTS, explainRight } from "../../src/service/rights";
import { conform, validate, type Attributes } from "../../src/schema";
import type { ObjectValue } from "../../src/lib/values";

/** Each name that a user may write, and where it stands: the members of contacts, which are objects, besides. */
function namesIn(attributes: Attributes): readonly (readonly string[])[] {
  return Object.entries(attributes).flatMap(([name, { presence, shape }]) => {
    if (presence === "computed") return [];
    const inner = shape.kind === "group" ? namesIn(shape.attributes) : [];
    return [[name], ...inner.map((path) => [name, ...path])];
  });
}

/** A letter is missing. */
const shortened = (name: string) => name.slice(0, -2) + name.slice(-1);

const FAMILIES = [...resources].map(([type, { description }]) => ({
  type,
  attributes: description.attributes,
}));

describe.each(FAMILIES)("a misspelt attribute of $type is named with the nearest one", ({ attributes }) => {
  test.each(namesIn(attributes).map((path) => [path.join("."), path] as const))("%s", (_name, path) => {
    const [last = "", ...outer] = [...path].reverse();
    const config = outer.reduce<ObjectValue>((inner, name) => ({ [name]: inner }), {
      [shortened(last)]: "x",
    });
    expect(worded(conform(attributes, config).findings)).toContainEqual(
      expect.objectContaining({
        code: "TENANCY_UNKNOWN_ATTRIBUTE",
        attribute: [...outer.reverse(), shortened(last)],
        advice: `Did you mean "${last}"?`,
      }),
    );
  });
});

test("only members of contacts stand inside an object, where Terraform drops unknown names without a word", () => {
  const inside = FAMILIES.flatMap(({ type, attributes }) =>
    namesIn(attributes)
      .filter((path) => path.length > 1)
      .map(([name = ""]) => `${type}.${name}`),
  );
  expect([...new Set(inside)]).toEqual([
    "tenancy_account.primary_contact",
    "tenancy_account.billing_contact",
  ]);
});

test.each(ALL_RIGHTS)("a misspelt %s is named with what it lets its holder do", (right) => {
  const { attributes } = resources.get("tenancy_user_profile")!.description;
  expect(worded(validate(attributes, { permissions: { [shortened(right)]: true } }))).toMatchObject([
    {
      code: "TENANCY_UNKNOWN_RIGHT",
      attribute: ["permissions", shortened(right)],
      advice: `Did you mean "${right}"? ${explainRight(right)}`,
    },
  ]);
});

test.each([
  ["tenancy_user_profile", 45],
  ["tenancy_account", 65],
])("%s has at most %d attributes, nested ones counted", (type, most) => {
  const count = (attributes: Attributes): number =>
    Object.values(attributes).reduce(
      (sum, { shape }) => sum + 1 + (shape.kind === "group" ? count(shape.attributes) : 0),
      0,
    );
  expect(count(resources.get(type)!.description.attributes)).toBeLessThanOrEqual(most);
});
