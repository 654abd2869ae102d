/** Defines `Permissions`: the rights of a user, as an immutable value. */
import { type IResolvable, Token } from "cdktf";
import { invalidValue, undeclaredName } from "../problems";
import { escapedText } from "./address";
import { type PresetName, PRESETS } from "./generated/l2/presets";
import { type Right, RIGHTS } from "./generated/l2/rights";
import { DAY, refuseUnknownMembers } from "./members";

/** The virtual storage services and nodes for which the rights hold. A scope that is absent stays as it was. */
export interface PermissionsScope {
  /** Ids of virtual storage services; `"all"` for all of the account. */
  readonly vsses?: readonly string[] | "all";
  /** Ids of nodes; `"all"` for all. */
  readonly nodes?: readonly string[] | "all";
}

type ScopeIds = readonly string[] | "all";

const ALL_RIGHTS = Object.keys(RIGHTS) as readonly Right[];

/** The attributes of an L1 construct that hold permissions (spec 2.4). */
export interface PermissionsAttributes {
  /** Rights by name: true grants, false denies. One that is not named is denied, or kept where `undeclaredRights` is `"keep"`. */
  readonly permissions: Readonly<Record<string, boolean>>;
  /** Last days of rights that end, in UTC. Absent if none ends. */
  readonly permissionsUntil?: Record<string, string>;
  /** Ids of the virtual storage services for which the rights of the group `vss` hold; `["*"]` for all of the account. */
  readonly vssScope: string[];
  /** Ids of the nodes for which the rights of the group `node` hold; `["*"]` for all. */
  readonly nodeScope: string[];
}

/**
 * An immutable set of rights with its scopes (spec 2.4). Every right that is not in it is denied.
 *
 * @example
 * Permissions.operator().deny("vss.resize_disks").scopedTo({ vsses: ["virtual-storage-service:1:7"] })
 */
export class Permissions {
  /** No right at all. */
  static none(): Permissions {
    return new Permissions(new Set(), new Set(), new Map(), "all", "all");
  }

  /** Sees events, statistics and the catalog, and touches nothing. */
  static observer(): Permissions {
    return Permissions.preset("observer");
  }

  /** Runs existing storage from day to day. It neither provisions storage nor removes anything that holds data. */
  static operator(): Permissions {
    return Permissions.preset("operator");
  }

  /** Operates, and makes new storage; removes none. */
  static provisioner(): Permissions {
    return Permissions.preset("provisioner");
  }

  /** Observes, and manages keys and the means of unlocking disks. */
  static keyManager(): Permissions {
    return Permissions.preset("key_manager");
  }

  /** Everything inside the account: the rights that the service grants to a profile created without permissions. */
  static accountAdmin(): Permissions {
    return Permissions.preset("account_admin");
  }

  /**
   * The preset of this name.
   *
   * @throws TENANCY_UNDECLARED_NAME
   */
  static preset(name: PresetName): Permissions {
    if (!Object.hasOwn(PRESETS, name))
      throw undeclaredName.error({ sort: "preset", name, known: Object.keys(PRESETS) });
    return Permissions.none().allow(...PRESETS[name]);
  }

  private constructor(
    private readonly grantedRights: ReadonlySet<string>,
    private readonly deniedRights: ReadonlySet<string>,
    /** Last days of those among the granted rights that end. */
    private readonly ends: ReadonlyMap<string, string>,
    private readonly vsses: ScopeIds,
    private readonly nodes: ScopeIds,
  ) {}

  /**
   * These rights too, without an end.
   *
   * @throws TENANCY_UNDECLARED_NAME if there is no such right, which TypeScript notices before
   */
  allow(...rights: Right[]): Permissions {
    rights.forEach(assertRight);
    return this.with(rights);
  }

  /**
   * These rights too, although this version does not know them. The provider has to name them in `extraRights`.
   *
   * @param rights as the service spells them, with their group: `"vss.new_right"`
   * @throws TENANCY_INVALID_VALUE if a text is no name of a right
   */
  allowExtra(...rights: string[]): Permissions {
    rights.forEach(assertExtraRight);
    return this.with(rights);
  }

  /**
   * Without these rights, although this version does not know them.
   *
   * @throws TENANCY_INVALID_VALUE if a text is no name of a right
   */
  denyExtra(...rights: string[]): Permissions {
    rights.forEach(assertExtraRight);
    return this.without(rights);
  }

