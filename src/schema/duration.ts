/** Durations as users write them: `30s`, `7d`, `1h30m`. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `7d`, `12h`, `30m`, `30s`, `500ms` or a sequence of them; undefined where it is no duration. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|[smhd]))+$/.test(text)) return undefined;
  const milliseconds = [...text.matchAll(/(\d+)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? NaN),
    0,
  );
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
