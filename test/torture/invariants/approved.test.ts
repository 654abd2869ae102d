/** Holds the sentence about approval against writes that no entry allows. */
import { STACK } from "../../support/synthesized-app";
import { OWNER } from "../model/declaration";
import { unapprovedAccess } from "./approved";

const user = (login: string, level: number, isGranted: boolean) => ({
  login,
  level,
  permissions: { vss: { rights: { format_disks: isGranted } } },
});
const NOBODY = { login: "josé@acme", level: 1, permissions: {} };

function findings(
  before: object | undefined,
  after: object,
  allows: readonly string[],
  until = "9999-01-01",
) {
  const entries = [{ stack: STACK, owner: OWNER, origin: "", until, allows }];
  const commits = [{ kind: "profile", before, after }];
  const exchanges = [{ method: "PATCH", path: "/api/user-profile/1", commits }];
  return unapprovedAccess.violations({
    approval: { level: "access", entries },
    exchanges,
  } as never);
}

test.each([
  [
    "a right",
    user("jane@acme", 1, false),
    user("jane@acme", 1, true),
    "jane@acme gains vss.format_disks (destructive)",
  ],
  [
    "a right of a new user",
    undefined,
    user("jane@acme", 1, true),
    "jane@acme gains every right (destructive)",
  ],
  [
    "a right of a quoted user",
    NOBODY,
    user("josé@acme", 1, true),
    '"josé"@acme gains vss.update_vss, vss.format_disks',
  ],
  ["a higher level", user("jane@acme", 1, false), user("jane@acme", 3, false), "jane@acme level raised to 3"],
])("%s counts as gained, unless an entry of today names it", (_what, before, after, line) => {
  expect(findings(before, after, [line])).toEqual([]);
  for (const [lines, until] of [
    [[]],
    [["eve@acme gains vss.format_disks (destructive)"]],
    [[line], "2020-01-01"],
  ] as const)
    expect(findings(before, after, lines, until)).toHaveLength(1);
});

test("losses need no approval", () => {
  expect(findings(user("jane@acme", 3, true), user("jane@acme", 1, false), [])).toEqual([]);
});
