/** Finds the live record that is meant, by its key or id, in the lists of any family (design: Ownership). */
import type { AccountRecord, CommonRecord } from "../../api";
import { identityOf, type NaturalKey } from "../../ownership";
import {
  type Details,
  unmanagedObject,
  primaryProfile,
  serialForId,
  type TenancyError,
  twinRecords,
} from "../../problems";
import { readState, type Records, membersRead } from "../../schema";
import {
  ACCOUNTS_SEEN_WITH,
  type Connection,
  whyAbsenceUnproven,
  whyListIncomplete,
  type Register,
  type Snapshot,
} from "../../service";
import { isUnknown, normalForm, type ObjectValue, textOf } from "../../lib/values";
import type { Inventory, IsRecorded, LiveObject, LookupResult } from "../family";
import { withEnds } from "../ends";
import { twinOf } from "../identity";
import { shownRights } from "../permissions";
import { ACCOUNT_ID, idOf, isInAccount, type RecordFamily, sequenceOf, textOfNames } from "./kind";

/** The lists as they are now. */
export async function listsNow({ directory }: Connection): Promise<Snapshot> {
  directory.invalidate();
  return directory.snapshot();
}

export function inventoryOf(family: RecordFamily): Inventory {
  const { description, key, shownAs, removedBy } = family;
  const account = key.indexOf(ACCOUNT_ID);
  const unprovenAbsence = (of: NaturalKey | undefined, snapshot: Snapshot) =>
    whyListIncomplete(description.name, snapshot) ??
    whyAbsenceUnproven(family.seenWith, snapshot, of?.names[account]);
  const unprovenContents = (snapshot: Snapshot) =>
    isInAccount(family) ? whyAbsenceUnproven(ACCOUNTS_SEEN_WITH, snapshot) : undefined;
  return {
    members: membersRead(description.attributes),
    list: (client) => family.endpoint(client).list(),
    find: (client, idOrSerial) => family.endpoint(client).find(idOrSerial),
    listed: (idOrSerial, snapshot) => snapshot.listOf(description.name).findById(idOrSerial),
    recordsOf: (self, snapshot) => new FamilyRecords(family, snapshot).recordsOf(self),
    textOf: ({ names }) => textOfNames(family, names),
    foreseen(known, snapshot) {
      const nameOf = (attribute: string) => {
        const text = known(attribute);
        return attribute === ACCOUNT_ID ? (snapshot?.account(text)?.name ?? text) : text;
      };
      return textOfNames(family, key.map(nameOf));
    },
    ...(removedBy !== undefined && { removedBy }),
    locate(config, snapshot, isRecorded) {
      const lists = new FamilyRecords(family, snapshot, isRecorded);
      return lists.unlessTwins(findDeclared(lists, config));
    },
    locateById(idOrKey, snapshot, isRecorded) {
      const lists = new FamilyRecords(family, snapshot, isRecorded);
      return lists.unlessTwins(findByIdOrKey(lists, idOrKey));
    },
    unprovenAbsence,

    unprovenAbsenceOf(lookup, snapshot) {
      const of = lookup.kind === "absent" ? lookup.key : undefined;
      const isAccountListed = of !== undefined || (lookup.kind === "unknown" && lookup.isAccountKnown);
      return unprovenAbsence(of, snapshot) ?? (isAccountListed ? undefined : unprovenContents(snapshot));
    },

    unprovenAbsenceOfText(text, snapshot) {
      const name = family.accountIn?.(text);
      const isListed = name !== undefined && snapshot.accountNamed(name) !== undefined;
      return unprovenAbsence(undefined, snapshot) ?? (isListed ? undefined : unprovenContents(snapshot));
    },

    managed(snapshot, isRecorded, isAsked = () => true) {
      // Records in a refused list cannot be known to be managed. A delete asks for that first.
      if (snapshot.refused.has(description.name)) return [];
      const lists = new FamilyRecords(family, snapshot, isRecorded);
      return lists.list.records.filter(isAsked).flatMap((record) => {
        const of = lists.accountOf(record);
        if (family.isPart?.(record, of)) return [];
        const key = keyOfRecord(family, record, of);
        return lists.isRecorded(record, key) && lists.twinOf(record) === undefined
          ? { records: lists.recordsOf(record), key }
          : [];
      });
    },

    stateOf(records, rememberedState, asOf, comparing) {
      const { attributes } = description;
      const state = readState(attributes, records, rememberedState, comparing);
      const { permissions_until: rightsWithEnd } = attributes;
      if (rightsWithEnd === undefined) return state;
      const holder = records[rightsWithEnd.of];
      return withEnds(state, holder && shownRights(holder), rememberedState, asOf);
    },

    expectation: ({ self, primary }) => ({
      key: shownAs === undefined ? undefined : textOf(self[shownAs]),
      accountId: isInAccount(family) ? textOf(self[ACCOUNT_ID]) : undefined,
      seq: sequenceOf(self),
      partSeq: primary && sequenceOf(primary),
      ...identityOf(self),
    }),
  };
}

