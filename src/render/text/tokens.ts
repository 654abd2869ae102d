/** Renders the tokens of a state, without any part of their secrets. */
import { durationText, plainText, shownName } from "../../lib/values";
import type { Paint } from "./paint";

export interface ShownTokens {
  readonly state: string;
  readonly origin: string;
  readonly stack: string;
  readonly exists: boolean;
  readonly tokens: readonly ShownToken[];
  readonly intents: readonly {
    readonly id: string;
    readonly login: string;
    readonly name: string;
    readonly startedAt: string;
  }[];
  readonly failedRevocations: readonly {
    readonly login: string;
    readonly name: string;
    readonly serial: string;
    readonly failedAt: string;
  }[];
  readonly doubtful: readonly { readonly login: string; readonly name: string | null }[];
}

interface ShownToken {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  readonly createdAt: string | null;
  readonly persistent: boolean;
  readonly endsAt: string | null;
  /** First day on which it is due for rotation. @default null: it never is */
  readonly rotatesOn?: string | null;
  /** When a run proved that the service refuses it. @default null: none has */
  readonly refusedAt?: string | null;
  readonly previous: readonly {
    readonly serial: string;
    readonly createdAt: string | null;
    readonly retiredAt: string;
    readonly goodUntil: string | null;
    readonly refusedAt?: string | null;
  }[];
}

/** @param now by which ages and ends are computed */
export function tokensText(inState: ShownTokens, paint: Paint, now: Date): string {
  const { state, origin, stack, tokens, exists } = inState;
  const unsettled = unsettledLines(inState);
  const lines = [
    paint.bold(plainText(`${origin} · ${stack} · ${state}`)),
    ...(exists ? [] : ABSENT),
    ...(tokens.length > 0 ? tokenLines(tokens, now) : exists ? ["  no tokens"] : []),
    ...(unsettled.length === 0 ? [] : ["", paint.warned("Unsettled"), ...unsettled]),
  ];
  return paint.fit(lines.join("\n"));
}

const ABSENT = [
  "  The state keeps nothing for this stack. Nothing was applied yet, or the state is elsewhere, or lost:",
  "      tenancy plan tells which. Bring a state that is elsewhere here (--state PATH, or --credential-helper).",
];

function tokenLines(tokens: readonly ShownToken[], now: Date): readonly string[] {
  const rows = tokens.flatMap(({ login, name, serial, createdAt, previous, ...life }) => [
    [`${login}/${name}`, serial, `${createdText(createdAt, now)}, ${end(life, now)}`],
    ...previous.map((one) => [
      "  replaced",
      one.serial,
      `${createdText(one.createdAt, now)}, replaced ${one.retiredAt}${age(one.retiredAt, now)}, ${endOfReplaced(one, now)}`,
    ]),
  ]);
  const plain = rows.map((row) => row.map(cell));
  const widths = [0, 1].map((column) => Math.max(...plain.map((row) => row[column]?.length ?? 0)));
  return plain.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")}`);
}

function unsettledLines({ intents, failedRevocations, doubtful }: ShownTokens): readonly string[] {
  return [
    ...doubtful.flatMap(({ login, name }) => [
      `  ${shownName(name === null ? `any token of ${login}` : `${login}/${name}`)}  may be known to an earlier state, since lost`,
      "      Bring that state here, or create a new token: tenancy apply --init-state",
    ]),
    ...intents.flatMap(({ id, login, name, startedAt }) => [
      `  ${shownName(`${login}/${name}`)}  may exist at the service and is not in the state: a run was about to create it at ${plainText(startedAt)}`,
      `      Check in the service whether ${shownName(login)} has an authorization from then or later that is not listed here, and`,
      `      revoke it. Then forget this record: tenancy token revoke ${plainText(id)}`,
    ]),
    ...failedRevocations.flatMap(({ login, name, serial, failedAt }) => [
      `  ${shownName(`${login}/${name}`)}  ${plainText(serial)} is still to be revoked, tried last at ${plainText(failedAt)}`,
      `      The next apply tries again; so does tenancy token revoke ${plainText(serial)}`,
    ]),
  ];
}

function createdText(createdAt: string | null, now: Date): string {
  return createdAt === null ? "created at an unknown time" : `created ${createdAt}${age(createdAt, now)}`;
}

/** ` (3 days ago)`; empty for invalid and future times. */
function age(instant: string, now: Date): string {
  const milliseconds = now.getTime() - Date.parse(instant);
  return milliseconds >= 0 ? ` (${durationText(milliseconds)} ago)` : "";
}

/** When the service ends a token, and when its age has it rotated. */
function end(
  {
    persistent,
    endsAt,
    rotatesOn = null,
    refusedAt = null,
  }: Pick<ShownToken, "persistent" | "endsAt" | "rotatesOn" | "refusedAt">,
  now: Date,
): string {
  if (refusedAt !== null)
    return `${refused(refusedAt, now)}: where it is declared, the next apply creates a new one`;
  if (rotatesOn !== null)
    return rotatesOn <= now.toISOString().slice(0, 10)
      ? `due for rotation since ${rotatesOn}: the next apply rotates it`
      : `rotated by the first apply from ${rotatesOn} on`;
  if (persistent) return "never ends";
  if (endsAt === null) return "ends at an unknown time";
  return isOver(endsAt, now) ? `ended ${endsAt}${age(endsAt, now)}` : `ends ${endsAt}${time(endsAt, now)}`;
}

/** Until when a token that was replaced is good. It still works when its time is over: the next apply revokes it. */
function endOfReplaced(
  { goodUntil, refusedAt = null }: Pick<ShownToken["previous"][number], "goodUntil" | "refusedAt">,
  now: Date,
): string {
  if (refusedAt !== null) return refused(refusedAt, now);
  if (goodUntil === null) return "still valid, and no declaration tells until when";
  return isOver(goodUntil, now)
    ? `was valid until ${goodUntil}${age(goodUntil, now)}: the next apply revokes it`
    : `valid until ${goodUntil}${time(goodUntil, now)}`;
}

/** It is not known since when the service refuses a token: only when that was found. */
function refused(refusedAt: string, now: Date): string {
  return `found refused by the service ${refusedAt}${age(refusedAt, now)}`;
}

function isOver(instant: string, now: Date): boolean {
  return Date.parse(instant) <= now.getTime();
}

/** ` (in 12 days)` */
function time(instant: string, now: Date): string {
  return ` (in ${durationText(Date.parse(instant) - now.getTime())})`;
}

/** Indentation stays. */
function cell(text: string): string {
  return `${/^ */.exec(text)?.[0] ?? ""}${plainText(text)}`;
}
