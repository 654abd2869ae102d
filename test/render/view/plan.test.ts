import type { OutputChange } from "../../../src/plan";
import { viewText } from "../../../src/render/text";
import { plain } from "../../../src/render/text/paint";
import { bareText, name, planView, word } from "../../../src/render/view";
import { row, section, value, view } from "../../../src/render/view/document";
import { outputRows } from "../../../src/render/view/plan";
import type { Value } from "../../../src/lib/values";
import { change, plan } from "../../support/plans";

const user = (username: string, facts = {}) =>
  change({ kind: "user_profile", name: username, key: `${username}@acme`, ...facts });

test("a view tells names, values and words of ours apart, for those that render it", () => {
  const view = planView(plan([user("jane", { before: { email: "a" }, after: { email: "b" } })]));
  expect(view.title).toEqual([{ kind: "name", text: "storage" }]);
  expect(view.lines[0]?.map(({ kind }) => kind)).toEqual(["name", "word", "name"]);
  const [changes] = view.sections;
  expect(changes).toMatchObject({ id: "changes", form: "objects", omittedCount: 0 });
  expect(changes?.groups[0]?.[0]).toMatchObject({
    action: "update",
    name: [{ kind: "name", text: "tenancy_user_profile.jane" }],
    facts: [{ label: { kind: "name", text: "email" }, items: [[{ kind: "value", text: '"a" -> "b"' }]] }],
  });
});

test("access and deletes are vital, and what is left out of a list is counted", () => {
  const view = planView(
    plan([user("bob", { before: { permissions: { "vss.remove_vss": true } } })], {
      unmanagedUsers: Array.from({ length: 13 }, (_unused, index) => ({
        type: "tenancy_user_profile",
        key: `u${index}@acme`,
        id: "1",
        origin: "https://storage.example",
        rights: [],
        preset: null,
        marks: [],
        active: true,
      })),
    }),
  );
  const weights = view.sections.map(({ id, groups, omittedCount }) => [
    id,
    groups[0]?.[0]?.weight,
    omittedCount,
  ]);
  expect(weights).toEqual([
    ["access", "vital", 0],
    ["changes", "vital", 0],
    ["unmanaged", "usual", 3],
  ]);
});

test("what stops a plan stands before its warnings, each finding once", () => {
  const warning = { severity: "warning", code: "TENANCY_SECRET_NOT_SENT", summary: "w" } as const;
  const refusal = { severity: "error", code: "TENANCY_SELF_CHANGE", summary: "e" } as const;
  const view = planView(plan([], { warnings: [warning, warning] }), { refusals: [refusal] });
  expect(view.findings).toEqual([refusal, warning]);
  expect(bareText(view.summary)).toContain("Refused");
});

test("each section that has rows is shown, a table too", () => {
  const users = view({
    title: [name("access")],
    summary: [word("2 users.")],
    sections: [
      section({ id: "users", title: "Users", form: "table", columns: ["user", "level"] }, [
        row({ name: [name("jane@acme")], cells: [[value("1")]] }),
        row({ name: [name("b@acme")], cells: [[value("10")]] }),
      ]),
    ],
  });
  expect(viewText(users, plain)).toBe(`access

Users
    user       level
    jane@acme  1
    b@acme     10

2 users.`);
});

test("outputs stand in the order that Terraform gives their names, and those of one name as they were handed over", () => {
  const output = (of: string, after: Value): OutputChange => ({
    name: of,
    action: "create",
    after,
    type: "string",
    sensitive: false,
    description: undefined,
  });
  const [later, earlier] = ["\u{1d49c}", "\uff41"];
  expect(later < earlier).toBe(true);
  const rows = outputRows([output(later, "x"), output(earlier, "second"), output(earlier, "first")]);
  expect(rows.map((one) => [bareText(one.name), bareText(one.about)])).toEqual([
    [earlier, '"second"'],
    [earlier, '"first"'],
    [later, '"x"'],
  ]);
});
