/** Writes logs as Terraform reads them from a plugin: hclog's JSON, one object a line, on stderr. */
import { writeSync } from "node:fs";
import { stringifyJson } from "../values";

export type Level = "trace" | "debug" | "info" | "warn" | "error";

export type LogFields = Readonly<Record<string, unknown>>;

export type Log = Readonly<Record<Level, (message: string, fields?: LogFields) => void>>;

const LOG_LEVELS: readonly Level[] = ["trace", "debug", "info", "warn", "error"];

/** Terraform reads stderr in pieces of 64 KiB; a longer line is split into lines that are not JSON. */
const LONGEST_LOG_LINE = 60_000;

/**
 * A log for one module.
 * @param least the least level that is written; `levelOf` finds it.
 * @param write takes whole lines; stderr by default.
 */
export function createLog(
  module: string,
  least: Level | "off",
  write: (line: string) => void = toStderr,
): Log {
  const at =
    (level: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (least === "off" || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
      write(`${formatLine(level, module, message, fields, new Date())}\n`);
    };
  return { trace: at("trace"), debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The level that Terraform was asked for; warnings and errors where it was asked for none. */
export function levelOf(environment: Readonly<Record<string, string | undefined>>): Level | "off" {
  const level = (environment["TF_LOG_PROVIDER"] || environment["TF_LOG"] || "warn").toLowerCase();
  if (level === "off") return "off";
  // Terraform takes every other word, "json" among them, for the most that there is.
  return LOG_LEVELS.find((one) => one === level) ?? "trace";
}

export function formatLine(
  level: Level,
  module: string,
  message: string,
  fields: LogFields,
  at: Date,
): string {
  const head = {
    "@level": level,
    "@message": message,
    "@module": module,
    // Exactly six digits after the point: Terraform takes no other number of them.
    "@timestamp": at.toISOString().replace("Z", "000Z"),
  };
  const line = stringifyLine({ ...fields, ...head });
  if (line.length <= LONGEST_LOG_LINE) return line;
  return stringifyLine({ ...head, "@message": `${message.slice(0, LONGEST_LOG_LINE / 10)} (shortened)` });
}

function stringifyLine(line: LogFields): string {
  try {
    return stringifyJson(line);
  } catch {
    // A field that JSON cannot hold must not cost the message, nor the call that logs it.
    const texts = Object.entries(line).map(([name, value]) => [name, String(value)]);
    return JSON.stringify(Object.fromEntries(texts));
  }
}

function toStderr(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // The reader is gone: not worth dying for.
  }
}
