/** What `tenancy drift --metrics` writes, read by the client library of Prometheus: covers src/render/metrics/index.ts. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DriftReport } from "../../../src/plan";
import { driftMetrics } from "../../../src/render/metrics";
import { account } from "../../../src/resources/account/description";
import { describeWith } from "../../support/programs";

const run = promisify(execFile);

const READER = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = {}
for family in text_string_to_metric_families(open(sys.argv[1], encoding="utf-8", newline="").read()):
    samples = [[sample.labels, sample.value] for sample in family.samples]
    families[family.name] = {"type": family.type, "help": family.documentation, "samples": samples}
print(json.dumps(families))
`;

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly (readonly [Readonly<Record<string, string>>, number])[];
}

const report = (stack: string): DriftReport => ({
  stack,
  targets: [],
  status: "outside",
  drift: ["email", "level"].map((path) => ({
    kind: "changed",
    description: account,
    address: "tenancy_account.acme",
    constructPath: undefined,
    provider: "tenancy",
    title: "acme",
    id: "account:1:2",
    path: [path],
    from: undefined,
    to: 1,
    undone: false,
    remark: undefined,
    sensitive: [],
    live: {},
  })),
  ignored: [],
  unmanagedUsers: [],
  unremembered: 0,
  tokens: { checked: 3, refused: 0, expiring: 2 },
  ends: { overdue: 2, nextInDays: 5 },
  rotations: { due: 1, nextInDays: 12 },
  warnings: [],
  checkedAt: "2026-03-01T12:00:00.000Z",
});

describeWith(
  ["prometheus-python"],
  "with the client library of Prometheus",
  ({ "prometheus-python": python }) => {
    const read = async (text: string): Promise<Readonly<Record<string, Family>>> => {
      const folder = await mkdtemp(join(tmpdir(), "tenancy-metrics-"));
      try {
        const file = join(folder, "tenancy.prom");
        await writeFile(file, text);
        const { stdout } = await run(python, ["-c", READER, file]);
        return JSON.parse(stdout) as Record<string, Family>;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    };

    test("each metric has a type, a help and its samples", async () => {
      const now = new Date("2026-03-01T12:00:00.500Z");
      const families = await read(driftMetrics([report("staging"), report("prod")], 1.25, now));
      expect(Object.keys(families)).toEqual([
        "tenancy_drift_objects",
        "tenancy_last_success_timestamp_seconds",
        "tenancy_check_duration_seconds",
        "tenancy_access_overdue",
        "tenancy_access_ending_days",
        "tenancy_tokens_due",
        "tenancy_token_rotation_days",
        "tenancy_tokens_expiring",
      ]);
      for (const { type, help } of Object.values(families)) {
        expect(type).toBe("gauge");
        expect(help).not.toBe("");
      }
      expect(families["tenancy_drift_objects"]?.samples).toContainEqual([
        { stack: "prod", kind: "changed" },
        1,
      ]);
      expect(families["tenancy_drift_objects"]?.samples).toContainEqual([
        { stack: "prod", kind: "deleted" },
        0,
      ]);
      expect(families["tenancy_last_success_timestamp_seconds"]?.samples).toEqual([
        [{}, now.getTime() / 1000],
      ]);
      expect(families["tenancy_check_duration_seconds"]?.samples).toEqual([[{}, 1.25]]);
      expect(families["tenancy_access_overdue"]?.samples).toContainEqual([{ stack: "prod" }, 2]);
      expect(families["tenancy_access_ending_days"]?.samples).toContainEqual([{ stack: "prod" }, 5]);
      expect(families["tenancy_tokens_due"]?.samples).toContainEqual([{ stack: "prod" }, 1]);
      expect(families["tenancy_token_rotation_days"]?.samples).toContainEqual([{ stack: "prod" }, 12]);
      expect(families["tenancy_tokens_expiring"]?.samples).toEqual([[{}, 4]]);
    });

    test.each([['a "quoted" stack'], ["back\\slash"], ["line\nend"], ["} 1\ninjected 2"], ["ünï 👍"]])(
      "a stack called %j keeps its name",
      async (name) => {
        const families = await read(driftMetrics([report(name)], 0, new Date(0)));
        expect(Object.keys(families)).toHaveLength(8);
        const stacks = families["tenancy_drift_objects"]?.samples.map(([{ stack }]) => stack);
        expect(new Set(stacks)).toEqual(new Set([name]));
      },
    );
  },
);
