import type { ApplyResult } from "../../../src/plan";
import {
  appliedEvents,
  applyEvent,
  applyProgress,
  diagnosticEvent,
  planEvents,
  versionEvent,
} from "../../../src/render/json";
import { change, plan } from "../../support/plans";

const now = new Date("2026-03-01T12:00:00.000Z");
const acme = change({ kind: "account", name: 'acme["eu"]', key: "acme", after: { name: "acme" } });
const head = { "@level": "info", "@module": "terraform.ui", "@timestamp": "2026-03-01T12:00:00.000Z" };
const resource = {
  addr: 'tenancy_account.acme["eu"]',
  module: "",
  resource: 'tenancy_account.acme["eu"]',
  implied_provider: "tenancy",
  resource_type: "tenancy_account",
  resource_name: "acme",
  resource_key: "eu",
};

test("the first event tells the versions", () => {
  expect(versionEvent("0.1.0", now)).toEqual({
    ...head,
    "@message": "Tenancy 0.1.0",
    type: "version",
    terraform: "1.11.0",
    tenancy: "0.1.0",
    ui: "1.2",
  });
});

test("a plan is an event for each change, and a summary", () => {
  const events = planEvents(
    plan([acme], {
      outputs: [
        { name: "o", action: "create", after: 1, type: "number", sensitive: false, description: undefined },
      ],
    }),
    now,
  );
  expect(events).toEqual([
    {
      ...head,
      "@message": 'tenancy_account.acme["eu"]: Plan to create',
      type: "planned_change",
      change: { resource, action: "create" },
    },
    {
      ...head,
      "@message": "Plan: 1 to add, 0 to change, 0 to destroy.",
      type: "change_summary",
      changes: { add: 1, change: 0, import: 0, remove: 0, operation: "plan" },
    },
    {
      ...head,
      "@message": "Outputs: 1",
      type: "outputs",
      outputs: { o: { sensitive: false, action: "create" } },
    },
  ]);
});

test("each step of an apply is an event", () => {
  expect(applyEvent({ kind: "started", change: acme, operation: "create" }, now)).toEqual({
    ...head,
    "@message": 'tenancy_account.acme["eu"]: Creating...',
    type: "apply_start",
    hook: { resource, action: "create" },
  });
  expect(applyProgress(acme, "create", 10_000, now)).toEqual({
    ...head,
    "@message": 'tenancy_account.acme["eu"]: Still creating... [10s elapsed]',
    type: "apply_progress",
    hook: { resource, action: "create", elapsed_seconds: 10 },
  });
  expect(
    applyEvent(
      { kind: "finished", change: acme, operation: "create", id: "account:1:4", milliseconds: 1200 },
      now,
    ),
  ).toEqual({
    ...head,
    "@message": 'tenancy_account.acme["eu"]: Creation complete after 1s',
    type: "apply_complete",
    hook: { resource, action: "create", id_key: "id", id_value: "account:1:4", elapsed_seconds: 1 },
  });
  expect(
    applyEvent(
      { kind: "failed", change: acme, operation: "create", diagnostics: [], milliseconds: 1200 },
      now,
    ),
  ).toMatchObject({ type: "apply_errored", hook: { action: "create", elapsed_seconds: 1 } });
});

const result: ApplyResult = {
  ok: true,
  applied: [acme],
  failed: [],
  notTried: [],
  outputs: [],
  diagnostics: [],
};

test("an apply ends with a summary", () => {
  expect(appliedEvents(result, false, now)).toEqual([
    {
      ...head,
      "@message": "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
      type: "change_summary",
      changes: { add: 1, change: 0, import: 0, remove: 0, operation: "apply" },
    },
  ]);
});

test("a failed apply tells its errors, and what was done nevertheless", () => {
  const diagnostics = [{ severity: "error", code: "TENANCY_NOT_REVOKED", summary: "s" }] as const;
  const events = appliedEvents({ ...result, ok: false, failed: [{ change: acme, diagnostics }] }, true, now);
  expect(events.map((event) => [event.type, event["@message"]])).toEqual([
    ["diagnostic", "Error: s"],
    ["change_summary", "Destroy incomplete! Resources: 1 added, 0 changed, 0 destroyed."],
  ]);
});

test("a diagnostic has Terraform's members, and the stable code", () => {
  expect(
    diagnosticEvent(
      {
        severity: "error",
        code: "TENANCY_NOT_REVOKED",
        summary: "s",
        detail: "d",
        advice: "a",
        attribute: ["limits_vss_num"],
      },
      now,
    ),
  ).toEqual({
    ...head,
    "@level": "error",
    "@message": "Error: s",
    type: "diagnostic",
    diagnostic: {
      severity: "error",
      summary: "s",
      detail: "d\na",
      code: "TENANCY_NOT_REVOKED",
      attribute: "limits_vss_num",
    },
  });
});

test("a sensitive output has a type, and no value", () => {
  const outputs = [
    {
      name: "o",
      action: "none",
      after: ["x"],
      type: ["list", "string"],
      sensitive: false,
      description: undefined,
    },
    { name: "s", action: "none", after: "x", type: "string", sensitive: true, description: undefined },
    {
      name: "k",
      action: "none",
      after: { secret: 1 },
      type: ["object", { secret: "number" }],
      sensitive: true,
      description: undefined,
    },
  ] as const;
  expect(appliedEvents({ ...result, outputs }, false, now)[1]).toMatchObject({
    type: "outputs",
    outputs: {
      o: { sensitive: false, type: ["list", "string"], value: ["x"] },
      s: { sensitive: true, type: "string" },
      k: { sensitive: true, type: "dynamic" },
    },
  });
});
