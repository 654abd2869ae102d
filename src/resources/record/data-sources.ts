/** Makes the read-only parts of a family: two data sources, for one record by exactly one of its keys and for many by a prefix, and a list. */
import type { CommonRecord } from "../../api";
import { asWarning, type Finding, invalidValue, noSuchObject } from "../../problems";
import { type Attribute, type Attributes, describe, groups, readState, text } from "../../schema";
import { ALL_RIGHTS, type Snapshot } from "../../service";
import { compareText, isUnknown, normalForm, type ObjectValue, textOf, type Value } from "../../lib/values";
import { volatile as volatileFlag } from "../common";
import type { DataSource, Listing } from "../family";
import { shownRights } from "../permissions";
import {
  ACCOUNT_ID,
  clientDefaults,
  idOf,
  isInAccount,
  type ListedRecordFamily,
  type RecordFamily,
} from "./kind";

/** The attributes of a family's data sources. */
interface ShownRecords {
  readonly attributes: Attributes;
  /** Names of the attributes that change at every look. They are shown where `volatile` asks for them. */
  readonly volatile: readonly string[];
  /** The noun with its article: `An account`. */
  readonly one: string;
  /** The attribute that finds one record, in addition to `id` and `serial`. @default as the attributes have it */
  readonly key?: Attribute;
}

export function dataSourcesOf(
  family: RecordFamily & { readonly shownAs: string },
  shownRecords: ShownRecords,
): readonly DataSource[] {
  return [oneOf(family, shownRecords), manyOf(family, shownRecords)];
}

function oneOf(
  { description: { name, noun }, shownAs }: RecordFamily & { readonly shownAs: string },
  {
    attributes: shownAttributes,
    volatile,
    one,
    key = text(shownAttributes[shownAs]!.description),
  }: ShownRecords,
): DataSource {
  const keys = ["id", "serial", shownAs];
  const description = describe(
    name,
    `${one} that exists, by exactly one of \`id\`, \`serial\` and \`${shownAs}\`.`,
    {
      ...shownAttributes,
      id: text(`Id of the ${noun}.`),
      serial: text(`Serial number of the ${noun}.`),
      [shownAs]: key,
      volatile: volatileFlag(volatile),
    },
  );
  return {
    description,
    check: (config) => checkOneOf(keys, config),
    async read({ directory }, config) {
      const list = (await directory.snapshot()).listOf(name);
      const record = requireOne(
        noun,
        keys,
        config,
        (value) => list.findById(value) ?? list.find(shownAs, value),
      );
      return shownState(description.attributes, volatile, record, config);
    },
  };
}

function manyOf(
  family: RecordFamily & { readonly shownAs: string },
  { attributes: shownAttributes, volatile }: ShownRecords,
): DataSource {
  const { shownAs } = family;
  const { name, noun } = family.description;
  const list = `${name}s`;
  const filters = filtersOf(family);
  return {
    description: describe(list, `All ${noun}s that the caller can see, or some of them.`, {
      ...filters,
      volatile: volatileFlag(volatile),
      [list]: groups(`The ${noun}s, in the order of their ${shownAs}s.`, shownAttributes).computed(),
    }),
    check: () => [],
    read: async ({ directory }, config) => ({
      ...Object.fromEntries(Object.keys(filters).map((filter) => [filter, config[filter] ?? null])),
      volatile: config["volatile"] ?? null,
      [list]: matchingRecords(family, await directory.snapshot(), config).map((record) =>
        shownState(shownAttributes, volatile, record, config),
      ),
    }),
  };
}

/** Lists objects of a family as an import gives them. A part of another object cannot be imported, so it is left out. */
export function listingOf(family: ListedRecordFamily & { readonly shownAs: string }): Listing {
  const { description, inventory, shownAs } = family;
  const { name, noun, attributes } = description;
  return {
    description: describe(
      name,
      `Lists ${noun}s that the caller can see, for \`terraform query\`.`,
      filtersOf(family),
    ),
    async *list({ directory }, config) {
      const snapshot = await directory.snapshot();
      for (const record of matchingRecords(family, snapshot, config)) {
        if (family.isPart?.(record, snapshot.account(textOf(record[ACCOUNT_ID]) ?? "")) === true) continue;
        const lookup = inventory.locateById(idOf(record), snapshot);
        const title = textOf(record[shownAs]) ?? idOf(record);
        if (lookup.kind === "refused") yield { title, state: null, findings: asWarning(lookup.error) };
        if (lookup.kind !== "live") continue;
        yield { title, state: inventory.stateOf(lookup.records, clientDefaults(attributes)), findings: [] };
      }
    },
  };
}

