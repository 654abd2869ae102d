import type { ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { UndeclaredName } from "../errors";
import type { Secret } from "./secret";
import type { TokenProps, UserProps } from "./tenant-props";
import { TenantToken } from "./tenant-token";
import { TenantUser } from "./tenant-user";

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

/** What declared tenants and those from elsewhere have in common: users and tokens can be declared in both. */
export abstract class TenantBase extends Construct implements ITenant {
  abstract readonly name: string;
  abstract readonly accountId: string;
  /** @internal */
  abstract readonly provider: TerraformProvider | undefined;

  private readonly users = new Map<string, DeclaredUser>();
  private readonly tokens = new Map<string, TenantToken>();

  addUser(username: string, props: UserProps = {}): TenantUser {
    const user = new TenantUser(this.folder("users"), this, username, props);
    this.users.set(username, { user, password: props.password ?? undefined });
    return user;
  }

  /** @throws UndeclaredName where the tenant is declared here, and the user is not */
  addToken(name: string, props: TokenProps = {}): TenantToken {
    const { user: username, dependsOn = [], ...declared } = props;
    const holder = username === undefined ? this.primary : this.holder(username);
    const token = new TenantToken(this.folder("tokens"), this, name, {
      login: holder.login,
      props: { ...minting(holder, declared), dependsOn: [...holder.resources, ...dependsOn] },
    });
    this.tokens.set(name, token);
    return token;
  }

  protected userNamed(username: string): TenantUser {
    const declared = this.users.get(username);
    if (declared === undefined)
      throw new UndeclaredName("user", username, [...this.users.keys()], `tenant "${this.name}"`);
    return declared.user;
  }

  protected tokenNamed(name: string): TenantToken {
    const token = this.tokens.get(name);
    if (token === undefined)
      throw new UndeclaredName("token", name, [...this.tokens.keys()], `tenant "${this.name}"`);
    return token;
  }

  /** The account's primary user profile, as the holder of a token. */
  protected abstract readonly primary: TokenHolder;

  /** Whether users may be named that are declared nowhere in this program. */
  protected abstract readonly hasOtherUsers: boolean;

  private holder(username: string): TokenHolder {
    const declared = this.users.get(username);
    if (declared === undefined && this.hasOtherUsers) {
      return { login: `${username}@${this.name}`, resources: [], password: "unknown" };
    }
    const { login, userProfile } = this.userNamed(username);
    return { login, resources: [userProfile], password: declared?.password };
  }

  private folder(id: "users" | "tokens"): Construct {
    return (this.node.tryFindChild(id) as Construct | undefined) ?? new Construct(this, id);
  }
}

interface DeclaredUser {
  readonly user: TenantUser;
  readonly password: Secret | undefined;
}

/** Whom a token acts for. */
export interface TokenHolder {
  readonly login: string;
  /** What has to be there before the token. */
  readonly resources: readonly ITerraformDependable[];
  /** Undefined where it is declared without a password. */
  readonly password: Secret | undefined | "unknown";
}

type Minting = Omit<TokenProps, "user" | "dependsOn">;

/** Unless told otherwise, a token is minted with its user's password, or for a user without one with a passing password. */
function minting({ password }: TokenHolder, declared: Minting): Minting {
  if (password === "unknown" || declared.password !== undefined) return declared;
  const mintWith = declared.mintWith ?? (password === undefined ? "ephemeral_password" : "password");
  return {
    ...declared,
    mintWith,
    // Without its version: a new password is no change of the token.
    ...(mintWith === "password" && password !== undefined && { password: password.unversioned() }),
  };
}
