import { Construct } from "constructs";
import { idOf, nameAfter } from "./address";
import { UserProfile, type UserProfileConfig } from "./generated/l1";
import { ImportBlock } from "./import-block";
import { l1Config } from "./l1-config";
import { resourceConfig } from "./resource-config";
import type { TenantBase } from "./tenant-base";
import type { UserProps } from "./tenant-props";

/** A user of a tenant. Made by `Tenant`, or with `addUser`. */
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
    super(scope, idOf(username));
    this.username = username;
    this.login = `${username}@${tenant.name}`;
    const { permissions, dependsOn, ...declared } = props;
    this.userProfile = new UserProfile(this, "Resource", {
      ...l1Config("user_profile", { username, ...declared }, this),
      ...resourceConfig(tenant, { permissions, undeclaredRights: props.undeclaredRights, dependsOn }),
      accountId: tenant.accountId,
    } as UserProfileConfig);
    nameAfter(tenant, this.userProfile, username);
  }

  /**
   * Takes in a user profile that lives already, instead of creating one. It is never pruned, and no password is set.
   *
   * @param id id, serial or login
   * @default id the login
   */
  importFrom(id: string = this.login): this {
    new ImportBlock(this.userProfile, id, this.tenant.provider);
    return this;
  }
}
