/** gRPC's status codes, as many as are answered here. */
export const status = {
  ok: 0,
  cancelled: 1,
  invalidArgument: 3,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
} as const;

export type StatusCode = (typeof status)[keyof typeof status];

/** More than this no client takes in one header. */
const LONGEST_STATUS_MESSAGE = 2_000;

/** A message in the form that gRPC's header wants: printable ASCII, the rest percent-encoded UTF-8. */
export function encodeStatusMessage(message: string): string {
  return message
    .slice(0, LONGEST_STATUS_MESSAGE)
    .replace(/[^ -$&-~]+/gu, (run) => [...Buffer.from(run)].map(percentEncoded).join(""));
}

function percentEncoded(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
