/** Rotates one token on request (`tenancy token rotate`), although its keepers have not changed. */
import { ambiguousToken, noSuchToken, tokenUndeclared } from "../../problems";
import { type ObjectValue, textOf } from "../../lib/values";
import type { Selection } from "../load/selection";
import type { Rotation, PlannedObject } from "../planned-object";
import { isCalled, tokenKey } from "./identity";

/** The configuration of a rotation: a compromised token keeps none of the tokens that it replaces. */
export function withRotation(config: ObjectValue, rotation: Rotation | undefined): ObjectValue {
  if (rotation?.compromised !== true) return config;
  return { ...config, retain_previous: 0, retain_previous_for: "0s" };
}

/**
 * A run that rotates one token is about nothing else.
 * @throws noSuchToken, ambiguousToken, tokenUndeclared
 */
export function selectionOfRotation(
  objects: readonly PlannedObject[],
  { token }: Rotation,
  state: string,
): Selection {
  const rotated = objects.filter(({ rotation }) => rotation !== undefined);
  const [one, ...others] = rotated;
  if (one === undefined) throw unrotated(objects, token, state);
  if (others.length > 0)
    throw ambiguousToken.error({ name: token, candidates: rotated.map(rotationCandidate) });
  const { address } = one.change;
  return {
    isPartial: true,
    hasBlock: (other) => other === one.block.address,
    hasObject: (other) => other === address,
  };
}

function unrotated(objects: readonly PlannedObject[], token: string, state: string): Error {
  const parts = new Set(objects.map(({ target }) => target.part));
  const storedTokens = [...parts].flatMap(({ tokens }) => tokens.list());
  const storedToken = storedTokens.find(({ login, name, record: { serial } }) =>
    isCalled(token, { login, name, serial }),
  );
  if (storedToken !== undefined) return tokenUndeclared.error(tokenKey(storedToken));
  return noSuchToken.error({ name: token, state, known: storedTokens.map(tokenKey) });
}

function rotationCandidate({ change: { key, before } }: PlannedObject): string {
  return `${key} (${textOf(before?.["serial"]) ?? "unknown"})`;
}
