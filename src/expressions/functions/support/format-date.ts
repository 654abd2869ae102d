import { ExpressionFailed } from "../../../errors";
import { formatOffset, localDate, type Instant } from "./instant";

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

/** Rows of one letter are parts of the date, other characters themselves; letters that mean themselves stand in `'…'`. */
export function formatDate(template: string, instant: Instant): string {
  const date = localDate(instant);
  return template.replace(/'((?:[^']|'')*)('?)|([A-Za-z])\3*/g, (token, quoted?: string, close?: string) => {
    if (quoted !== undefined) {
      if (close !== "'") throw new ExpressionFailed("a quotation mark in the format is not closed");
      return quoted === "" ? "'" : quoted.replace(/''/g, "'");
    }
    const write = SEQUENCES.get(token);
    if (write === undefined) throw new ExpressionFailed(`"${token}" is not a part of a date`);
    return write(date, instant.offsetMinutes);
  });
}