/** The attributes by which records of a family are chosen. */
function filtersOf(family: RecordFamily & { readonly shownAs: string }): Attributes {
  const { noun } = family.description;
  return {
    [ACCOUNT_ID]: text(
      isInAccount(family)
        ? "Id or serial of the account that they belong to."
        : `Id or serial of the ${noun} that is wanted.`,
    ),
    [`${family.shownAs}_prefix`]: text(`Prefix of the ${family.shownAs}s.`),
  };
}

/** The records that a configuration of {@link filtersOf} chooses, in the order of their keys. */
function matchingRecords(
  family: RecordFamily & { readonly shownAs: string },
  snapshot: Snapshot,
  config: ObjectValue,
): readonly CommonRecord[] {
  const register = snapshot.listOf(family.description.name);
  const keyOf = (record: CommonRecord) => textOf(record[family.shownAs]);
  const id = textOf(config[ACCOUNT_ID]);
  const prefix = textOf(config[`${family.shownAs}_prefix`]);
  // Records name their account by its id alone.
  const accountId = id && (snapshot.account(id)?.id ?? id);
  const records =
    accountId === undefined
      ? register.records
      : register.all(isInAccount(family) ? ACCOUNT_ID : "id", accountId);
  return sortedByKey(
    records.filter((record) => prefix === undefined || normalForm(keyOf(record) ?? "").startsWith(prefix)),
    keyOf,
  );
}

/** Exactly one of the keys must be given. */
function checkOneOf(names: readonly string[], config: ObjectValue): readonly Finding[] {
  const setNames = names.filter((name) => (config[name] ?? null) !== null);
  if (setNames.length === 1) return [];
  // The keys that will be null may be known only later.
  if (setNames.length > 1 && setNames.some((name) => isUnknown(config[name]))) return [];
  const list = names.map((name) => `"${name}"`).join(", ");
  return [
    invalidValue.at(`exactly one of ${list} must be set`, {
      advice: (say) =>
        setNames.length === 0
          ? "Set one of them."
          : `Keep one of ${setNames.map((name) => say.name(name)).join(" and ")}.`,
    }),
  ];
}

/**
 * The record that has the given value; filters of the service's are not relied on.
 * @throws noSuchObject
 */
function requireOne(
  noun: string,
  names: readonly string[],
  config: ObjectValue,
  find: (value: string) => CommonRecord | undefined,
): CommonRecord {
  const name = names.find((candidate) => textOf(config[candidate]) !== undefined) ?? "";
  const value = textOf(config[name]) ?? "";
  const record = find(value);
  const keyText = textOf(record?.[name]);
  if (keyText !== undefined && record !== undefined && normalForm(keyText) === normalForm(value))
    return record;
  throw noSuchObject.error({ noun, how: `${name} ${JSON.stringify(value)}` }, { attribute: [name] });
}

/** Records by their keys, then by their ids, so that the service's order makes no difference. */
export function sortedByKey<T extends CommonRecord>(
  records: readonly T[],
  keyOf: (record: T) => string | undefined,
): readonly T[] {
  return [...records].sort(
    (a, b) =>
      compareText(keyOf(a) ?? "", keyOf(b) ?? "") ||
      compareText(textOf(a["id"]) ?? "", textOf(b["id"]) ?? ""),
  );
}

/**
 * A record as the value of a data source: `permissions` with all 49 rights, and values that differ at every read only if the configuration asks for them.
 *
 * @param changing names of the attributes that differ at every read
 */
export function shownState(
  attributes: Attributes,
  changing: readonly string[],
  record: ObjectValue,
  config: ObjectValue,
): ObjectValue {
  const state: Record<string, Value> = { ...readState(attributes, { self: record }, null) };
  const rights = shownRights(record);
  if ("permissions" in attributes && rights !== undefined) {
    const none = Object.fromEntries(ALL_RIGHTS.map((right) => [right, false]));
    state["permissions"] = { ...none, ...rights };
  }
  if ("volatile" in attributes) state["volatile"] = config["volatile"] ?? null;
  if (config["volatile"] !== true) for (const name of changing) state[name] = null;
  return state;
}
