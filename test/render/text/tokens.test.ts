import { paint, tokensText } from "../../../src/render/text";
import type { ShownTokens } from "../../../src/render/text/tokens";

const plain = paint(false);
const NOW = new Date("2026-01-05T03:04:06Z");

/** Created by a service that says neither when nor for how long. */
const TOKEN = { createdAt: null, persistent: true, endsAt: null, previous: [] };

const kept: ShownTokens = {
  state: ".tenancy/state.json",
  origin: "https://storage.example",
  stack: "prod",
  tokens: [
    {
      login: "csi@globex",
      name: "csi-prod",
      serial: "ATH47000000000000002",
      createdAt: "2026-01-02T03:04:05.678+00:00",
      persistent: true,
      endsAt: null,
      previous: [
        {
          serial: "ATH47000000000000001",
          createdAt: null,
          retiredAt: "2026-01-02T03:04:06.000Z",
          goodUntil: "2026-01-09T03:04:06.000Z",
        },
        {
          serial: "ATH47000000000000000",
          createdAt: "2026-01-01T03:04:06Z",
          retiredAt: "2026-01-01T23:00:00Z",
          goodUntil: "2026-01-02T23:00:00Z",
        },
      ],
    },
    { ...TOKEN, login: "jane@globex", name: "laptop", serial: "ATH47000000000000003" },
  ],
  intents: [],
  failedRevocations: [],
  exists: true,
  doubtful: [],
};

test("tokens stand in columns with their ages, those that they replaced below them with their ends", () => {
  expect(tokensText(kept, plain, NOW)).toBe(
    [
      "https://storage.example · prod · .tenancy/state.json",
      "  csi@globex/csi-prod  ATH47000000000000002  created 2026-01-02T03:04:05.678+00:00 (3 days ago), never ends",
      "    replaced           ATH47000000000000001  created at an unknown time, replaced 2026-01-02T03:04:06.000Z (3 days ago), valid until 2026-01-09T03:04:06.000Z (in 4 days)",
      "    replaced           ATH47000000000000000  created 2026-01-01T03:04:06Z (4 days ago), replaced 2026-01-01T23:00:00Z (3 days ago), was valid until 2026-01-02T23:00:00Z (2 days ago): the next apply revokes it",
      "  jane@globex/laptop   ATH47000000000000003  created at an unknown time, never ends",
    ].join("\n"),
  );
});

test("of a token that the service was found to refuse no end is told", () => {
  const refusedAt = "2026-01-04T03:04:06.000Z";
  const [token, other] = kept.tokens;
  const [previous] = token!.previous;
  const tokens = [{ ...token!, refusedAt, previous: [{ ...previous!, refusedAt }] }, other!];
  expect(
    tokensText({ ...kept, tokens }, plain, NOW)
      .split("\n")
      .slice(1),
  ).toEqual([
    "  csi@globex/csi-prod  ATH47000000000000002  created 2026-01-02T03:04:05.678+00:00 (3 days ago), found refused by the service 2026-01-04T03:04:06.000Z (24 hours ago): where it is declared, the next apply creates a new one",
    "    replaced           ATH47000000000000001  created at an unknown time, replaced 2026-01-02T03:04:06.000Z (3 days ago), found refused by the service 2026-01-04T03:04:06.000Z (24 hours ago)",
    "  jane@globex/laptop   ATH47000000000000003  created at an unknown time, never ends",
  ]);
});

test.each([
  ["of which the service said no end never ends", {}, "never ends"],
  [
    "with a lifetime tells when it ends",
    { persistent: false, endsAt: "2026-01-17T04:04:06.000Z" },
    "ends 2026-01-17T04:04:06.000Z (in 12 days)",
  ],
  [
    "whose time is over tells since when",
    { persistent: false, endsAt: "2026-01-03T02:04:06.000Z" },
    "ended 2026-01-03T02:04:06.000Z (2 days ago)",
  ],
  [
    "with a lifetime that was created at an unknown time ends at an unknown time",
    { persistent: false },
    "ends at an unknown time",
  ],
])("a token %s", (_title, life, expected) => {
  const token = { ...TOKEN, login: "jane@globex", name: "laptop", serial: "ATH4703", ...life };
  const text = tokensText({ ...kept, tokens: [token] }, plain, NOW);
  expect(text).toContain(`  jane@globex/laptop  ATH4703  created at an unknown time, ${expected}`);
});

test("a replaced token whose end no declaration tells is shown as still valid", () => {
  const previous = [
    { serial: "ATH4701", createdAt: null, retiredAt: "2026-01-05T03:03:26Z", goodUntil: null },
  ];
  const token = { ...TOKEN, login: "jane@globex", name: "laptop", serial: "ATH4703", previous };
  expect(tokensText({ ...kept, tokens: [token] }, plain, NOW)).toContain(
    "replaced 2026-01-05T03:03:26Z (40 seconds ago), still valid, and no declaration tells until when",
  );
});

test("what is unsettled says how to settle it", () => {
  const text = tokensText(
    {
      ...kept,
      tokens: [],
      intents: [{ id: "2b6e2a7e", login: "csi@globex", name: "csi-prod", startedAt: "2026-01-02T03:04:05Z" }],
      failedRevocations: [
        { login: "csi@globex", name: "old", serial: "ATH4700", failedAt: "2026-01-02T03:04:05Z" },
      ],
    },
    plain,
    NOW,
  );
  expect(text).toContain("\n  no tokens\n\nUnsettled\n");
  expect(text).toContain(
    "csi@globex/csi-prod  may exist at the service and is not in the state: a run was about to create it at 2026-01-02T03:04:05Z",
  );
  expect(text).toContain("tenancy token revoke 2b6e2a7e");
  expect(text).toContain(
    "csi@globex/old  ATH4700 is still to be revoked, tried last at 2026-01-02T03:04:05Z",
  );
  expect(text).toContain("tenancy token revoke ATH4700");
});

test("what a state or service put into a name never reaches the terminal as more than a name", () => {
  const [token] = kept.tokens;
  const text = tokensText(
    { ...kept, tokens: [{ ...token!, name: "a\u001b[2J\nb", serial: "\u202eS" }] },
    plain,
    NOW,
  );
  expect(text).toContain("csi@globex/a b");
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u202e");
});
