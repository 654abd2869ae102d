/** Rules about two plan calls of one walk, which come in any order. */
import { type Conflict, PlanJournal } from "../../src/provider/journal";
import { UNKNOWN } from "../../src/lib/values";

describe("one record, planned at two addresses", () => {
  const ID = "account:1:2";

  /** The calls of Terraform for one address, each with the conflicts that it reports. */
  const calls = {
    kept: (journal: PlanJournal) => [journal.recordDeclared(ID, { isReplaced: false })],
    replaced: (journal: PlanJournal) => [
      journal.recordDeclared(ID, { isReplaced: true }),
      ...journal.recordDeleted(ID, { isReplaced: true }),
    ],
    deleted: (journal: PlanJournal) => journal.recordDeleted(ID, { isReplaced: false }),
    created: (journal: PlanJournal) => [journal.recordCreated(ID)],
    refreshed: (journal: PlanJournal) => {
      journal.recordRefreshed(ID, { id: ID, name: "acme" });
      return [];
    },
  };

  const conflictsIn = (order: readonly (keyof typeof calls)[]) => {
    const journal = new PlanJournal();
    const conflicts = order.map((call): readonly (Conflict | undefined)[] => calls[call](journal));
    return conflicts.flat().filter((one) => one !== undefined);
  };

  test.each<[readonly (keyof typeof calls)[], readonly Conflict[]]>([
    [["kept"], []],
    [["kept", "kept"], []],
    [["replaced"], []],
    [["deleted"], []],
    [["created"], []],
    [["created", "created"], []],
    [["kept", "deleted"], ["deleted and kept"]],
    [["deleted", "kept"], ["deleted and kept"]],
    [["kept", "replaced"], ["deleted and kept"]],
    [["replaced", "kept"], ["deleted and kept"]],
    [["kept", "created"], ["created and kept"]],
    [["created", "kept"], ["created and kept"]],
    [["created", "deleted"], ["created and deleted"]],
    [["deleted", "created"], ["created and deleted"]],
    [["created", "replaced"], ["created and deleted"]],
    [["replaced", "created"], ["created and deleted"]],
  ])("%j: %j", (order, conflicts) => {
    expect(conflictsIn(order)).toEqual(conflicts);
  });

  test("is taken for tainted if it was refreshed and not planned: the first create deletes it, and a second one is refused", () => {
    expect(conflictsIn(["refreshed", "created"])).toEqual([]);
    expect(conflictsIn(["refreshed", "created", "created"])).toEqual(["created and deleted"]);
    expect(conflictsIn(["created", "refreshed", "created"])).toEqual(["created and deleted"]);
    expect(conflictsIn(["refreshed", "kept", "created"])).toEqual(["created and kept"]);
    const journal = new PlanJournal();
    for (const call of ["refreshed", "created"] as const) calls[call](journal);
    expect([...journal.deletedIds]).toEqual([ID]);
  });
});

describe("a token that is kept while its user is deleted", () => {
  const deploy = { login: "ci@acme", name: "deploy" };

  test("is reported once, by the later call", () => {
    const tokenFirst = new PlanJournal();
    expect(tokenFirst.tokenKept(deploy)).toBe(false);
    expect(tokenFirst.userDeleted("ci@acme")).toEqual([deploy]);
    const userFirst = new PlanJournal();
    expect(userFirst.userDeleted("ci@acme")).toEqual([]);
    expect(userFirst.tokenKept(deploy)).toBe(true);
  });

  test("ends with the account, too, and is then not reported again", () => {
    const journal = new PlanJournal();
    const primary = { login: "acme", name: "admin" };
    for (const token of [deploy, primary, { login: "ci@globex", name: "deploy" }]) journal.tokenKept(token);
    expect(journal.userDeleted("acme")).toEqual([deploy, primary]);
    expect(journal.userDeleted("ci@acme")).toEqual([]);
  });

  test("is not reported once its own delete is planned, or if its user is another one", () => {
    const journal = new PlanJournal();
    journal.tokenKept(deploy);
    journal.tokenDeleted(deploy);
    expect(journal.userDeleted("ci@acme")).toEqual([]);
    expect(journal.tokenKept({ ...deploy, login: "jane@acme" })).toBe(false);
  });
});

test("a user is as the plan leaves it, unknown while its own call is yet to come, and undefined if the walk is not about it", () => {
  const journal = new PlanJournal();
  expect(journal.plannedUser("ci@acme")).toBeUndefined();
  journal.recordRefreshed("user_profile:1:3", { login: "ci@acme", access_api: false });
  expect(journal.plannedUser("ci@acme")).toMatchObject({ access_api: UNKNOWN });
  journal.recordDeclared("user_profile:1:3", { isReplaced: false });
  journal.userPlanned("ci@acme", { access_api: true });
  expect(journal.plannedUser("ci@acme")).toEqual({ access_api: true });
});
