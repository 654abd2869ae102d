/** Plans one declared object against the live records. */
import { OtherUuid, type Diagnostic, type TenancyError } from "../../errors";
import type { Claim } from "../../ownership";
import { remember, type Change, type Sighting } from "../../plan";
import type { Inventory, LiveObject, Records, Sought } from "../../resources";
import { grantedIn } from "../../resources/permissions";
import { text } from "../../resources/record/members";
import { foreignTo } from "../../resources/record/seek";
import { isSettled, isVersionPath } from "../../schema";
import { formatPath, type ObjectValue, type Path, type Value } from "../../values";
import { adopt } from "./adopt";
import { withIgnored } from "./ignored";
import { memoryOf } from "./memory";
import type { Declared, PlannedObject } from "./planned-object";
import { SettledChange } from "./settled-change";
import type { Target } from "./target";

export interface PlanRecordOptions {
  /** Send secrets of which nothing is remembered. */
  readonly resetPasswords: boolean;
  /** Paths of secrets that the service was found to refuse: they are sent again. */
  readonly refusedSecrets?: ReadonlySet<string>;
  readonly destroy: boolean;
  readonly plannedAt: Date;
  /** Natural key of an object whose account is yet to be created. */
  readonly foreseenKey: () => string;
}

const NONE: readonly never[] = [];

/** @throws TenancyError where something keeps it from being planned: it is another owner's, it was renamed outside … */
export function planRecord(
  declared: Declared,
  inventory: Inventory,
  options: PlanRecordOptions,
): PlannedObject {
  const { target, config, importId } = declared;
  const sought = inventory.locate(config, target.snapshot, target.owners);
  if (sought.kind === "refused") throw sought.error;
  const warnings = importId === undefined ? NONE : adopt(declared, inventory, importId, sought);
  if (sought.kind !== "live") return planNew(declared, inventory, sought, options);
  // A destroy leaves alone what isn't ours, and says so.
  if (sought.claim === "foreign" && importId === undefined && !options.destroy) {
    const title = declared.titleOf(inventory.textOf(sought.key));
    throw foreignTo(declared.resource.description.noun, title, sought, target.owners);
  }
  return planLive(declared, inventory, sought, warnings, options);
}

function planNew(
  declared: Declared,
  inventory: Inventory,
  sought: Sought,
  options: PlanRecordOptions,
): PlannedObject {
  const { resource, config } = declared;
  const proposal = resource.propose(config, null, {
    asOf: options.plannedAt,
    titleOf: declared.titleOf,
  });
  const key =
    sought.kind === "absent" && sought.key !== undefined
      ? inventory.textOf(sought.key)
      : options.foreseenKey();
  const change: Change = {
    ...factsOf(declared, key),
    action: "create",
    claim: undefined,
    before: null,
    after: proposal.planned,
    get attributes() {
      return proposal.changes;
    },
    replacedBy: [],
    reason: undefined,
    notes: [],
    sighting: undefined,
  };
  return {
    ...declared,
    change,
    sought,
    remembered: undefined,
    recorded: [],
    diagnostics: proposal.diagnostics,
  };
}

function planLive(
  declared: Declared,
  inventory: Inventory,
  live: LiveObject,
  warnings: readonly Diagnostic[],
  options: PlanRecordOptions,
): PlannedObject {
  const { resource, target } = declared;
  const { attributes } = resource.description;
  const key = inventory.textOf(live.key);
  const remembered = { key: `${live.key.kind}:${key}`, uuid: text(live.records.self["uuid"]) ?? "" };
  const ignores = declared.block.lifecycle.ignoreChanges;
  const remembersVersions = target.ledger.objects.hasSentVersion(remembered);
  if (ignores.length === 0 && isSettled(attributes, declared.config, live.records, remembersVersions)) {
    const facts = { key, claim: claimOf(live, declared), sighting: sightingOf(live, key, target) };
    const state = () =>
      inventory.stateOf(live.records, rememberedOf(declared, live, target, options, remembered).prior);
    const change = new SettledChange(declared, facts, state);
    return { ...declared, change, sought: live, remembered, recorded: NONE, diagnostics: warnings };
  }
  const { prior: known, recorded } = rememberedOf(declared, live, target, options, remembered);
  const prior = inventory.stateOf(live.records, known);
  const config = withIgnored(declared.config, prior, ignores);
  const granted = grantedIn(attributes, live.records);
  const proposal = resource.propose(config, prior, {
    asOf: options.plannedAt,
    granted,
    titleOf: declared.titleOf,
  });
  if (proposal.action === "replace") throw replacementOf(declared, key, prior, proposal.replacedBy);
  const change: Change = {
    ...factsOf(declared, key),
    claim: claimOf(live, declared),
    sighting: sightingOf(live, key, target),
    action: proposal.action,
    before: prior,
    after: proposal.planned,
    attributes: proposal.changes,
    replacedBy: proposal.replacedBy,
    reason: undefined,
    notes: recorded.map(noteOf),
  };
  return {
    ...declared,
    config,
    change,
    sought: live,
    remembered,
    recorded,
    diagnostics: [...warnings, ...proposal.diagnostics],
  };
}

/** What was found by its key is the object, so what would replace it is a contradiction. */
function replacementOf(
  declared: Declared,
  key: string,
  prior: ObjectValue,
  replacedBy: readonly Path[],
): TenancyError {
  const [path = []] = replacedBy;
  const name = String(path[0]);
  const wanted = text(declared.config[name]) ?? "";
  const live = text(prior[name]) ?? "";
  return new OtherUuid(declared.resource.description.noun, key, wanted, live, text(prior["id"]) ?? "", {
    attribute: path,
  });
}

function rememberedOf(
  { resource, config }: Declared,
  live: LiveObject,
  target: Target,
  options: PlanRecordOptions,
  object: { readonly key: string; readonly uuid: string },
) {
  const memory = memoryOf(target.ledger, object, options.refusedSecrets);
  return remember(resource.description.attributes, config, live.records, memory, options.resetPasswords);
}

function claimOf({ claim }: LiveObject, { importId }: Declared): Claim {
  if (claim === "ours") return "ours";
  return importId === undefined ? "foreign" : "adopted";
}

function factsOf(declared: Declared, key: string) {
  const { block, instance, resource, target, sensitive, importId } = declared;
  return {
    address: instance.address,
    description: resource.description,
    constructPath: block.constructPath,
    provider: target.provider,
    key,
    title: declared.titleOf(key),
    sensitive,
    importId,
  };
}

export function sightingOf(live: Pick<LiveObject, "records">, key: string, target: Target): Sighting {
  const { self } = live.records;
  const seq: Value = self["seq"] ?? null;
  return {
    id: idOf(live.records),
    uuid: text(self["uuid"]),
    accountId: text(self["account_id"]),
    seq: typeof seq === "number" || typeof seq === "bigint" ? seq : undefined,
    key,
    readAt: target.readAt,
  };
}

function noteOf(path: Path): string {
  return isVersionPath(path)
    ? `${formatPath(path)} recorded, the value is not sent`
    : `${formatPath(path)} recorded: the service does not show it`;
}

function idOf(records: Records): string {
  return text(records.self["id"]) ?? text(records.self["serial"]) ?? "";
}
