import { Construct } from "constructs";
import { idOf, nameAfter } from "./address";
import { Authorization, type AuthorizationConfig } from "./generated/l1";
import { l1Config } from "./l1-config";
import { escapedText } from "./escaped-text";
import { resourceConfig } from "./resource-config";
import type { TenantBase } from "./tenant-base";
import type { TokenProps } from "./tenant-props";

/** A persistent API token of a tenant. Made by `Tenant`, or with `addToken`. */
export class TenantToken extends Construct {
  /** Its name, unique among the tokens of its user. */
  readonly name: string;
  /** Login that it acts for. */
  readonly login: string;
  /** The L1 construct. */
  readonly authorization: Authorization;

  /**
   * @internal
   * @param login a token reference or literal, as it is given
   */
  constructor(
    scope: Construct,
    tenant: TenantBase,
    name: string,
    { login, props }: { login: string; props: Omit<TokenProps, "user"> },
  ) {
    super(scope, idOf(name));
    this.name = name;
    this.login = login;
    const { dependsOn, ...declared } = props;
    this.authorization = new Authorization(this, "Resource", {
      ...l1Config("authorization", { name, ...declared }, this),
      ...resourceConfig(tenant, { dependsOn }),
      login: escapedText(login),
    } as AuthorizationConfig);
    nameAfter(tenant, this.authorization, name);
  }

  /** The secret itself, as a reference; sensitive. */
  get accessToken(): string {
    return this.authorization.accessToken;
  }
}
