import { around, holds } from "../../support/canaries/spellings";
import type { Invariant } from "./invariant";

/** The shortest secret that is looked for: shorter ones would be found by chance. */
const SHORTEST = 8;

export const canaries: Invariant = {
  title: "secrets are in the state and in requests to their own origin, and nowhere else",
  violations: ({ chronicle, outcome: { printed, kept = [] } }) =>
    [...chronicle.secrets]
      .filter(([secret]) => secret.length >= SHORTEST)
      .flatMap(([secret, what]) => {
        const isToken = chronicle.createdTokens.some((token) => token.secret === secret);
        const text = [...printed, ...(isToken ? [] : kept)].find((one) => holds(one, secret));
        return text === undefined
          ? []
          : [`${what} (${JSON.stringify(secret)}) shows: ${around(text, secret)}`];
      }),
};
