/** What is planned for one account or user profile. Pure. */
import { InvalidValue, type Diagnostic } from "../../errors";
import {
  diff,
  locatedIn,
  propose,
  type AttributeChange,
  type Attributes,
  type ProposeOptions,
} from "../../schema";
import { isList, isObject, isUnknown, isWhollyKnown, type ObjectValue, type Value } from "../../values";
import { EVERY_NULLABLE, nullableNames } from "../common";
import type { Proposal, ProposeContext } from "../family";
import { rightsFindings } from "../permissions";

/** What the shared planning has to know of accounts or of user profiles. */
export interface Planning {
  /** How messages name the object. */
  readonly who: (config: ObjectValue, prior: ObjectValue | null) => string;
  /** What the family changes in a plan for an object that is live. */
  readonly adjust?: (planned: ObjectValue, prior: ObjectValue) => ObjectValue;
}

/** Plans a create, an update in place, a replacement, or nothing. */
export function proposeRecord(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
  { granted, titleOf = (name) => name }: Pick<ProposeContext, "granted" | "titleOf">,
  { who, adjust = (planned) => planned }: Planning,
): Proposal {
  const options = { unset: unsetBy(attributes, config) };
  const findings = (planned: ObjectValue, live: ObjectValue | null): readonly Diagnostic[] => [
    ...undecided(config),
    ...("permissions" in attributes
      ? rightsFindings(titleOf(who(config, live)), config, live, planned, granted)
      : []),
  ];
  if (prior === null) return fromNothing(attributes, config, options, findings);
  const planned = adjust(
    withPriorUuids(attributes, propose(attributes, config, prior, options), prior),
    prior,
  );
  const changes = diff(attributes, prior, planned);
  const replacedBy = changes.filter(forcesReplacement).map(({ path }) => path);
  if (replacedBy.length > 0)
    return { ...fromNothing(attributes, config, options, findings), action: "replace", replacedBy };
  const diagnostics = findings(planned, prior);
  if (changes.every(isMereConsequence)) {
    const stays = changes.length === 0 && addsGroup(prior, planned) ? planned : prior;
    return { action: "none", planned: stays, changes: [], replacedBy, diagnostics };
  }
  return { action: "update", planned, changes, replacedBy, diagnostics };
}

function fromNothing(
  attributes: Attributes,
  config: ObjectValue,
  options: ProposeOptions,
  findings: (planned: ObjectValue, prior: null) => readonly Diagnostic[],
): Proposal {
  const planned = propose(attributes, config, null, options);
  return {
    action: "create",
    planned,
    // Made when asked for: there are as many as attributes, and whoever creates the object does not ask.
    get changes() {
      return diff(attributes, null, planned);
    },
    replacedBy: [],
    diagnostics: findings(planned, null),
  };
}

/** The attributes to be taken away; `"*"` stands for every nullable one that is not declared. */
function unsetBy(attributes: Attributes, config: ObjectValue): ReadonlySet<string> {
  const unset = config["unset"];
  const names = isList(unset) ? unset.filter((name) => typeof name === "string") : [];
  return new Set(names.flatMap((name) => (name === EVERY_NULLABLE ? nullableNames(attributes) : [name])));
}

/** What decides over what is taken away must be known before anything is. */
function undecided(config: ObjectValue): readonly Diagnostic[] {
  return ["unset", "undeclared_rights"].flatMap((name) =>
    isWhollyKnown(config[name] ?? null)
      ? []
      : new InvalidValue("must be known while planning", {
          attribute: [name],
          advice: "Write it out, without references to what is known only after apply.",
        }).toDiagnostics(),
  );
}

/**
 * A value that differs from a known one destroys the object. Where the prior one is not known (a service that does not
 * show it), nothing says that it differs.
 */
function forcesReplacement({ attribute, before }: AttributeChange): boolean {
  return attribute.forcesReplacement && before !== null;
}

/** A computed value that may change with others is no change by itself. */
function isMereConsequence({ attribute, after }: AttributeChange): boolean {
  return attribute.presence === "computed" && isUnknown(after);
}

/** Whether a group is planned where there is none: an empty one is no change, and yet Terraform wants it planned as it is declared. */
function addsGroup(prior: Value, planned: Value): boolean {
  if (!isObject(planned)) return false;
  if (!isObject(prior)) return true;
  return Object.keys(planned).some((name) => addsGroup(prior[name] ?? null, planned[name] ?? null));
}

/** Uuids are the same in either case. */
function withPriorUuids(attributes: Attributes, planned: ObjectValue, prior: ObjectValue): ObjectValue {
  const result: Record<string, Value> = { ...planned };
  for (const { name, attribute } of locatedIn(attributes)) {
    const before = prior[name];
    const after = planned[name];
    if (attribute.constraints.format !== "uuid") continue;
    if (
      typeof before === "string" &&
      typeof after === "string" &&
      before.toLowerCase() === after.toLowerCase()
    )
      result[name] = before;
  }
  return result;
}
