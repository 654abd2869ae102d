/** Errors and warnings of looking for drift. */
import { problem, warning } from "./problem";

/** The credential store was replaced each time while the service was read. */
export const storeUnsettled = problem<{
  /** As in "platform/credentials.json" or "kept by vault-helper". */
  store: string;
  /** Number of attempts to read both. */
  attempts: number;
}>({
  code: "TENANCY_STORE_UNSETTLED",
  summary: ({ store, attempts }) =>
    `the credential store ${store} was written while the service was read, ${attempts} times in a row`,
  advice: "Run again when the other run has ended.",
});

/** `--ignore` names something that has not drifted. */
export const ignoresNothing = warning<string>({
  code: "TENANCY_IGNORES_NOTHING",
  title: "A pattern of --ignore matches nothing",
  summary: (pattern) => `--ignore ${JSON.stringify(pattern)} matches nothing`,
  advice: "Leave it out, or write the address as the report does.",
});
