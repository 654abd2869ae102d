/** Defines the functions of dates and times. */
import { expressionFailed } from "../../../problems";
import { UNKNOWN } from "../../values";
import type { ExpressionFunction } from "../scope";
import { define } from "./define";
import { text } from "./parameters";

const formatdate = define("formatdate", [text("format"), text("time")], ([template, time]) =>
  formatDate(template, parseInstant(time)),
);

const plantimestamp = define("plantimestamp", [], (_none, { scope }) => scope.plannedAt ?? UNKNOWN);

const timeadd = define("timeadd", [text("timestamp"), text("duration")], ([timestamp, duration]) => {
  const instant = parseInstant(timestamp);
  return formatInstant({ ...instant, nanoseconds: instant.nanoseconds + parseGoDuration(duration) });
});

const timecmp = define("timecmp", [text("timestamp_a"), text("timestamp_b")], ([a, b]) => {
  const [left, right] = [parseInstant(a).nanoseconds, parseInstant(b).nanoseconds];
  return left < right ? -1 : left > right ? 1 : 0;
});

/** Unknown while planning. */
const timestamp = define("timestamp", [], (_none, { scope }) => scope.now ?? UNKNOWN);

/** Points in time, to the nanosecond, in the offset in which they were written. */
interface Instant {
  /** Since 1970, UTC. */
  readonly nanoseconds: bigint;
  readonly offsetMinutes: number;
}

const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(?:Z|([-+])(\d\d):(\d\d))$/;

/** @throws expressionFailed if the text is not as RFC 3339 has it. */
export function parseInstant(text: string): Instant {
  const [, date = "", time = "", fraction = "", sign, hours = "0", minutes = "0"] = RFC_3339.exec(text) ?? [];
  const milliseconds = Date.parse(`${date}T${time}Z`);
  const rolledOver =
    !Number.isNaN(milliseconds) && !new Date(milliseconds).toISOString().startsWith(`${date}T${time}`);
  if (Number.isNaN(milliseconds) || rolledOver) {
    throw expressionFailed.error("the time must be in the format of RFC 3339, such as 2026-01-31T12:00:00Z");
  }
  const offsetMinutes = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const utc = BigInt(milliseconds - offsetMinutes * 60_000) * 1_000_000n;
  return { nanoseconds: utc + BigInt(fraction.padEnd(9, "0")), offsetMinutes };
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** Nanoseconds of a duration such as `1h30m`, `-1.5s`, `0`. */
function parseGoDuration(text: string): bigint {
  const [, sign, body = ""] = /^([-+]?)(0|(?:\d*\.?\d*(?:ns|us|µs|ms|s|m|h))+)$/.exec(text) ?? [];
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|ms|s|m|h)/g)) {
    if (whole + fraction === "") return invalidDuration();
    const worth = UNITS.get(unit) ?? 0n;
    total += BigInt(whole || 0) * worth;
    const places = fraction.slice(0, 18);
    total += (BigInt(places || 0) * worth) / 10n ** BigInt(places.length);
  }
  if (body === "") return invalidDuration();
  return sign === "-" ? -total : total;
}

function invalidDuration(): never {
  throw expressionFailed.error("the duration must be a sequence of numbers with units, such as 1h30m");
}

/** A date whose UTC members are the instant's members in its own offset. */
function localDate({ nanoseconds, offsetMinutes }: Instant): Date {
  const milliseconds = nanoseconds / 1_000_000n - (nanoseconds % 1_000_000n < 0n ? 1n : 0n);
  const date = new Date(Number(milliseconds) + offsetMinutes * 60_000);
  if (Number.isNaN(date.getTime())) throw expressionFailed.error("the time is out of range");
  return date;
}

/** `+02:00`, or `Z`. */
function formatOffset(offsetMinutes: number, separator: string, utc: string): string {
  if (offsetMinutes === 0) return utc;
  const minutes = Math.abs(offsetMinutes);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
}

/** To the second, as RFC 3339 has it. */
export function formatInstant(instant: Instant): string {
  return `${localDate(instant).toISOString().slice(0, 19)}${formatOffset(instant.offsetMinutes, ":", "Z")}`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const two = (part: number) => String(part).padStart(2, "0");
const twelve = (hour: number) => hour % 12 || 12;

type Write = (date: Date, offsetMinutes: number) => string;

const SEQUENCES: ReadonlyMap<string, Write> = new Map<string, Write>([
  ["YYYY", (date) => String(date.getUTCFullYear()).padStart(4, "0")],
  ["YY", (date) => two(date.getUTCFullYear() % 100)],
  ["MMMM", (date) => MONTHS[date.getUTCMonth()] ?? ""],
  ["MMM", (date) => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3)],
  ["MM", (date) => two(date.getUTCMonth() + 1)],
  ["M", (date) => String(date.getUTCMonth() + 1)],
  ["DD", (date) => two(date.getUTCDate())],
  ["D", (date) => String(date.getUTCDate())],
  ["EEEE", (date) => DAYS[date.getUTCDay()] ?? ""],
  ["EEE", (date) => (DAYS[date.getUTCDay()] ?? "").slice(0, 3)],
  ["hh", (date) => two(date.getUTCHours())],
  ["h", (date) => String(date.getUTCHours())],
  ["HH", (date) => two(twelve(date.getUTCHours()))],
  ["H", (date) => String(twelve(date.getUTCHours()))],
  ["AA", (date) => (date.getUTCHours() < 12 ? "AM" : "PM")],
  ["aa", (date) => (date.getUTCHours() < 12 ? "am" : "pm")],
  ["mm", (date) => two(date.getUTCMinutes())],
  ["m", (date) => String(date.getUTCMinutes())],
  ["ss", (date) => two(date.getUTCSeconds())],
  ["s", (date) => String(date.getUTCSeconds())],
  ["ZZZZZ", (_date, offset) => formatOffset(offset, ":", "+00:00")],
  ["ZZZZ", (_date, offset) => formatOffset(offset, "", "+0000")],
  ["ZZZ", (_date, offset) => formatOffset(offset, "", "UTC")],
  ["Z", (_date, offset) => formatOffset(offset, ":", "Z")],
]);

/** Rows of one letter are parts of the date. Other characters are literal, and so are letters in `'…'`. */
function formatDate(template: string, instant: Instant): string {
  const date = localDate(instant);
  return template.replace(/'((?:[^']|'')*)('?)|([A-Za-z])\3*/g, (token, quoted?: string, close?: string) => {
    if (quoted !== undefined) {
      if (close !== "'") throw expressionFailed.error("a quotation mark in the format is not closed");
      return quoted === "" ? "'" : quoted.replace(/''/g, "'");
    }
    const write = SEQUENCES.get(token);
    if (write === undefined) throw expressionFailed.error(`"${token}" is not a part of a date`);
    return write(date, instant.offsetMinutes);
  });
}

export const dateFunctions: readonly ExpressionFunction[] = [
  formatdate,
  plantimestamp,
  timeadd,
  timecmp,
  timestamp,
];