  /**
   * Further rights that end by themselves. They are granted until the end of a day in UTC, and the first apply after it denies them.
   *
   * @param lastDay such as `"2026-12-04"`
   * @param choose adds the rights to the empty set that it gets
   * @throws TENANCY_INVALID_VALUE if the day is none, or where the set holds one of the rights already, without an end or with another one
   * @example
   * Permissions.operator().until("2026-12-04", (p) => p.allow("vss.format_disks"))
   */
  until(lastDay: string, choose: (none: Permissions) => Permissions): Permissions {
    if (!DAY.test(lastDay))
      throw invalidValue.error(`until() takes a day such as "2026-12-04", not ${JSON.stringify(lastDay)}`);
    const further = choose(Permissions.none());
    if (further.vsses !== "all" || further.nodes !== "all")
      throw invalidValue.error("until() takes rights without a scope", {
        advice: "Call scopedTo() on the result.",
      });
    const heldRight = further.rights.find((right) => this.allows(right) && this.ends.get(right) !== lastDay);
    if (heldRight !== undefined)
      throw invalidValue.error(
        `the set holds "${heldRight}" already, ${this.ends.has(heldRight) ? "with another end" : "without an end"}`,
        { advice: `Take it away first with deny("${heldRight}"), or leave it out of until().` },
      );
    return this.granting(
      new Set([...this.grantedRights, ...further.rights]),
      withoutRights(this.deniedRights, further.rights),
      new Map([...this.ends, ...further.rights.map((right) => [right, lastDay] as const)]),
    );
  }

  /**
   * Without these rights.
   *
   * @throws TENANCY_UNDECLARED_NAME if there is no such right, which TypeScript notices before
   */
  deny(...rights: Right[]): Permissions {
    rights.forEach(assertRight);
    return this.without(rights);
  }

  /**
   * The rights of both. A right that both grant ends on the later day, or not at all where one side grants it without an end.
   *
   * @throws TENANCY_INVALID_VALUE if both grant rights of a group for different scopes: one scope holds for all rights of a group
   */
  union(other: Permissions): Permissions {
    const grantedRights = new Set([...this.grantedRights, ...other.grantedRights]);
    return new Permissions(
      grantedRights,
      withoutRights(new Set([...this.deniedRights, ...other.deniedRights]), [...grantedRights]),
      unitedEnds(this, other),
      unitedScope("vss", [this, this.vsses], [other, other.vsses]),
      unitedScope("node", [this, this.nodes], [other, other.nodes]),
    );
  }

  /** The same rights, limited to these virtual storage services or nodes. */
  scopedTo(scope: PermissionsScope): Permissions {
    refuseUnknownMembers(scope, ["vsses", "nodes"], "scopedTo");
    const { grantedRights, deniedRights, ends, vsses, nodes } = this;
    return new Permissions(
      grantedRights,
      deniedRights,
      ends,
      copy(scope.vsses) ?? vsses,
      copy(scope.nodes) ?? nodes,
    );
  }

  /** Last days of the rights that end, by right. */
  get lastDays(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.rights.flatMap((right) => {
        const day = this.ends.get(right);
        return day === undefined ? [] : [[right, day]];
      }),
    );
  }

  /** True if the right is granted, be it until a day. */
  allows(right: string): boolean {
    return this.grantedRights.has(right);
  }

  /** The granted rights, in the API's order; also rights with an end. Rights that this version does not know come last, by name. */
  get rights(): readonly string[] {
    return orderedRights(this.grantedRights);
  }

  /**
   * The attributes of an L1 construct: the granted rights, and both scopes. `new UserProfile(this, "jane", {
   * ...Permissions.operator().toAttributes(), … })`
   *
   * @param undeclaredRights of the same construct. With `"keep"`, only named rights are managed, so the result also contains the rights
   *   that `deny` named
   */
  toAttributes(undeclaredRights: "deny" | "keep" = "deny"): PermissionsAttributes {
    const rights = orderedRights(new Set([...this.grantedRights, ...this.deniedRights])).flatMap(
      (right): [string, boolean][] => {
        if (this.ends.has(right)) return [];
        if (this.grantedRights.has(right)) return [[right, true]];
        return undeclaredRights === "keep" && this.deniedRights.has(right) ? [[right, false]] : [];
      },
    );
    return {
      permissions: Object.fromEntries(rights),
      ...(this.ends.size > 0 && { permissionsUntil: this.lastDays }),
      vssScope: this.vsses === "all" ? ["*"] : [...this.vsses],
      nodeScope: this.nodes === "all" ? ["*"] : [...this.nodes],
    };
  }

  private with(rights: readonly string[]): Permissions {
    return this.granting(
      new Set([...this.grantedRights, ...rights]),
      withoutRights(this.deniedRights, rights),
      withoutEnds(this.ends, rights),
    );
  }

  private without(rights: readonly string[]): Permissions {
    return this.granting(
      withoutRights(this.grantedRights, rights),
      new Set([...this.deniedRights, ...rights]),
      withoutEnds(this.ends, rights),
    );
  }

  private granting(
    grantedRights: ReadonlySet<string>,
    deniedRights: ReadonlySet<string>,
    ends: ReadonlyMap<string, string>,
  ): Permissions {
    return new Permissions(grantedRights, deniedRights, ends, this.vsses, this.nodes);
  }
}

