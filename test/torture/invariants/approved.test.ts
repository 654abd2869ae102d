/** Holds the sentence about approval against writes that no pair approves. */
import { STACK } from "../../support/synthesized-app";
import { pairIn } from "../../support/pairs";
import { unapprovedAccess } from "./approved";

const user = (login: string, level: number, isGranted: boolean) => ({
  login,
  level,
  permissions: { vss: { rights: { format_disks: isGranted } } },
});
const NOBODY = { login: "josé@acme", level: 1, permissions: {} };

function findings(before: object | undefined, after: object, pairs: readonly string[], until = "9999-01-01") {
  const entries = [{ stack: STACK, service: "", until, pairs: pairs.map(pairIn) }];
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
    "user: jane@acme, permission: vss.format_disks, until: never",
  ],
  [
    "a right of a new user",
    undefined,
    user("jane@acme", 1, true),
    "user: jane@acme, permissions: all, until: never",
  ],
  [
    "a right of a quoted user",
    NOBODY,
    user("josé@acme", 1, true),
    "user: josé@acme, permissions: [vss.update_vss, vss.format_disks], until: never",
  ],
  [
    "a higher level",
    user("jane@acme", 1, false),
    user("jane@acme", 3, false),
    "user: jane@acme, level: 3, until: never",
  ],
])("%s counts as gained, unless a pair of today names it", (_what, before, after, pair) => {
  expect(findings(before, after, [pair])).toEqual([]);
  for (const [pairs, until] of [
    [[]],
    [["user: eve@acme, permission: vss.format_disks, until: never"]],
    [[pair], "2020-01-01"],
  ] as const)
    expect(findings(before, after, pairs, until)).toHaveLength(1);
});

test("losses need no approval", () => {
  expect(findings(user("jane@acme", 3, true), user("jane@acme", 1, false), [])).toEqual([]);
});
