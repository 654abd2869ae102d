/**
 * Writes the results of drift as metrics, in the text format of Prometheus, for the textfile collector of node_exporter. One file contains all stacks of a
 * run, and is written only if all of them could be checked.
 */
import { DRIFT_KINDS, driftByObject, type DriftReport } from "../../plan";

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * @param seconds how long all of it took
 * @param now when it ended
 */
export function driftMetrics(reports: readonly DriftReport[], seconds: number, now: Date): string {
  const metrics: readonly Metric[] = [
    {
      name: "tenancy_drift_objects",
      help: "Objects in which live, declared and last applied differ, by what became of them.",
      samples: reports.flatMap(({ stack, drift }) =>
        DRIFT_KINDS.map((kind) => ({
          labels: { stack, kind },
          value: driftByObject(drift.filter((one) => one.kind === kind)).length,
        })),
      ),
    },
    {
      name: "tenancy_last_success_timestamp_seconds",
      help: "When all stacks were looked at last, in seconds since 1970.",
      samples: [{ value: now.getTime() / 1000 }],
    },
    {
      name: "tenancy_check_duration_seconds",
      help: "How long looking at all stacks took.",
      samples: [{ value: seconds }],
    },
    {
      name: "tenancy_access_overdue",
      help: "Access whose last day is over and that is still granted.",
      samples: reports.map(({ stack, ends }) => ({ labels: { stack }, value: ends.overdue })),
    },
    {
      name: "tenancy_access_ending_days",
      help: "Days until the next end of declared access, 0 on the last day. There is none where nothing ends.",
      samples: reports.flatMap(({ stack, ends }) =>
        ends.nextInDays === null ? [] : [{ labels: { stack }, value: ends.nextInDays }],
      ),
    },
    {
      name: "tenancy_tokens_due",
      help: "Tokens that are as old as their rotate_after says, and not rotated yet.",
      samples: reports.map(({ stack, rotations }) => ({ labels: { stack }, value: rotations.due })),
    },
    {
      name: "tenancy_token_rotation_days",
      help: "Days until the next token is due for rotation, 0 on the day. There is none where no token has rotate_after.",
      samples: reports.flatMap(({ stack, rotations }) =>
        rotations.nextInDays === null ? [] : [{ labels: { stack }, value: rotations.nextInDays }],
      ),
    },
    {
      name: "tenancy_tokens_expiring",
      help: "Tokens that are still valid and end within seven days: those that a rotation has replaced, and those with a lifetime.",
      samples: [{ value: reports.reduce((sum, { tokens }) => sum + tokens.expiring, 0) }],
    },
  ];
  return metrics.map(metricText).join("");
}

function metricText({ name, help, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
  return [`# HELP ${name} ${helpText(help)}`, `# TYPE ${name} gauge`, ...lines, ""].join("\n");
}

function labelText(labels: Sample["labels"]): string {
  if (labels === undefined) return "";
  const texts = Object.entries(labels).map(
    ([name, value]) => `${name}="${helpText(value).replaceAll('"', String.raw`\"`)}"`,
  );
  return `{${texts.join(",")}}`;
}

function helpText(text: string): string {
  return text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);
}
