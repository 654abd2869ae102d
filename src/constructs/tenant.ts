import type { TerraformProvider } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { nameAfter } from "./address";
import { Account, type AccountConfig } from "./generated/l1";
import { ImportBlock } from "./import-block";
import { l1Config } from "./l1-config";
import { NamedTenant } from "./named-tenant";
import { resourceConfig } from "./resource-config";
import { TenantBase, type ITenant, type TokenHolder } from "./tenant-base";
import type { TenantProps, TokenProps, UserProps } from "./tenant-props";
import type { TenantToken } from "./tenant-token";
import type { TenantUser } from "./tenant-user";
import { keepUnique } from "./uniqueness";

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
    return new NamedTenant(scope, id, name, options.provider);
  }

  readonly name: string;
  /** The L1 construct of the account. */
  readonly account: Account;
  /** @internal */
  readonly provider: TerraformProvider | undefined;
  protected readonly primary: TokenHolder;
  protected readonly hasOtherUsers = false;

  /** @throws LiteralSecret, InvalidValue, UndeclaredName */
  constructor(scope: Construct, id: string, props: TenantProps<Username, TokenName>) {
    super(scope, id);
    const { users, tokens, permissions, provider, dependsOn, ...declared } = props;
    this.name = props.name;
    this.provider = provider;
    this.account = new Account(this, "Resource", {
      ...l1Config("account", declared, this),
      ...resourceConfig(this, { permissions, undeclaredRights: props.undeclaredRights, dependsOn }),
    } as unknown as AccountConfig);
    nameAfter(this, this.account);
    this.primary = { login: props.name, resources: [this.account], password: props.password };

    for (const [username, user] of entries<UserProps>(users)) this.addUser(username, user);
    for (const [name, token] of entries<TokenProps>(tokens)) this.addToken(name, token);
    keepUnique(this, isTenant);
  }

  get accountId(): string {
    return (this.reference ??= this.account.id);
  }

  /** Made once: each reference that is asked for anew captures a stack trace, and every user has one. */
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
   * Takes in an account that lives already, instead of creating one; its users are taken in one by one. It is never pruned, and no
   * password is set.
   *
   * @param id id, serial or name
   * @default id the tenant's name
   */
  importFrom(id: string = this.name): this {
    new ImportBlock(this.account, id, this.provider);
    return this;
  }
}

function isTenant(construct: IConstruct): construct is Tenant {
  return construct instanceof Tenant;
}

function entries<T>(map: Readonly<Record<string, T | undefined>> | undefined): readonly [string, T][] {
  return Object.entries(map ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
