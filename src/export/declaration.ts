/**
 * Declares one live record in terms of its resource's own attributes. Each decision is tried at once: the comparison of a plan must find no change.
 */
import { isError } from "../problems";
import { ENDED_ACCESS, type Inventory, type Resource } from "../resources";
import {
  type Attribute,
  type Attributes,
  conform,
  isMasked,
  locatedIn,
  type Records,
  shownValue,
  validate,
} from "../schema";
import { ALL_RIGHTS, isKnownRight } from "../service";
import {
  compareText,
  isList,
  isObject,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  textOf,
  type Value,
} from "../lib/values";
import { textLiteral } from "./quoted";

export interface Declaration {
  /** Declared attributes by their names, without names, references, rights and scopes. */
  readonly attributes: ObjectValue;
  readonly rights: ExportedRights | undefined;
  /** Attributes that L2 writes by itself and of which the service shows nothing: they must not be written. */
  readonly resets: readonly string[];
  /** Sentences for readers of the code: the missing parts, and the reasons. */
  readonly remarks: readonly string[];
}

export interface ExportedRights {
  /** Without an end, in the order of the API; rights that only the provider configuration names come last. */
  readonly grantedRights: readonly string[];
  /** Last days of the other granted rights. */
  readonly lastDays: Readonly<Record<string, string>>;
  /** Granted, and unknown to this version: authoritative permissions would take them away. */
  readonly unknown: readonly string[];
  /** Ids, or `["*"]` for everywhere; undefined if the service shows none. */
  readonly vssScope: readonly string[] | undefined;
  readonly nodeScope: readonly string[] | undefined;
}

/** A live record, and the attributes that say which one is meant. */
interface Subject {
  readonly resource: Resource;
  readonly inventory: Inventory;
  readonly records: Records;
  readonly identity: ObjectValue;
}

/**
 * @param isText true for texts that the language can write
 * @param extraRights rights that the provider configuration adds to the rights of this version
 * @param lastDays of rights and of `access`, as the state remembers them
 */
export function declarationOf(
  subject: Subject,
  isText: (text: string) => boolean,
  extraRights: readonly string[],
  lastDays: Readonly<Record<string, string>>,
): Declaration {
  return new DeclarationDraft(subject, isText, extraRights, lastDays).settle();
}

/** Plans of tokens depend on the time, those of accounts and users do not. */
const NO_TIME = new Date(0);

/** A declaration in the making. */
class DeclarationDraft {
  private readonly resource: Resource;
  private readonly records: Records;
  private readonly identity: ObjectValue;
  private readonly state: ObjectValue;
  private readonly attributes: Record<string, Value> = {};
  private readonly scopes: { vss_scope?: readonly string[]; node_scope?: readonly string[] } = {};
  private readonly resets = new Set<string>();
  private readonly masked: string[] = [];
  private readonly hidden: string[] = [];
  private readonly lacking: string[] = [];
  private readonly unfit: string[] = [];

  constructor(
    { resource, inventory, records, identity }: Subject,
    private readonly isText: (text: string) => boolean,
    private readonly extraRights: readonly string[],
    private readonly lastDays: Readonly<Record<string, string>>,
  ) {
    this.resource = resource;
    this.records = records;
    this.identity = identity;
    const { attributes } = resource.description;
    const defaults = Object.entries(attributes).map(([name, { defaultValue = null }]) => [
      name,
      defaultValue,
    ]);
    this.state = inventory.stateOf(records, Object.fromEntries(defaults) as ObjectValue);
    for (const [name, attribute] of Object.entries(attributes)) {
      if (!isDeclarable(attribute)) continue;
      const record = attribute.of === "primary" ? records.primary : records.self;
      const value = this.valueToDeclare(attribute, name, record ?? {}, this.state[name] ?? null, name);
      if (value !== undefined) this.attributes[name] = value;
    }
    for (const name of ["vss_scope", "node_scope"] as const) {
      const scope = this.state[name] ?? null;
      if (isList(scope)) this.scopes[name] = sortedTexts(scope);
      else if (this.rights() !== undefined) this.resets.add(name);
    }
  }

