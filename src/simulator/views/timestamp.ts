/** ISO 8601 with an offset: "2030-01-31T12:00:00.000+00:00". */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "+00:00");
}
