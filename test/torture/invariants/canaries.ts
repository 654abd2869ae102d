import type { Invariant } from "./invariant";

/** Shorter ones would be found anywhere by chance. */
const SHORTEST = 8;

export const canaries: Invariant = {
  title: "secrets are in the store and in requests to their own origin, and nowhere else",
  violations: ({ chronicle, outcome }) =>
    [...chronicle.secrets]
      .filter(([secret]) => secret.length >= SHORTEST)
      .flatMap(([secret, what]) => {
        const text = outcome.printed.find((printed) => holds(printed, secret));
        return text === undefined
          ? []
          : [`${what} (${JSON.stringify(secret)}) shows: ${around(text, secret)}`];
      }),
};

function holds(text: string, secret: string): boolean {
  return spellings(secret).some((spelling) => text.includes(spelling));
}

/** As it is, and as it is written into JSON, URLs, headers. */
export function spellings(secret: string): readonly string[] {
  const inner = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inner,
    JSON.stringify(inner).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(inner),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
  ];
}

function around(text: string, secret: string): string {
  const at = Math.max(...spellings(secret).map((spelling) => text.indexOf(spelling)));
  return text.slice(Math.max(0, at - 100), at + 200);
}
