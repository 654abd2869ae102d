/** Plans in which names hold markup, mentions, commands and scripts. */
import * as fc from "fast-check";
import type { Plan } from "../../../src/plan";
import { anyCharacter } from "../any-character";
import { change, plan } from "../plans";

const user = (username: string, facts = {}) =>
  change({ kind: "user_profile", name: username, key: `${username}@acme`, ...facts });

const permissions = (...rights: readonly string[]) => ({
  permissions: Object.fromEntries(rights.map((right) => [right, true])),
});

const NASTY = [
  "`",
  "``",
  "|",
  "\\",
  "\\|",
  "</details>",
  "<!--",
  "-->",
  "<img src=x>",
  "@team",
  "#1",
  "GH-1",
  "!2",
  "/approve",
  "\n",
  "\r\n/merge",
  "\n\n# x",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u2028",
  "[a](b)",
  "![a](b)",
  "https://x.example",
  "www.x.example",
  "a@b.example",
  "~~",
  "**",
  "_",
  ":tada:",
  "$",
  "&#64;",
  "&lt;",
  "\t",
  "- [ ] x",
  "|---|",
  "[^1]:",
  "\u0000",
  "<br>",
  " ",
  "'",
  '"',
  "\u001b[2J",
  "<script>",
  "</script>",
  "</style>",
  "<svg onload=x>",
  '" onclick="x',
  "' style='x",
  "]]>",
  "<!doctype",
  "&amp",
  "javascript:x",
];
const hostileName = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), anyCharacter, fc.constantFrom(..."ab1")), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

export const hostilePlan = fc
  .tuple(fc.array(hostileName, { minLength: 8, maxLength: 8 }), fc.boolean())
  .map(([names, grouped]): Plan => {
    const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = ""] = names;
    const users = Array.from({ length: grouped ? 30 : 1 }, (_unused, index) =>
      user(`${a}${index}`, {
        after: { username: b, email: c, permissions: { [d]: true, "vss.remove_vss": true } },
      }),
    );
    return plan(
      [
        ...users,
        user(e, { before: { email: b, vss_scope: [a] }, after: { email: f, vss_scope: [c, d] }, notes: [g] }),
        user(g, { before: permissions(h) }),
        user(h, { action: "none", before: {}, after: {}, importId: a, notes: [b] }),
      ],
      {
        stack: h,
        targets: [{ provider: "tenancy", origin: a, caller: c }],
        retained: [{ type: "t", key: d, id: e, reason: f, users: 2 }],
        unmanagedUsers: [
          {
            type: "t",
            key: g,
            id: h,
            origin: a,
            rights: [b],
            preset: c,
            marks: ["privileged"],
            active: false,
          },
        ],
        renames: [{ from: d, id: "1", to: e, address: f }],
        evaluated: [
          { address: g, mode: "managed", type: "null_resource", values: {}, sensitive: [], constructPath: h },
        ],
        outputs: [
          { name: a, action: "create", after: { [b]: c }, type: "string", sensitive: false, description: d },
        ],
        warnings: [
          {
            severity: "warning",
            code: "TENANCY_NOT_REVOKED",
            summary: e,
            detail: f,
            advice: g,
            address: h,
            attribute: [a],
          },
        ],
      },
    );
  });
