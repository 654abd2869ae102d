/** What is planned for a token. Pure: time comes from the context. */
import { diff, propose } from "../../schema";
import { UNKNOWN, type ObjectValue, type Value } from "../../values";
import type { Proposal, ProposeContext } from "../family";
import { authorization } from "./description";
import { kept, previousOf, retentionOf } from "./previous";
import { keepersDiffer, ROTATED } from "./rotation";

const { attributes } = authorization;

export function proposeToken(
  config: ObjectValue,
  prior: ObjectValue | null,
  { asOf, rotate = false }: ProposeContext,
): Proposal {
  if (prior === null) return fromNothing(config);
  const planned: Record<string, Value> = { ...propose(attributes, config, prior) };
  const replacedBy = diff(attributes, prior, planned)
    .filter(({ attribute, before }) => attribute.forcesReplacement && before !== null)
    .map(({ path }) => path);
  if (replacedBy.length > 0) return { ...fromNothing(config), action: "replace", replacedBy };
  if (rotate || keepersDiffer(config, prior)) for (const name of ROTATED) planned[name] = UNKNOWN;
  else {
    const before = previousOf(prior);
    const after = kept(before, retentionOf(config), asOf);
    if (after.length < before.length) planned["previous"] = after;
  }
  const changes = diff(attributes, prior, planned);
  if (changes.length === 0) return { action: "none", planned: prior, changes, replacedBy, diagnostics: [] };
  return { action: "update", planned, changes, replacedBy, diagnostics: [] };
}

function fromNothing(config: ObjectValue): Proposal {
  const planned = { ...propose(attributes, config, null), previous: [] };
  return {
    action: "create",
    planned,
    changes: diff(attributes, null, planned),
    replacedBy: [],
    diagnostics: [],
  };
}
