/** What a user may do, as a value. */
import { ScopeConflict, UndeclaredName } from "../errors";
import type { UserProfilePermissions } from "./generated/l1";
import { PRESETS } from "./generated/l2/presets";
import { RIGHTS, type Right, type RightGroup } from "./generated/l2/rights";

/** Which virtual storage services and nodes the rights hold for. What is absent stays as it was. */
export interface PermissionsScope {
  /** Ids of virtual storage services; `"all"` for all of the account. */
  readonly vsses?: readonly string[] | "all";
  /** Ids of nodes; `"all"` for all. */
  readonly nodes?: readonly string[] | "all";
}

type Scope = readonly string[] | "all";

const ALL_RIGHTS: readonly Right[] = Object.entries(RIGHTS).flatMap(([group, names]) =>
  names.map((name) => `${group}.${name}` as Right),
);

/**
 * An immutable set of rights with its scopes (spec 2.4). Every right that is not in it is denied.
 *
 * @example
 * Permissions.operator().deny("vss.resize_disks").scopedTo({ vsses: ["virtual-storage-service:1:7"] })
 */
export class Permissions {
  /** No right at all. */
  static none(): Permissions {
    return new Permissions(new Set(), "all", "all");
  }

  /** Looks, and touches nothing. */
  static observer(): Permissions {
    return Permissions.preset("observer");
  }

  /** Runs what is there from day to day; neither provisions nor takes away anything that holds data. */
  static operator(): Permissions {
    return Permissions.preset("operator");
  }

  /** Operates, and makes new storage; removes none. */
  static provisioner(): Permissions {
    return Permissions.preset("provisioner");
  }

  /** Observes, and manages keys and what unlocks disks. */
  static keyManager(): Permissions {
    return Permissions.preset("key_manager");
  }

  /** Everything inside the account: what the service grants to a profile created without permissions. */
  static accountAdmin(): Permissions {
    return Permissions.preset("account_admin");
  }

  /** The preset of this name, spelt as for the provider function `permissions_preset`. */
  static preset(name: keyof typeof PRESETS): Permissions {
    if (!Object.hasOwn(PRESETS, name)) throw new UndeclaredName("preset", name, Object.keys(PRESETS));
    return Permissions.none().allow(...PRESETS[name]);
  }

  private constructor(
    private readonly granted: ReadonlySet<Right>,
    private readonly vsses: Scope,
    private readonly nodes: Scope,
  ) {}

  /** These rights too. @throws UndeclaredName */
  allow(...rights: Right[]): Permissions {
    rights.forEach(assertRight);
    return this.granting(new Set([...this.granted, ...rights]));
  }

  /** Without these rights. @throws UndeclaredName */
  deny(...rights: Right[]): Permissions {
    rights.forEach(assertRight);
    return this.granting(new Set([...this.granted].filter((right) => !rights.includes(right))));
  }

  /**
   * The rights of both.
   *
   * @throws ScopeConflict where both grant rights of a group for different scopes: one scope holds for all rights of a group
   */
  union(other: Permissions): Permissions {
    return new Permissions(
      new Set([...this.granted, ...other.granted]),
      unitedScope("vss", [this, this.vsses], [other, other.vsses]),
      unitedScope("node", [this, this.nodes], [other, other.nodes]),
    );
  }

  /** The same rights, limited to these virtual storage services or nodes. */
  scopedTo(scope: PermissionsScope): Permissions {
    return new Permissions(this.granted, copy(scope.vsses) ?? this.vsses, copy(scope.nodes) ?? this.nodes);
  }

  /** Whether the right is granted. */
  allows(right: Right): boolean {
    return this.granted.has(right);
  }

  /** The granted rights, in the API's order. */
  get rights(): readonly Right[] {
    return ALL_RIGHTS.filter((right) => this.granted.has(right));
  }

  /**
   * The `permissions` attribute of an L1 construct, all 49 rights and both scopes:
   * `new UserProfile(this, "jane", { permissions: Permissions.operator().toAttribute(), … })`.
   */
  toAttribute(): UserProfilePermissions {
    return {
      realm: { rights: this.flags("realm") },
      nodeAttribute: {
        allRealmScope: this.nodes === "all",
        ...(this.nodes !== "all" && { nodes: [...this.nodes] }),
        rights: this.flags("node"),
      },
      vss: {
        allAccountScope: this.vsses === "all",
        ...(this.vsses !== "all" && { vsses: [...this.vsses] }),
        rights: this.flags("vss"),
      },
      user: { rights: this.flags("user") },
      account: { rights: this.flags("account") },
    };
  }

  private granting(granted: ReadonlySet<Right>): Permissions {
    return new Permissions(granted, this.vsses, this.nodes);
  }

  private flags(group: RightGroup): Record<string, boolean> {
    return Object.fromEntries(
      RIGHTS[group].map((name) => [camelCase(name), this.granted.has(`${group}.${name}` as Right)]),
    );
  }
}

function assertRight(right: Right): void {
  if (!ALL_RIGHTS.includes(right)) throw new UndeclaredName("right", right, ALL_RIGHTS);
}

/** A side without rights in the group, and not limited by hand, does not count. */
function unitedScope(
  group: "node" | "vss",
  [left, ofLeft]: readonly [Permissions, Scope],
  [right, ofRight]: readonly [Permissions, Scope],
): Scope {
  const counts = (side: Permissions, scope: Scope): boolean =>
    scope !== "all" || side.rights.some((name) => name.startsWith(`${group}.`));
  if (!counts(left, ofLeft)) return ofRight;
  if (!counts(right, ofRight) || sameScope(ofLeft, ofRight)) return ofLeft;
  throw new ScopeConflict(group);
}

function sameScope(a: Scope, b: Scope): boolean {
  if (a === "all" || b === "all") return a === b;
  const ids = new Set([...a, ...b]);
  return ids.size === new Set(a).size && ids.size === new Set(b).size;
}

function copy(scope: Scope | undefined): Scope | undefined {
  return scope === undefined || scope === "all" ? scope : [...scope];
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
