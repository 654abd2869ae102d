/** Errors and warnings of looking for drift. */
import { problem, warning } from "./problem";

/** The credential store was replaced each time while the service was read. */
export const storeUnsettled = problem<{
  /** As in "platform/credentials.json" or "kept by vault-helper". */
  store: string;
  /** How often it was looked. */
  attempts: number;
}>({
  code: "TENANCY_STORE_UNSETTLED",
  summary: ({ store, attempts }) =>
    `the credential store ${store} was written while the service was read, ${attempts} times in a row`,
  advice: "Run again when the other run has ended.",
  explain: `
\`tenancy drift\` compares the service with what the store remembers of the last apply. Another run wrote the store while the service was read, so
the two did not belong together. Drift takes no lock that would block an apply: it looked again, a few times, and each time the store was
written meanwhile. Nothing is wrong. Run it again when no apply is under way.`,
});

/** `--ignore` names something that has not drifted. */
export const ignoresNothing = warning<string>({
  code: "TENANCY_IGNORES_NOTHING",
  title: "A pattern of --ignore matches nothing",
  summary: (pattern) => `--ignore ${JSON.stringify(pattern)} matches nothing`,
  advice: "Leave it out, or write the address as the report does.",
  explain: `
\`tenancy drift --ignore ADDRESS[.ATTRIBUTE]\` keeps a difference quiet. This one matches no difference that was found: it is mistyped, or the
difference is gone. Addresses are those of the report; a login or an account's name will do, and \`*\` stands for any characters.`,
});
