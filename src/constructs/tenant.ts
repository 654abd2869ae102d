/** Defines `Tenant`: an account with its users and their tokens. */
import type { ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { invalidValue, undeclaredName } from "../problems";
import { escapedText, constructId, ImportBlock, keepUnique, nameAfter } from "./address";
import { Account, type AccountConfig, Authorization, DataTenancyAccount, UserProfile } from "./generated/l1";
import { l1Config, resourceConfig } from "./l1-config";
import { refuseUnfitValues, refuseUnknownMembers } from "./members";
import type { Secret } from "./secret";
import type { TenantImport, TenantProps, TokenProps, UserProps } from "./tenant-props";

/** A persistent API token of a tenant. Created by `Tenant`, or with `addToken`. */
export class TenantToken extends Construct {
  /** Its name, unique among the tokens of its user. */
  readonly name: string;
  /** Login that it acts for. */
  readonly login: string;
  /** The L1 construct. */
  readonly authorization: Authorization;

  /**
   * @internal
   * @param holder the user that it acts for
   */
  constructor(
    scope: Construct,
    tenant: TenantBase,
    name: string,
    { holder, props }: { holder: TokenHolder; props: Omit<TokenProps, "user"> },
  ) {
    super(scope, constructId(name));
    this.name = name;
    this.login = holder.login;
    const { dependsOn, ...attributes } = props;
    this.authorization = new Authorization(this, "Resource", {
      name: escapedText(name),
      ...l1Config("authorization", attributes, this, {
        owner: `token ${JSON.stringify(name)}`,
        further: ["user", "dependsOn"],
        ownAttributes: ["login", "name"],
      }),
      ...resourceConfig(tenant, { dependsOn }),
      // A reference replaces the token along with its user.
      login: holder.profile?.login ?? escapedText(holder.login),
    });
    nameAfter(tenant, this.authorization, name);
  }

  /** The secret itself, as a reference; sensitive. */
  get accessToken(): string {
    return this.authorization.accessToken;
  }
}

/** A user of a tenant. Created by `Tenant`, or with `addUser`. */
export class TenantUser extends Construct {
  /** The part of the login before the `@`. */
  readonly username: string;
  /** Full login, `username@account`; known already while planning. */
  readonly login: string;
  /** The L1 construct. */
  readonly userProfile: UserProfile;

  /** @internal */
  constructor(
    scope: Construct,
    private readonly tenant: TenantBase,
    username: string,
    props: UserProps,
  ) {
    super(scope, constructId(username));
    this.username = username;
    this.login = `${username}@${tenant.name}`;
    const { permissions, dependsOn, until, suspended, ...plain } = props;
    const owner = `user ${JSON.stringify(this.login)}`;
    const suspension = suspensionOf(this, owner, suspended, tenant.suspended);
    refuseUnfitValues("user_profile", { until }, this);
    // An end removes only declared access.
    const ending = until === undefined ? {} : { access: { web: true, api: true, ...props.access } };
    const attributes = withSuspension({ ...plain, ...ending }, suspension);
    this.userProfile = new UserProfile(this, "Resource", {
      username: escapedText(username),
      ...l1Config("user_profile", attributes, this, {
        owner,
        further: ["permissions", "dependsOn", "until", "suspended"],
        ownAttributes: ["username", "accountId", "accessUntil"],
      }),
      ...(until !== undefined && { accessUntil: escapedText(until) }),
      ...resourceConfig(tenant, { permissions, undeclaredRights: props.undeclaredRights, dependsOn }),
      accountId: tenant.accountId,
    });
    nameAfter(tenant, this.userProfile, username);
    noteSuspension(this.userProfile, suspension);
  }

  /**
   * Imports a user profile that exists, instead of creating one. No password is set. Once an apply has recorded it, the line may go.
   *
   * @param id id, serial or login
   * @default id the login
   */
  importFrom(id: string = this.login): this {
    ImportBlock.of(this.userProfile, id, this.tenant.provider);
    return this;
  }
}

/** A tenant, declared here (`Tenant`) or elsewhere (`Tenant.fromName`). */
export interface ITenant extends IConstruct {
  /** Name of the account. */
  readonly name: string;
  /** Id of the account, as a reference. */
  readonly accountId: string;

  /** Declares one more user. */
  addUser(username: string, props?: UserProps): TenantUser;

  /** Declares one more token. */
  addToken(name: string, props?: TokenProps): TenantToken;
}

/** Shared by declared tenants and those from elsewhere: users and tokens can be declared in both. */
abstract class TenantBase extends Construct implements ITenant {
  abstract readonly name: string;
  abstract readonly accountId: string;
  /** @internal */
  abstract readonly provider: TerraformProvider | undefined;
  /** @internal */
  abstract readonly suspended: boolean | undefined;

  private readonly users = new Map<
    string,
    { readonly user: TenantUser; readonly password: Secret | undefined }
  >();
  private readonly tokens = new Map<string, TenantToken>();

  addUser(username: string, props: UserProps = {}): TenantUser {
    const user = new TenantUser(this.folder("users"), this, username, props);
    this.users.set(username, { user, password: props.password ?? undefined });
    return user;
  }

  /** Imports every user that is declared so far. */
  protected importUsers(): void {
    for (const { user } of this.users.values()) user.importFrom();
  }

  /** @throws TENANCY_UNDECLARED_NAME if the tenant is declared here, and the user is not */
  addToken(name: string, props: TokenProps = {}): TenantToken {
    const { user: username, dependsOn = [], ...tokenAttributes } = props;
    const holder = username === undefined ? this.primary : this.holder(username);
    const token = new TenantToken(this.folder("tokens"), this, name, {
      holder,
      props: { ...withLogin(holder, tokenAttributes), dependsOn: [...holder.resources, ...dependsOn] },
    });
    this.tokens.set(name, token);
    return token;
  }

  protected userNamed(username: string): TenantUser {
    const entry = this.users.get(username);
    if (entry === undefined)
      throw undeclaredName.error({
        sort: "user",
        name: username,
        known: [...this.users.keys()],
        within: `tenant "${this.name}"`,
      });
    return entry.user;
  }

  protected tokenNamed(name: string): TenantToken {
    const token = this.tokens.get(name);
    if (token === undefined)
      throw undeclaredName.error({
        sort: "token",
        name,
        known: [...this.tokens.keys()],
        within: `tenant "${this.name}"`,
      });
    return token;
  }

  /** The account's primary user profile, as the holder of a token. */
  protected abstract readonly primary: TokenHolder;

  /** True if a token may name users that are declared nowhere in this program. */
  protected abstract readonly hasOtherUsers: boolean;

  private holder(username: string): TokenHolder {
    const entry = this.users.get(username);
    if (entry === undefined && this.hasOtherUsers) {
      return { login: `${username}@${this.name}`, resources: [], password: "unknown" };
    }
    const { login, userProfile } = this.userNamed(username);
    return { login, profile: userProfile, resources: [userProfile], password: entry?.password };
  }

  private folder(id: "users" | "tokens"): Construct {
    return (this.node.tryFindChild(id) as Construct | undefined) ?? new Construct(this, id);
  }
}

/** The user that a token acts for. */
interface TokenHolder {
  readonly login: string;
  /** The user profile, where it is declared. */
  readonly profile?: UserProfile;
  /** Resources that have to be there before the token. */
  readonly resources: readonly ITerraformDependable[];
  /** Undefined if the user is declared without a password. */
  readonly password: Secret | undefined | "unknown";
}

/** By default a token is created with its user's password, or with a temporary password if the user has none. */
function withLogin<P extends Omit<TokenProps, "user" | "dependsOn">>(
  { password }: TokenHolder,
  attributes: P,
): P {
  if (password === "unknown" || attributes.password !== undefined) return attributes;
  const loginWith = attributes.loginWith ?? (password === undefined ? "temporary_password" : "password");
  return {
    ...attributes,
    loginWith,
    // Without its version, since a new password does not change the token.
    ...(loginWith === "password" && password !== undefined && { password: password.unversioned() }),
  };
}

/** A tenant that is looked up by its name. */
class NamedTenant extends TenantBase {
  readonly name: string;
  /** The L1 construct of the data source. */
  readonly account: DataTenancyAccount;
  readonly provider: TerraformProvider | undefined;
  readonly suspended = undefined;
  protected readonly primary: TokenHolder;
  protected readonly hasOtherUsers = true;

  constructor(scope: Construct, id: string, name: string, provider: TerraformProvider | undefined) {
    super(scope, id);
    this.name = name;
    this.provider = provider;
    this.account = new DataTenancyAccount(this, "Resource", {
      name: escapedText(name),
      ...(provider !== undefined && { provider }),
    });
    nameAfter(this, this.account);
    this.primary = { login: name, resources: [], password: "unknown" };
  }

  get accountId(): string {
    return (this.reference ??= this.account.id);
  }

  private reference?: string;
}

/**
 * A tenant of the storage service: its account, its users and their API tokens.
 *
 * @example
 * const acme = new Tenant(this, "acme", {
 *   name: "acme",
 *   limits: { vssNum: 20 },
 *   users: {
 *     jane: { email: "jane@acme.example", permissions: Permissions.operator() },
 *     csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
 *   },
 *   tokens: { "csi-prod": { user: "csi" } },
 * });
 */
export class Tenant<Username extends string = never, TokenName extends string = never> extends TenantBase {
  /** A tenant that is declared elsewhere, or not at all: users and tokens can be added to it. */
  static fromName(
    scope: Construct,
    id: string,
    name: string,
    options: { readonly provider?: TerraformProvider } = {},
  ): ITenant {
    refuseUnknownMembers(options, ["provider"], "Tenant.fromName");
    return new NamedTenant(scope, id, name, options.provider);
  }

  readonly name: string;
  /** The L1 construct of the account. */
  readonly account: Account;
  /** @internal */
  readonly provider: TerraformProvider | undefined;
  /** @internal */
  readonly suspended: boolean | undefined;
  protected readonly primary: TokenHolder;
  protected readonly hasOtherUsers = false;

  /** @throws TENANCY_LITERAL_SECRET, TENANCY_INVALID_VALUE, TENANCY_UNDECLARED_NAME */
  constructor(scope: Construct, id: string, props: TenantProps<Username, TokenName>) {
    super(scope, id);
    const { users, tokens, permissions, provider, dependsOn, suspended, ...plain } = props;
    this.name = props.name;
    this.provider = provider;
    const owner = `tenant ${JSON.stringify(props.name)}`;
    this.suspended = suspensionOf(this, owner, suspended, undefined);
    const attributes = withSuspension(plain, this.suspended);
    this.account = new Account(this, "Resource", {
      ...l1Config("account", attributes, this, {
        owner,
        further: ["users", "tokens", "permissions", "provider", "dependsOn", "suspended"],
      }),
      ...resourceConfig(this, { permissions, undeclaredRights: props.undeclaredRights, dependsOn }),
    } as unknown as AccountConfig);
    nameAfter(this, this.account);
    noteSuspension(this.account, this.suspended);
    this.primary = { login: props.name, resources: [this.account], password: props.password };

    for (const [username, user] of entries<UserProps>(users)) this.addUser(username, user);
    for (const [name, token] of entries<TokenProps>(tokens)) this.addToken(name, token);
    keepUnique(this, (construct) => construct instanceof Tenant);
  }

  get accountId(): string {
    return (this.reference ??= this.account.id);
  }

  /** Created once: each new reference captures a stack trace, and every user has one. */
  private reference?: string;

  /** A user that is declared in `users`. */
  user(username: Username): TenantUser {
    return this.userNamed(username);
  }

  /** A token that is declared in `tokens`. */
  token(name: TokenName): TenantToken {
    return this.tokenNamed(name);
  }

  /**
   * Imports an account that exists, instead of creating one. No password is set. Once an apply has recorded it, the line may be removed.
   * Its users are imported one by one, `tenant.user("jane").importFrom()`, or all at once with `users`.
   *
   * @param from id, serial or name; or the parts to import
   * @default from the tenant's name
   */
  importFrom(from: string | TenantImport = {}): this {
    refuseUnknownMembers(typeof from === "string" ? {} : from, ["id", "users"], "importFrom", {
      construct: this,
    });
    const { id = this.name, users = false } = typeof from === "string" ? { id: from } : from;
    ImportBlock.of(this.account, id, this.provider);
    if (users) this.importUsers();
    return this;
  }
}

// Suspension: web and API access are taken away, and the state remembers it.

/** @throws TENANCY_INVALID_VALUE */
function suspensionOf(
  construct: Construct,
  owner: string,
  own: unknown,
  ofTenant: boolean | undefined,
): boolean | undefined {
  if (own !== undefined && typeof own !== "boolean")
    throw invalidValue.error(`"suspended" of ${owner} must be true or false, written out`, {
      attribute: ["suspended"],
      constructPath: construct.node.path,
    });
  return ofTenant === true ? true : (own ?? ofTenant);
}

function withSuspension<P extends { readonly access?: { readonly web?: unknown; readonly api?: unknown } }>(
  props: P,
  suspension: boolean | undefined,
): P {
  if (suspension === undefined) return props;
  const access = suspension ? { web: false, api: false } : { web: true, api: true, ...props.access };
  return { ...props, access };
}

/** In metadata, which Terraform skips: the embedded engine remembers who was suspended. */
function noteSuspension(resource: Account | UserProfile, suspension: boolean | undefined): void {
  if (suspension !== undefined) resource.addOverride("//.tenancy.suspended", suspension);
}

function entries<T>(map: Readonly<Record<string, T | undefined>> | undefined): readonly [string, T][] {
  return Object.entries(map ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