function orderedRights(rights: ReadonlySet<string>): readonly string[] {
  const extraRights = [...rights].filter((right) => !Object.hasOwn(RIGHTS, right)).sort();
  return [...ALL_RIGHTS.filter((right) => rights.has(right)), ...extraRights];
}

function withoutRights(rights: ReadonlySet<string>, removals: readonly string[]): ReadonlySet<string> {
  return new Set([...rights].filter((right) => !removals.includes(right)));
}

function withoutEnds(
  ends: ReadonlyMap<string, string>,
  rights: readonly string[],
): ReadonlyMap<string, string> {
  return new Map([...ends].filter(([right]) => !rights.includes(right)));
}

/** If one side grants a right without an end, the result grants it without an end. */
function unitedEnds(first: Permissions, second: Permissions): ReadonlyMap<string, string> {
  const ends = [first.lastDays, second.lastDays];
  const rights = new Set([...first.rights, ...second.rights]);
  return new Map(
    [...rights].flatMap((right): [string, string][] => {
      const holders = [first, second].flatMap((side, index) =>
        side.allows(right) ? [ends[index]?.[right]] : [],
      );
      const days = holders.filter((day) => day !== undefined).sort();
      const last = days.at(-1);
      return last === undefined || days.length < holders.length ? [] : [[right, last]];
    }),
  );
}

function assertRight(right: Right): void {
  if (!ALL_RIGHTS.includes(right))
    throw undeclaredName.error({ sort: "right", name: right, known: ALL_RIGHTS });
}

function assertExtraRight(right: string): void {
  if (!/^[A-Za-z][\w-]*\.[A-Za-z][\w-]*$/.test(right))
    throw invalidValue.error(`${JSON.stringify(right)} is no right with its group, such as "vss.new_right"`);
}

/** A side without rights in the group does not count, unless it was limited by hand. */
function unitedScope(
  group: "node" | "vss",
  [first, firstScope]: readonly [Permissions, ScopeIds],
  [second, secondScope]: readonly [Permissions, ScopeIds],
): ScopeIds {
  const counts = (side: Permissions, scope: ScopeIds): boolean =>
    scope !== "all" || side.rights.some((name) => name.startsWith(`${group}.`));
  if (!counts(first, firstScope)) return secondScope;
  if (!counts(second, secondScope) || sameScope(firstScope, secondScope)) return firstScope;
  throw invalidValue.error(`both sides of the union grant ${group} rights, for different scopes`, {
    advice: "Unite them first and call scopedTo() on the result.",
  });
}

function sameScope(a: ScopeIds, b: ScopeIds): boolean {
  if (a === "all" || b === "all") return a === b;
  const ids = new Set([...a, ...b]);
  return ids.size === new Set(a).size && ids.size === new Set(b).size;
}

function copy(scope: ScopeIds | undefined): ScopeIds | undefined {
  return scope === undefined || scope === "all" ? scope : [...scope];
}

/** Rights by name, spelt as the API does: true grants, false denies. */
export type RightsOverride = { readonly [Name in Right]?: boolean };

/**
 * A call of the provider function `permissions_preset`, for the `permissions` of an L1 construct: the engine evaluates it, where
 * {@link Permissions} writes out its rights when the stack is synthesized. Later overrides win.
 */
export function permissionsPreset(
  name: PresetName,
  ...overrides: readonly RightsOverride[]
): { [right: string]: boolean | IResolvable } {
  const call = `provider::tenancy::permissions_preset(${[name, ...overrides].map(jsonExpression).join(", ")})`;
  // A token replaces the map until the stack is synthesized.
  return Token.asAny(`\${${call}}`) as unknown as { [right: string]: boolean | IResolvable };
}

/** JSON is an expression of Terraform's language, once the templates in its texts are escaped. */
function jsonExpression(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? escapedText(part) : part,
  );
}
