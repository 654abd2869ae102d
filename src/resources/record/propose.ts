/** What is planned for one account or user profile. Pure. */
import { asWarning, InvalidValue, RightsKept, type Diagnostic } from "../../errors";
import {
  diff,
  locatedIn,
  propose,
  type AttributeChange,
  type Attributes,
  type ProposeOptions,
} from "../../schema";
import { isList, isObject, isUnknown, valueAt, type ObjectValue, type Value } from "../../values";
import type { Proposal } from "../family";
import { RIGHT_GROUPS, RIGHTS } from "../rights";

/** Plans a create, an update in place, a replacement, or nothing. */
export function proposeRecord(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
  adjust: (planned: ObjectValue) => ObjectValue = (planned) => planned,
): Proposal {
  const diagnostics = unknownUnset(config);
  const options = optionsOf(config);
  if (prior === null) return fromNothing(attributes, config, options, diagnostics);
  const planned = adjust(withPriorUuids(attributes, propose(attributes, config, prior, options), prior));
  const changes = diff(attributes, prior, planned);
  const replacedBy = changes.filter(forcesReplacement).map(({ path }) => path);
  if (replacedBy.length > 0) {
    const anew = fromNothing(attributes, config, options, diagnostics);
    return { ...anew, action: "replace", replacedBy };
  }
  const all = [...diagnostics, ...keptRights(config, planned)];
  if (changes.every(isMereConsequence)) {
    const stays = changes.length === 0 && addsGroup(prior, planned) ? planned : prior;
    return { action: "none", planned: stays, changes: [], replacedBy, diagnostics: all };
  }
  return { action: "update", planned, changes, replacedBy, diagnostics: all };
}

function fromNothing(
  attributes: Attributes,
  config: ObjectValue,
  options: ProposeOptions,
  diagnostics: readonly Diagnostic[],
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
    diagnostics,
  };
}

function optionsOf(config: ObjectValue): ProposeOptions {
  const unset = config["unset"];
  return {
    ...(isList(unset) && { unset: new Set(unset.filter((path) => typeof path === "string")) }),
    ...(config["undeclared_rights"] === "keep" && { keep: new Set(["permissions"]) }),
  };
}

/** What is to be taken away must be known before anything is. */
function unknownUnset(config: ObjectValue): readonly Diagnostic[] {
  const unset = config["unset"];
  if (!isUnknown(unset) && !(isList(unset) && unset.some(isUnknown))) return [];
  return new InvalidValue("must be known while planning", {
    attribute: ["unset"],
    advice: "Write the paths out, without references to what is known only after apply.",
  }).toDiagnostics();
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

/** The rights that stay granted although the configuration does not name them. */
function keptRights(config: ObjectValue, planned: ObjectValue): readonly Diagnostic[] {
  const { permissions } = config;
  if (config["undeclared_rights"] !== "keep" || !isObject(permissions)) return [];
  const kept = RIGHT_GROUPS.flatMap((group) =>
    RIGHTS[group]
      .filter(
        (right) =>
          valueAt(permissions, [group, "rights", right]) === null &&
          valueAt(planned["permissions"], [group, "rights", right]) === true,
      )
      .map((right) => `${group}.${right}`),
  );
  return kept.length === 0 ? [] : asWarning(new RightsKept(kept));
}
