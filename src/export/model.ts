/** Decides which live records are exported, as whose, and why the others are not. */
import type { CommonRecord } from "../api";
import { isError } from "../problems";
import { idOf, type Inventory, type Resource, resources, ACCOUNT_TYPE, PROFILE_TYPE } from "../resources";
import { conform, validate } from "../schema";
import { isPrimary, type Snapshot } from "../service";
import { compareText, groupedBy, normalForm, type ObjectValue, textOf, type Value } from "../lib/values";
import { type Declaration, declarationOf } from "./declaration";
import type { LeftOut, Named, ProjectsWord } from "./left-out";
import { textLiteral } from "./quoted";
import { type ExportedToken, type KnownToken, exportedTokensOf } from "./tokens";

/** A service as it was read. */
export interface LiveService {
  readonly snapshot: Snapshot;
  /** Rights that the provider configuration adds to the rights of this version. @default none */
  readonly extraRights?: readonly string[];
  /** Last days of rights and of `access` by the uuids of their objects, in lower case. */
  readonly endsByUuid?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Tokens that the state holds. @default none */
  readonly tokens?: readonly KnownToken[];
  /** The project's own declaration of a record, by its id, or of a token, by `login/name`. @default nothing */
  readonly declarationOf?: (record: string) => ProjectsWord | undefined;
}

/** One live record, as it can be declared. */
export interface ExportedRecord extends Declaration {
  /** Name of the account, or username, in Unicode's normal form. */
  readonly name: string;
  readonly id: string;
  /** The id, serial, name or login to import it by. */
  readonly importedBy: string | undefined;
}

export interface ExportedTenant {
  readonly name: string;
  readonly id: string;
  /** Undefined if the account is not managed to declare, or declared already, and only users in it are exported. */
  readonly account: ExportedRecord | undefined;
  readonly users: readonly ExportedRecord[];
  readonly tokens: readonly ExportedToken[];
  readonly leftOut: readonly LeftOut[];
  /** Records that the project declares already. */
  readonly declaredRecords: readonly Named[];
}

export interface ExportModel {
  /** In the order of their names. */
  readonly tenants: readonly ExportedTenant[];
  /** Everything that cannot be exported, also from exported tenants. */
  readonly leftOut: readonly LeftOut[];
  /** Everything that the project declares already. */
  readonly declaredRecords: readonly Named[];
}

interface ModelOptions {
  /** True if the account of this name is to be exported. */
  readonly isWanted: (account: string) => boolean;
  /** True if the language can say a text. */
  readonly isText: (text: string) => boolean;
  /** Why the language cannot declare the tokens of the state; undefined if it can. */
  readonly whyNoTokens?: string;
}

export function modelOf(service: LiveService, options: ModelOptions): ExportModel {
  return new Exporter(service, options).model();
}

class Exporter {
  constructor(
    private readonly service: LiveService,
    private readonly options: ModelOptions,
  ) {}

  model(): ExportModel {
    const accounts = this.service.snapshot.accounts.filter(({ name }) =>
      this.options.isWanted(normalForm(name ?? "")),
    );
    const tenants = byName(accounts, ({ name }) => name).flatMap(([name, records]) => {
      const findable = this.findable(records);
      return inOrder(records, idOf).map((record) => this.tenant(name, record, findable, records.length));
    });
    return {
      tenants: tenants.filter(
        ({ account, users, tokens }) => account !== undefined || users.length + tokens.length > 0,
      ),
      leftOut: tenants.flatMap(({ leftOut }) => leftOut),
      declaredRecords: tenants.flatMap(({ declaredRecords }) => declaredRecords),
    };
  }

  private tenant(
    name: string,
    record: CommonRecord,
    findable: CommonRecord | undefined,
    namesakes: number,
  ): ExportedTenant {
    const { snapshot } = this.service;
    const id = idOf(record);
    const own: Named = { noun: "account", name: textOf(record.name) ?? "" };
    const declaration = this.declarationOf(id);
    const tenant = { name, id, account: undefined, users: [], tokens: [], leftOut: [] };
    if (declaration === "removed") return { ...tenant, declaredRecords: [own] };
    const exported =
      declaration !== undefined
        ? undefined
        : record === findable
          ? this.exportRecord(listedResource(ACCOUNT_TYPE), record, {
              name,
              identity: { name },
            })
          : this.indistinct("account", record, namesakes);
    const account = exported === undefined || isLeftOut(exported) ? undefined : exported;
    const leftOut = exported !== undefined && isLeftOut(exported) ? [exported] : [];
    const declaredRecords: Named[] = exported === undefined ? [own] : [];
    const obstacle =
      exported !== undefined && isLeftOut(exported)
        ? "Its account cannot be exported, and is not managed."
        : typeof declaration === "object"
          ? `Its account is declared by the stack ${textLiteral(declaration.elsewhere)}: export it with that one.`
          : undefined;
    const users: ExportedRecord[] = [];
    const members = snapshot.profilesOf(id).filter((profile) => !isPrimary(profile, record));
    for (const [login, profiles] of byName(members, ({ login }) => login)) {
      const findableProfile = this.findable(profiles);
      for (const profile of inOrder(profiles, idOf)) {
        if (this.declarationOf(idOf(profile)) !== undefined) {
          declaredRecords.push({ noun: "user", name: textOf(profile.login) ?? "" });
          continue;
        }
        const user =
          profile === findableProfile
            ? this.user(name, record === findable, id, login, profile)
            : this.indistinct("user", profile, profiles.length);
        if (isLeftOut(user)) leftOut.push(user);
        else if (obstacle !== undefined && user.importedBy !== undefined)
          leftOut.push(this.leaveOut("user", profile, obstacle));
        else users.push(user);
      }
    }
    const tokens = exportedTokensOf(
      { account: record, isDeclaredHere: account !== undefined, users },
      this.service,
      this.options.whyNoTokens,
    );
    return {
      ...{ name, id, account, users, tokens: tokens.exported },
      leftOut: [...leftOut, ...tokens.leftOut],
      declaredRecords: [...declaredRecords, ...tokens.declaredTokens],
    };
  }

