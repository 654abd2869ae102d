/** Defines the properties of a tenant, its users and its tokens. */
import type { ITerraformDependable, TerraformProvider } from "cdktf";
import type { DeclaredAccount, DeclaredAuthorization, DeclaredUserProfile } from "./generated/l2/declared";
import type { Permissions } from "./permissions";

/** Constructs that have to be there first. */
export interface DependentProps {
  /** Resources that are applied before this one, although it does not refer to them. */
  readonly dependsOn?: readonly ITerraformDependable[];
}

/** A person or a machine that may act in the tenant (spec 2.3, 4.4). The key in `users` is the username. */
export interface UserProps
  extends Omit<DeclaredUserProfile, "username" | "accountId" | "accessUntil">, DependentProps {
  /**
   * Last day of web and API access, in UTC: `"2026-12-31"`. The first apply after it removes both. Members that `access` does not declare
   * are true.
   *
   * @default access does not end
   */
  readonly until?: string;
  /**
   * Rights of the user; authoritative, so every right that is not in it is denied.
   *
   * @default the service grants most rights, and the plan has a warning
   */
  readonly permissions?: Permissions;
  /**
   * True removes web and API access, with any `access`; tokens of the user stop working. False gives the access that `access` declares, and
   * both kinds if it declares none. Once an apply has suspended the user, `suspended` may only be removed after an apply with `false`.
   *
   * @default the access that `access` declares
   */
  readonly suspended?: boolean;
}

/** A persistent API token (spec 2.5, 5). The key in `tokens` is its name. */
export interface TokenProps<Username extends string = string>
  extends Omit<DeclaredAuthorization, "login" | "name">, DependentProps {
  /**
   * Username of the user that it acts for.
   *
   * @default the account's primary user profile
   */
  readonly user?: Username;
  /**
   * The way in which the token is created.
   *
   * @default "password" where the user is declared with a password, which then serves; "temporary_password" where it is declared
   * without one, as machines are
   */
  readonly loginWith?: NonNullable<DeclaredAuthorization["loginWith"]>;
}

/** Declaration of a tenant: the account with its primary user profile (spec 2.2, 4.3), its users and their tokens. */
export interface TenantProps<Username extends string = never, TokenName extends string = never>
  extends DeclaredAccount, DependentProps {
  /** Rights of the account's primary user profile; authoritative. */
  readonly permissions?: Permissions;
  /**
   * True suspends the primary user profile and all declared users, as `suspended` of a user does; the plan lists users and tokens of the
   * tenant that still work. False gives access back to all users that are not suspended themselves.
   *
   * @default each user as declared
   */
  readonly suspended?: boolean;
  /** Users by their usernames. An undefined user is not declared: `...(isProduction && { ops: {} })`. */
  readonly users?: { readonly [Name in Username]?: UserProps | undefined };
  /** Tokens by their names. */
  readonly tokens?: { readonly [Name in TokenName]?: TokenProps<NoInfer<Username>> | undefined };
  /**
   * Provider of the service in which the tenant lives, when the stack talks to several services.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
}

/** An existing account to import. */
export interface TenantImport {
  /**
   * Id, serial or name of the account.
   *
   * @default the tenant's name
   */
  readonly id?: string;
  /**
   * True to import the users that are declared so far, too, each by its login. All of them have to be live: declare new users
   * afterwards, with `addUser`.
   *
   * @default false
   */
  readonly users?: boolean;
}