/** One family's live records, as looking for them needs them. */
class FamilyRecords {
  readonly list: Register;

  constructor(
    readonly family: RecordFamily,
    readonly snapshot: Snapshot,
    private readonly recorded?: IsRecorded,
  ) {
    this.list = snapshot.listOf(family.description.name);
  }

  get noun(): string {
    return this.family.description.noun;
  }

  withKey(text: string): CommonRecord | undefined {
    const { shownAs } = this.family;
    return shownAs === undefined
      ? this.list.find("key", text, (record) => this.textOf(record))
      : this.list.find(shownAs, text);
  }

  /** @see twinOf */
  twinOf(record: CommonRecord): CommonRecord | undefined {
    const { shownAs } = this.family;
    const text = this.textOf(record);
    const keys =
      text === ""
        ? []
        : shownAs === undefined
          ? this.list.sharing("key", text, (other) => this.textOf(other))
          : this.list.sharing(shownAs, text);
    return twinOf(record, this.list, keys);
  }

  /** The result of a look-up, unless another record cannot be distinguished from it. */
  unlessTwins(lookup: LookupResult): LookupResult {
    if (lookup.kind !== "live") return lookup;
    const self = lookup.records.self as CommonRecord;
    const twin = this.twinOf(self);
    if (twin === undefined) return lookup;
    const error = twinRecords.error({
      noun: this.noun,
      key: this.textOf(self),
      ids: [self, twin].map(idOf),
    });
    return { kind: "refused", error, key: lookup.key, found: lookup.records };
  }

  accountOf(record: CommonRecord): AccountRecord | undefined {
    return isInAccount(this.family) ? this.snapshot.account(textOf(record[ACCOUNT_ID]) ?? "") : undefined;
  }

  isPart(record: CommonRecord): boolean {
    return this.family.isPart?.(record, this.accountOf(record)) ?? false;
  }

  keyOf(record: CommonRecord): NaturalKey {
    return keyOfRecord(this.family, record, this.accountOf(record));
  }

  /** The natural key of a record as text: the account's name, the profile's login. */
  textOf(record: CommonRecord): string {
    const { shownAs } = this.family;
    const text =
      shownAs === undefined ? textOfNames(this.family, this.keyOf(record).names) : textOf(record[shownAs]);
    return normalForm(text ?? "");
  }

  /** True if the state says that this owner has applied it. */
  isRecorded(record: CommonRecord, { names }: NaturalKey): boolean {
    return this.recorded?.(textOfNames(this.family, names), record) === true;
  }

  recordsOf(self: CommonRecord): Records {
    const { part } = this.family;
    if (part === undefined) return { self };
    const id = textOf(self[part.id]);
    const list = this.snapshot.listOf(part.of.description.name);
    return { self, primary: id === undefined ? undefined : list.findById(id) };
  }
}