  private declarationOf(record: string): ProjectsWord | undefined {
    return this.service.declarationOf?.(record);
  }

  private user(
    account: string,
    hasFindableAccount: boolean,
    accountId: string,
    login: string,
    profile: CommonRecord,
  ): ExportedRecord | LeftOut {
    if (!hasFindableAccount)
      return this.leaveOut("user", profile, "Its account cannot be identified by its name.");
    const ending = `@${account}`;
    const username = login.endsWith(ending) ? login.slice(0, -ending.length) : login;
    return this.exportRecord(listedResource(PROFILE_TYPE), profile, {
      name: username,
      identity: { username, account_id: accountId },
    });
  }

  private leaveOut(noun: "account" | "user", record: CommonRecord, reason: string): LeftOut {
    return {
      noun,
      name: textOf(record["name"]) ?? textOf(record["login"]) ?? "",
      id: idOf(record),
      reason,
    };
  }

  private indistinct(noun: "account" | "user", record: CommonRecord, count: number): LeftOut {
    const reason = `It is one of ${count} whose names differ only in how their characters are encoded, so a declaration cannot identify it.`;
    return this.leaveOut(noun, record, reason);
  }

  /**
   * The record that a declaration finds among records whose names differ only in Unicode's forms: none of several, so that it does not depend on
   * the order of a list.
   */
  private findable<T extends CommonRecord>(records: readonly T[]): T | undefined {
    return records.length === 1 ? records[0] : undefined;
  }

  private exportRecord(
    { resource, inventory, noun }: ListedResource,
    record: CommonRecord,
    {
      name,
      identity,
    }: {
      readonly name: string;
      /** The attributes that say which record is meant. */
      readonly identity: ObjectValue;
    },
  ): ExportedRecord | LeftOut {
    const id = idOf(record);
    const lookup = inventory.locate(identity, this.service.snapshot);
    if (lookup.kind === "refused") return this.leaveOut(noun, record, `${lookup.error.message}.`);
    if (lookup.kind !== "live" || lookup.records.self !== record)
      return this.leaveOut(noun, record, "Its login does not follow from its username and its account.");
    if (!this.options.isText(name))
      return this.leaveOut(noun, record, "Its name is no text that can be written.");

    const naming = conform(resource.description.attributes, identity).findings;
    const [fault] = [...naming, ...validate(resource.description.attributes, identity)].filter(isError);
    if (fault !== undefined) return this.leaveOut(noun, record, `Its name ${fault.summary}.`);
    return {
      name,
      id,
      importedBy: importedBy(inventory, inventory.textOf(lookup.key), id, this.service),
      ...declarationOf(
        { resource, inventory, records: lookup.records, identity },
        this.options.isText,
        this.service.extraRights ?? [],
        this.service.endsByUuid?.get(textOf(lookup.records.self["uuid"])?.toLowerCase() ?? "") ?? {},
      ),
    };
  }
}

interface ListedResource {
  readonly resource: Resource;
  readonly inventory: Inventory;
  readonly noun: "account" | "user";
}

function listedResource(type: typeof ACCOUNT_TYPE | typeof PROFILE_TYPE): ListedResource {
  const resource = resources.get(type);
  if (resource?.kind !== "record") throw new TypeError(`${type} is not listed`);
  return { resource, inventory: resource.inventory, noun: type === ACCOUNT_TYPE ? "account" : "user" };
}

/** Its name where that finds it, else its id. */
function importedBy(inventory: Inventory, name: string, id: string, { snapshot }: LiveService): string {
  const lookup = inventory.locateById(name, snapshot);
  return lookup.kind === "live" && idOf(lookup.records.self) === id ? name : id;
}

function isLeftOut(result: ExportedRecord | LeftOut): result is LeftOut {
  return "reason" in result;
}

/** Records by their names in Unicode's normal form, in the order of these. */
function byName<T extends CommonRecord>(
  records: readonly T[],
  nameOf: (record: T) => Value | undefined,
): readonly (readonly [string, readonly T[]])[] {
  const groups = groupedBy(records, (record) => normalForm(textOf(nameOf(record)) ?? ""));
  return [...groups].sort(([a], [b]) => compareText(a, b));
}

function inOrder<T>(list: readonly T[], keyOf: (element: T) => string): readonly T[] {
  return [...list].sort((a, b) => compareText(keyOf(a), keyOf(b)));
}
