import { type ObjectValue, UNKNOWN } from "../../../src/lib/values";
import { refusals, type DraftFacts } from "../../support/drafts";
import { change, type ChangeFacts } from "../../support/plans";

// Drafts are judged at noon of the first of March.
const token = (retiredAt: string, more: ObjectValue = {}): ObjectValue => ({
  login: "csi@acme",
  name: "prod",
  serial: "ATH2",
  access_token: "1/two",
  previous: [{ serial: "ATH1", access_token: "1/one", created_at: null, retired_at: retiredAt }],
  ...more,
});
const YESTERDAY = "2026-02-28T12:00:00Z";
const LONG_AGO = "2026-01-28T12:00:00Z";

const rotated = (more: ObjectValue = {}): ObjectValue =>
  token(YESTERDAY, { serial: UNKNOWN, access_token: UNKNOWN, previous: UNKNOWN, ...more });

function verdict(
  before: ObjectValue,
  after: ObjectValue,
  facts: DraftFacts = {},
  more: Partial<ChangeFacts> = {},
) {
  const one = change({ kind: "authorization", name: "csi", key: "csi@acme/prod", before, after, ...more });
  return refusals([one], facts);
}

const REFUSED = ["TENANCY_RETIRES_EARLY tenancy_authorization.csi"];

test("a rotation does not end an earlier token before its time, unless the run allows it", () => {
  expect(verdict(token(YESTERDAY), rotated())).toEqual(REFUSED);
  expect(verdict(token(YESTERDAY), rotated(), { permits: { retireEarly: true } })).toEqual([]);
});

test("a rotation may end a token whose time is over, and keeps as many as are declared", () => {
  expect(verdict(token(LONG_AGO), rotated())).toEqual([]);
  expect(verdict(token(YESTERDAY), rotated({ retain_previous: 2 }))).toEqual([]);
});

test("a shorter time that is declared is no early end", () => {
  expect(verdict(token(YESTERDAY), rotated({ retain_previous_for: "1h" }))).toEqual([]);
});

test("what creates no token ends none early", () => {
  const fewer = token(YESTERDAY, { previous: [] });
  expect(verdict(token(YESTERDAY), fewer)).toEqual([]);
  expect(verdict(token(YESTERDAY), rotated(), {}, { action: "replace" })).toEqual([]);
  const user = { kind: "user_profile", name: "csi" } as const;
  expect(verdict(token(YESTERDAY), rotated(), {}, user)).toEqual([]);
});
