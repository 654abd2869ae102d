/** Plans one object of any family, and predicts the result of the plan. Only the prediction is not pure. */
import {
  notVerified,
  asWarning,
  callersAccount,
  type Finding,
  hiddenMembers,
  invalidValue,
  primaryProfile,
  serialForId,
  type TenancyError,
  versionWithoutValue,
} from "../../problems";
import {
  allAttributes,
  type AttributeChange,
  type Attributes,
  changesBetween,
  propose,
  secretPath,
  versionAttributes,
} from "../../schema";
import { ACCOUNTS_SEEN_WITH, callerMay, type Connection, type UnprovenAbsence } from "../../service";
import {
  formatPath,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ObjectValue,
  type Path,
  textOf,
  type Value,
  valueAt,
} from "../../lib/values";
import { unsetBy } from "../common";
import type { DefaultAccount, ProposeContext, Proposal } from "../family";
import { checkEnds, endsPassed, knownEnds, plannedEnded } from "../ends";
import { restrictionFindings, rightsFindings } from "../permissions";
import { unmanagedError } from "./inventory";
import { ACCOUNT_ID, type RecordFamily, type ListedRecordFamily, titleOf } from "./kind";

/** Plans a create, an update in place, a replacement, or nothing. */
export function proposeRecord(
  family: RecordFamily,
  config: ObjectValue,
  prior: ObjectValue | null,
  {
    asOf,
    granted: grantedRights,
    titleOf: shownTitle = (name) => name,
    isForeseen = false,
  }: Partial<ProposeContext> = {},
): Proposal {
  const { attributes } = family.description;
  const options = { unset: unsetBy(attributes, config) };
  const judge = (planned: ObjectValue, live: ObjectValue | null): readonly Finding[] => {
    const title = () => shownTitle(titleOf(family, live) ?? titleOf(family, config) ?? "");
    return [
      ...(isForeseen ? [] : undecidedFindings(config)),
      ...("permissions" in attributes ? rightsFindings(title(), config, live, planned, grantedRights) : []),
    ];
  };
  const withEnded = (planned: Record<string, Value>, before: ObjectValue | null, time: Date | undefined) => {
    if ("ended" in attributes) planned["ended"] = plannedEnded(planned, before, time);
    return planned;
  };
  const create = (time: Date | undefined) =>
    new CreateProposal(
      attributes,
      withEnded({ ...propose(attributes, config, null, options) }, null, time),
      (planned) => [
        ...judge(planned, null),
        ...endsPassed(shownTitle(titleOf(family, config) ?? ""), planned),
      ],
    );
  if (prior === null) return create(asOf);
  const proposed = withEnded({ ...propose(attributes, config, prior, options) }, prior, asOf);
  const planned = family.adjust?.(proposed, config, prior) ?? proposed;
  const changes = changesBetween(attributes, prior, planned);
  const replacedBy = changes.filter(forcesReplacement).map(({ path }) => path);
  if (replacedBy.length > 0) {
    // The create that follows judges ends by its own clock.
    const anew = create(undefined);
    const title = shownTitle(titleOf(family, prior) ?? titleOf(family, config) ?? "");
    const lossFindings = "permissions" in attributes ? restrictionFindings(title, config, prior) : [];
    const { planned: plannedAnew, changes: set, findings } = anew;
    return {
      action: "replace",
      planned: plannedAnew,
      changes: set,
      replacedBy,
      findings: [...findings, ...lossFindings],
    };
  }
  const findings = [
    ...judge(planned, prior),
    ...endsPassed(shownTitle(titleOf(family, config) ?? ""), planned, knownEnds(planned, prior)),
  ];
  if (changes.every(({ attribute, after }) => attribute.presence === "computed" && isUnknown(after))) {
    const stays = changes.length === 0 && addsGroup(prior, planned) ? planned : prior;
    return { action: "none", planned: stays, changes: [], replacedBy, findings };
  }
  const warnings = [...(family.warn?.(changes) ?? []), ...losableMembers(attributes, config, prior, changes)];
  return { action: "update", planned, changes, replacedBy, findings: [...findings, ...warnings] };
}

/** A class, and no literal with a getter: V8 makes a dictionary of each of those, and a large plan holds thousands. */
class CreateProposal implements Proposal {
  readonly action = "create";
  readonly replacedBy = [];

  readonly findings: readonly Finding[];

  constructor(
    private readonly attributes: Attributes,
    readonly planned: ObjectValue,
    judge: (planned: ObjectValue) => readonly Finding[],
  ) {
    this.findings = judge(planned);
  }

  /** Created on demand: there is one for each attribute, and a create needs none of them. */
  get changes() {
    return changesBetween(this.attributes, null, this.planned);
  }
}

/** Warnings about members of changed contacts that an update cannot repeat: answers show the names of a contact, or the whole contact. */
function losableMembers(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue,
  changes: readonly AttributeChange[],
): readonly Finding[] {
  const changedNames = new Set(
    changes.filter(({ path }) => path.length > 1).map(({ path: [name = ""] }) => name),
  );
  return [...changedNames].flatMap((contact) => {
    if ((prior[contact] ?? null) === null) return [];
    const undeclaredPaths = allAttributes(attributes)
      .filter(({ path, members }) => path[0] === contact && path.length > 1 && members.length === 0)
      .map(({ path }) => path)
      .filter((path) => valueAt(config, path) === null);
    const isShown = (path: Path) => valueAt(prior, path) !== null;
    if (undeclaredPaths.some((path) => path.length > 2 && isShown(path))) return [];
    const members = undeclaredPaths.filter((path) => !isShown(path)).map((path) => formatPath(path.slice(1)));
    return members.length === 0 ? [] : [hiddenMembers.at({ contact, members }, { attribute: [contact] })];
  });
}