/** The natural key of a live record. */
export function keyOfRecord(
  family: RecordFamily,
  record: CommonRecord,
  account: AccountRecord | undefined,
): NaturalKey {
  const { description, key } = family;
  const nameOf = (attribute: string) =>
    textOf(attribute === ACCOUNT_ID ? account?.name : record[attribute]) ?? "";
  return { kind: description.name, names: family.namesOf?.(record, account) ?? key.map(nameOf) };
}

function findDeclared(lists: FamilyRecords, config: ObjectValue): LookupResult {
  const { family, snapshot } = lists;
  const { key: keyAttributes, description } = family;
  const isKnown = (attribute: string) =>
    attribute === ACCOUNT_ID ? !isUnknown(config[ACCOUNT_ID]) : typeof config[attribute] === "string";
  const account = isInAccount(family) ? snapshot.account(textOf(config[ACCOUNT_ID]) ?? "") : undefined;
  const misnamed = account && serialInPlaceOfId(config, account);
  if (misnamed !== undefined) return { kind: "refused", error: misnamed };
  if (!keyAttributes.every(isKnown))
    return { kind: "unknown", isAccountKnown: !isUnknown(config[ACCOUNT_ID]) };
  const names: string[] = [];
  for (const attribute of keyAttributes) {
    const name = attribute === ACCOUNT_ID ? accountNameIn(config, snapshot) : textOf(config[attribute]);
    if (name === undefined) return { kind: "absent", key: undefined };
    names.push(name);
  }
  const key = { kind: description.name, names };
  const record = lists.withKey(textOfNames(family, names));
  if (record === undefined) return { kind: "absent", key };
  return lists.isPart(record)
    ? { kind: "refused", error: primaryProfile.error(lists.textOf(record)) }
    : live(lists, key, record);
}

/** The account that an object names must be named by its id: answers show the id alone. */
export function serialInPlaceOfId(config: ObjectValue, account: AccountRecord): TenancyError | undefined {
  const declaredId = textOf(config[ACCOUNT_ID]);
  const id = textOf(account.id);
  if (declaredId === undefined || id === undefined || declaredId === id || declaredId !== account.serial)
    return undefined;
  const facts = { serial: declaredId, account: account.name ?? "", id };
  return serialForId.error(facts, { attribute: [ACCOUNT_ID] });
}

/** Name of the account that an object belongs to: the caller's own where none is declared. */
function accountNameIn(config: ObjectValue, snapshot: Snapshot): string | undefined {
  const id = textOf(config[ACCOUNT_ID]);
  const name = (id === undefined ? snapshot.callerAccount : snapshot.account(id))?.name;
  return typeof name === "string" ? normalForm(name) : undefined;
}

// Objects that an import block names, by id, serial or key.

function findByIdOrKey(lists: FamilyRecords, idOrKey: string): LookupResult {
  const record = lists.list.findById(idOrKey) ?? lists.withKey(idOrKey);
  if (record === undefined) return { kind: "absent", key: undefined };
  if (lists.isPart(record))
    return { kind: "refused", error: primaryProfile.error(lists.textOf(record) || idOrKey) };
  return live(lists, lists.keyOf(record), record);
}

/** The refusal of an object that is declared and live and that the state has not recorded. */
export function unmanagedError(
  noun: string,
  title: string,
  { records: { self } }: LiveObject,
  { isSuccessor, ...details }: Details & { readonly isSuccessor?: boolean } = {},
): TenancyError {
  return unmanagedObject.error(
    { noun, key: title, id: idOf(self), ...(isSuccessor && { isSuccessor }) },
    details,
  );
}

function live(lists: FamilyRecords, key: NaturalKey, record: CommonRecord): LiveObject {
  const claim = lists.isRecorded(record, key) ? "managed" : "unmanaged";
  return { kind: "live", records: lists.recordsOf(record), key, claim };
}
