/** What a name stands for among all that a store keeps of tokens. */
import type { FailedRevocation, Intent, Ledger, TokenEntry, TokenIdentity } from "../../credentials";
import { AmbiguousToken, NoSuchToken } from "../../errors";
import { tokenKey } from "../planning/plan-token";
import { isCalled } from "../planning/rotation";
import { failedRevocationsOf } from "../store/failed-revocations";
import type { TokenPlace } from "./token-places";

/** A place with what is kept for it. */
export interface OpenPlace {
  readonly place: TokenPlace;
  readonly ledger: Ledger;
}

export interface TokenMatter extends OpenPlace {
  /** `login/name`. */
  readonly key: string;
  /** The token that goes with all that belongs to it. */
  readonly token: TokenEntry | undefined;
  /** Every token that is to be revoked: replaced ones too, and those that an earlier run could not revoke. */
  readonly revocable: readonly FailedRevocation[];
  /** Mintings that were cut short: nothing can be revoked, and the note may go once somebody has looked. */
  readonly intents: readonly Intent[];
}

/**
 * The id of an interrupted minting, or the serial number of a replaced token, means that alone. A name, `login/name` or serial number
 * of a token means the token with all that belongs to it; where there is none, interrupted mintings of that name.
 * @throws NoSuchToken, AmbiguousToken
 */
export function matterOf(name: string, places: readonly OpenPlace[], store: string, now: Date): TokenMatter {
  const readings = [singleMinting, singleToken, wholeToken, mintings];
  for (const reading of readings) {
    const found = places.flatMap((open) => reading(name, open, now));
    if (found.length > 1) throw new AmbiguousToken(name, found.map(candidate));
    if (found[0] !== undefined) return found[0];
  }
  const known = places.flatMap(({ ledger }) => ledger.tokens.list().map(tokenKey));
  throw new NoSuchToken(name, store, known);
}

type Reading = (name: string, open: OpenPlace, now: Date) => readonly TokenMatter[];

const singleMinting: Reading = (name, open) =>
  open.ledger.intents
    .list()
    .filter(({ id }) => id === name)
    .map((intent) => ({
      ...open,
      key: tokenKey(intent),
      token: undefined,
      revocable: [],
      intents: [intent],
    }));

const singleToken: Reading = (name, open, now) => {
  const { tokens, failedRevocations } = open.ledger;
  const replaced = tokens.list().flatMap((entry) => failedRevocationsOf(entry, now).slice(1));
  return [...replaced, ...failedRevocations.list()]
    .filter(({ serial }) => serial === name)
    .slice(0, 1)
    .map((one) => ({ ...open, key: tokenKey(one), token: undefined, revocable: [one], intents: [] }));
};

const wholeToken: Reading = (name, open, now) => {
  const entries = open.ledger.tokens.list();
  const noted = open.ledger.failedRevocations.list();
  const called = [
    ...entries.filter(({ login, name: own, record: { serial } }) =>
      isCalled(name, { login, name: own, serial }),
    ),
    ...noted.filter((one) => isCalled(name, one)),
  ];
  return keysOf(called).map((key) => {
    const token = entries.find((entry) => tokenKey(entry) === key);
    const own = token === undefined ? [] : failedRevocationsOf(token, now);
    const serials = new Set(own.map(({ serial }) => serial));
    const more = noted.filter((one) => tokenKey(one) === key && !serials.has(one.serial));
    return { ...open, key, token, revocable: [...own, ...more], intents: [] };
  });
};

const mintings: Reading = (name, open) => {
  const called = open.ledger.intents
    .list()
    .filter((intent) => isCalled(name, { ...intent, serial: intent.id }));
  return keysOf(called).map((key) => ({
    ...open,
    key,
    token: undefined,
    revocable: [],
    intents: called.filter((intent) => tokenKey(intent) === key),
  }));
};

function keysOf(identities: readonly TokenIdentity[]): readonly string[] {
  return [...new Set(identities.map(tokenKey))];
}

function candidate({ key, token, ledger }: TokenMatter): string {
  return `${key} (${token === undefined ? "" : `${token.record.serial}, `}${ledger.origin})`;
}