  /** The value to declare; undefined for nothing. */
  private valueToDeclare(
    attribute: Attribute,
    name: string,
    record: ObjectValue,
    value: Value,
    path: string,
  ): Value | undefined {
    const { shape, nullable, masked } = attribute;
    if (value === NOT_IN_SNAPSHOT) {
      this.lacking.push(path);
      return undefined;
    }
    const shownPart = shownValue(attribute, name, record);
    if (shownPart === undefined) this.hidden.push(path);
    if (shownPart === undefined || shownPart === null || value === null || value === "") return undefined;
    if (masked && typeof value === "string" && isMasked(value)) {
      this.masked.push(path);
      return undefined;
    }
    if (shape.kind === "group") return this.group(shape.attributes, shownPart, value, path);
    if (!textsOfList(value).every(this.isText)) {
      this.unfit.push(path);
      return undefined;
    }
    if (!isList(value)) return value;
    if (value.length === 0 && !nullable) return undefined;
    return shape.kind === "set" ? sortedTexts(value) : value;
  }

  private group(members: Attributes, shownPart: Value, value: Value, path: string): Value | undefined {
    if (!isObject(value) || !isObject(shownPart)) return undefined;
    const declaredMembers = locatedIn(members).flatMap(({ name, attribute }): [string, Value][] => {
      const member = this.valueToDeclare(attribute, name, shownPart, value[name] ?? null, `${path}.${name}`);
      return member === undefined ? [] : [[name, member]];
    });
    return declaredMembers.length === 0 ? undefined : Object.fromEntries(declaredMembers);
  }

  settle(): Declaration {
    // Each round takes something away, so it ends.
    for (;;) {
      const objections = this.objections();
      if (objections.size === 0) break;
      for (const name of objections) this.drop(name);
    }
    return {
      attributes: { ...this.attributes, ...this.accessEnd() },
      rights: this.rights(),
      resets: [...this.resets],
      remarks: this.remarks(),
    };
  }

  /** Names of attributes that break a rule of the API, or that a plan would change. */
  private objections(): ReadonlySet<string> {
    const config = this.config();
    const { attributes } = this.resource.description;
    const findings = [
      ...conform(attributes, config).findings,
      ...validate(attributes, config),
      ...this.resource.check(config),
    ].flatMap((finding) => (isError(finding) ? [finding.attribute?.[0]] : []));
    const { changes } = this.resource.propose(config, this.state, { asOf: NO_TIME });
    const names = [...findings, ...changes.map(({ path }) => path[0])];
    return new Set(names.filter((name) => typeof name === "string" && this.isHere(name)) as string[]);
  }

  private isHere(name: string): boolean {
    return (
      Object.hasOwn(this.attributes, name) ||
      Object.hasOwn(this.scopes, name) ||
      (this.impliedBy(name) && !this.resets.has(name))
    );
  }

  private drop(name: string): void {
    if (name === "vss_scope" || name === "node_scope") {
      delete this.scopes[name];
      this.resets.add(name);
      this.unfit.push(name);
    } else if (!Object.hasOwn(this.attributes, name)) {
      this.resets.add(name);
    } else {
      // Some objects of the API are replaced as a whole: a declaration of one member would clear the others, so all members are dropped.
      const { memberOf } = this.resource.description.attributes[name] ?? {};
      const siblings = memberOf?.whole === true ? this.membersOf(memberOf.name) : [name];
      for (const sibling of siblings) delete this.attributes[sibling];
      this.unfit.push(...siblings);
    }
  }

  /** The attributes that L2 makes of all this. */
  private config(): ObjectValue {
    const rights = this.rights();
    const implied = Object.entries(this.resource.description.attributes).filter(
      ([name]) => this.impliedBy(name) && !this.resets.has(name),
    );
    return {
      ...this.identity,
      ...Object.fromEntries(implied.map(([name]) => [name, []])),
      ...this.attributes,
      ...(rights !== undefined && {
        permissions: Object.fromEntries(
          [...rights.grantedRights, ...Object.keys(rights.lastDays)].map((right) => [right, true]),
        ),
        ...(rights.unknown.length > 0 && { undeclared_rights: "keep" }),
        ...this.scopes,
      }),
    };
  }

  /** True if L2 empties this list, because another member of the same object is declared. */
  private impliedBy(name: string): boolean {
    const attribute = this.resource.description.attributes[name];
    if (attribute?.memberOf?.whole !== true || attribute.shape.kind !== "set" || attribute.nullable)
      return false;
    const isGiven = this.membersOf(attribute.memberOf.name).some((member) =>
      Object.hasOwn(this.attributes, member),
    );
    return isGiven && !Object.hasOwn(this.attributes, name);
  }