/** The values that decide what is unset must be known before anything is unset. */
function undecidedFindings(config: ObjectValue): readonly Finding[] {
  return ["unset", "undeclared_rights", "permissions_until", "access_until"].flatMap((name) =>
    isWhollyKnown(config[name] ?? null)
      ? []
      : [
          invalidValue.at("must be known while planning", {
            attribute: [name],
            advice: "Write it out, without references to values that are known only after apply.",
          }),
        ],
  );
}

/**
 * A value that differs from a known one destroys the object. If the prior one is not known (a service that does not show it), nothing says that it differs.
 */
function forcesReplacement({ attribute, before }: AttributeChange): boolean {
  return attribute.forcesReplacement && before !== null;
}

/** True if a group is planned where there is none: an empty one is no change, and yet Terraform wants it planned as it is declared. */
function addsGroup(prior: Value, planned: Value): boolean {
  if (!isObject(planned)) return false;
  if (!isObject(prior)) return true;
  return Object.keys(planned).some((name) => addsGroup(prior[name] ?? null, planned[name] ?? null));
}

// Rules between attributes, judged on known values alone.

/** All findings at once, so that the user can fix all of them. */
export function checkRecord(attributes: Attributes, config: ObjectValue): readonly Finding[] {
  return [
    ...unsetAndSet(attributes, config),
    ...versions(attributes, config),
    ...checkEnds(attributes, config),
  ];
}

function unsetAndSet(attributes: Attributes, config: ObjectValue): readonly Finding[] {
  const unset = config["unset"];
  if (!isList(unset)) return [];
  const names = attributes["unset"]?.constraints.oneOf ?? [];
  return unset.flatMap((name) => {
    // A name that cannot be unset at all is a finding of its own.
    if (typeof name !== "string" || !names.includes(name)) return [];
    const value = config[name] ?? null;
    if (value === null || isUnknown(value)) return [];
    return [
      invalidValue.at(`"${name}" is both set and unset`, {
        attribute: [name],
        advice: "Remove the value, or remove its name from `unset`.",
      }),
    ];
  });
}

function versions(attributes: Attributes, config: ObjectValue): readonly Finding[] {
  return versionAttributes(attributes).flatMap(({ path }) => {
    const version = valueAt(config, path);
    if (version === null || isUnknown(version)) return [];
    const secret = secretPath(path);
    if (valueAt(config, secret) !== null) return [];
    return [versionWithoutValue.at(formatPath(secret), { attribute: path })];
  });
}

// Under Terraform: the account of an object that declares none.

export async function defaultAccount(
  family: RecordFamily,
  { directory }: Connection,
  config: ObjectValue,
): Promise<DefaultAccount | undefined> {
  if ((config[ACCOUNT_ID] ?? null) !== null) return undefined;
  const snapshot = await directory.beforeCreates();
  const { id, name = "" } = snapshot.callerAccount ?? {};
  if (typeof id !== "string") return undefined;
  const mayMeanAnother = ACCOUNTS_SEEN_WITH.some((right) => callerMay(snapshot, right) === true);
  const facts = {
    noun: family.description.noun,
    key: titleOf(family, config) ?? "",
    account: name ?? "",
    id,
  };
  return { id, findings: mayMeanAnother ? [callersAccount.at(facts)] : [] };
}

// Under Terraform: foreseeing that a create will be refused when it is applied.

const UNLESS_DELETED =
  "Unless the same plan deletes it first, it will not be created when the plan is applied.";

/**
 * An object that is live already is a warning: the same plan may delete it first. A fault that no other part of the plan can resolve is an error.
 * @param replacedState the object that is deleted first
 */
export async function foresee(
  family: ListedRecordFamily,
  { directory }: Connection,
  config: ObjectValue,
  replacedState?: ObjectValue,
): Promise<readonly Finding[]> {
  const { inventory } = family;
  const { noun } = family.description;
  const all = await directory.snapshot();
  const snapshot = replacedState === undefined ? all : all.without(textOf(replacedState["id"]));
  const lookup = inventory.locate(config, snapshot);
  switch (lookup.kind) {
    case "refused":
      return primaryProfile.is(lookup.error) || serialForId.is(lookup.error)
        ? lookup.error.toFindings()
        : foreseenFindings(lookup.error);
    case "absent": {
      const unproven = inventory.unprovenAbsence(lookup.key, all);
      return unproven?.blocksCreate
        ? [notVerified.at(absent(noun, titleOf(family, config) ?? "", unproven))]
        : [];
    }
    case "live": {
      const key = titleOf(family, lookup.records.self) ?? "";
      return foreseenFindings(unmanagedError(noun, key, lookup));
    }
    case "unknown":
      return [];
  }
}

function foreseenFindings(error: TenancyError): readonly Finding[] {
  return asWarning(error).map((warning) => ({
    ...warning,
    detail: [warning.detail, UNLESS_DELETED].filter((part) => part !== undefined).join(" "),
  }));
}

/** Says that a record is not listed, and that it may exist all the same. */
export function absent(noun: string, title: string, { reason }: UnprovenAbsence): string {
  return `${noun} ${JSON.stringify(title)} is not listed, and that proves nothing: ${reason}`;
}
