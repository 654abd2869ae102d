/** What can be told of a provider's configuration by itself: before anybody is asked, and without the environment. */
import { OneTimePasswords, parseBaseUrl, systemClock } from "../api";
import { TenancyError, type Diagnostic } from "../errors";
import type { ObjectValue } from "../values";
import { given, ownersOf, refuseTwoIdentities } from "./settings";

/** By the attribute that a finding is about. */
const RULES: Readonly<Record<string, (config: ObjectValue) => unknown>> = {
  base_url: (config) => ifGiven(config, "base_url", (text) => parseBaseUrl(text)),
  owner: (config) => ownersOf(config, {}),
  token: refuseTwoIdentities,
  totp_secret: (config) =>
    ifGiven(config, "totp_secret", (secret) => new OneTimePasswords(secret, systemClock)),
};

/** Known values only; what is missing may stand in the environment. */
export function checkProvider(config: ObjectValue): readonly Diagnostic[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    try {
      rule(config);
      return [];
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      return error.toDiagnostics({ attribute: [name] });
    }
  });
}

function ifGiven(config: ObjectValue, name: string, parse: (text: string) => unknown): void {
  const text = given(config, name);
  if (text !== undefined) parse(text);
}