  private membersOf(object: string): readonly string[] {
    return Object.entries(this.resource.description.attributes).flatMap(([name, { memberOf }]) =>
      memberOf?.name === object ? [name] : [],
    );
  }

  private rights(): ExportedRights | undefined {
    const { permissions = null } = this.state;
    if (!isObject(permissions)) return undefined;
    const isExtra = (right: string) => this.extraRights.includes(right);
    const hasEnd = (right: string) => Object.hasOwn(this.lastDays, right);
    const known = ALL_RIGHTS.filter((right) => permissions[right] === true);
    const others = Object.keys(permissions)
      .filter((right) => permissions[right] === true && !isKnownRight(right))
      .sort(compareText);
    const declarableRights = [...known, ...others.filter(isExtra)];
    return {
      grantedRights: declarableRights.filter((right) => !hasEnd(right)),
      lastDays: Object.fromEntries(
        declarableRights.filter(hasEnd).map((right) => [right, this.lastDays[right] ?? ""]),
      ),
      unknown: others.filter((right) => !isExtra(right)),
      vssScope: this.scopes.vss_scope,
      nodeScope: this.scopes.node_scope,
    };
  }

  /** Access that has been taken away is declared as it is. */
  private accessEnd(): ObjectValue {
    const { access_web: web, access_api: api } = this.attributes;
    const lastDay = this.lastDays[ENDED_ACCESS];
    return lastDay === undefined || (web !== true && api !== true) ? {} : { access_until: lastDay };
  }

  private remarks(): readonly string[] {
    const { self, primary } = this.records;
    const rights = this.rights();
    const profile = primary ?? self;
    const remark = (condition: boolean, sentence: string) => (condition ? [sentence] : []);
    const list = (names: readonly string[]) => [...new Set(names)].sort(compareText).join(", ");
    return [
      ...remark(self["disabled"] === true, "The account is disabled. No declaration can say so."),
      ...remark(
        primary === undefined && self["activated"] === false,
        "The user is not activated. No declaration can say so.",
      ),
      ...remark(
        primary === undefined && self["account_admin"] === true,
        "The user administers the account (account_admin). No declaration can say so.",
      ),
      ...remark(profile["password_set"] === true, "There is a password, which the service does not show."),
      ...remark(
        !["none", undefined].includes(textOf(this.state["two_factor_auth"])),
        "The secret of the second factor is not shown.",
      ),
      ...remark(
        isObject(self["xmd"]),
        "The extensible metadata record is not part of a user profile's declaration.",
      ),
      ...remark(this.masked.length > 0, `Left out, because the service masks it: ${list(this.masked)}.`),
      ...remark(
        this.hidden.length > 0,
        `Left out, because the service does not show it: ${list(this.hidden)}.`,
      ),
      ...remark(
        this.lacking.length > 0,
        `Left out, because the snapshot does not have it: ${list(this.lacking)}.`,
      ),
      ...remark(
        this.unfit.length > 0,
        `Left out, because it cannot be declared as it is: ${list(this.unfit)}.`,
      ),
      ...remark(rights === undefined, "Left out, because the service does not show them: permissions."),
      ...(rights === undefined || rights.unknown.length === 0
        ? []
        : [
            `Also granted, and unknown to this version: ${rights.unknown.map(textLiteral).join(", ")}. To declare them, name them in \`extra_rights\` of the provider.`,
          ]),
    ];
  }
}

/** True if an attribute is declared as it is shown. Names, references, rights and scopes have a form of their own; uuids stay the service's. */
function isDeclarable(attribute: Attribute): boolean {
  const { shown: isShown, writeOnly, presence, constraints, refersTo, codec } = attribute;
  return (
    isShown &&
    !writeOnly &&
    presence === "managed" &&
    constraints.format !== "uuid" &&
    refersTo === undefined &&
    codec === undefined
  );
}

function textsOfList(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  return isList(value) ? value.flatMap(textsOfList) : [];
}

/** A set in an order of its own: services may answer it in any. */
function sortedTexts(values: readonly Value[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === "string"))].sort(compareText);
}
