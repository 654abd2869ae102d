/** Defines `SessionToken` and `AccessToken`, the ephemeral resources. */
import { ref, TerraformElement, type TerraformProvider, Token } from "cdktf";
import type { Construct } from "constructs";
import type { DeclaredAccessToken, DeclaredSessionToken } from "./generated/l2/declared";
import { l1Config } from "./l1-config";

/** The user to log in as (spec 4.2). Without `username` and `password` it is the provider's own user. */
export interface SessionTokenProps extends DeclaredSessionToken {
  /**
   * The service to log in to, when the stack talks to several.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
}

/** The token to open: either a sealed text, or a token of the state by login and name. */
export interface AccessTokenProps extends DeclaredAccessToken {
  /**
   * Provider of the service that has the token, if a stack has several.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
}

/** A secret for one run, which no state and no plan holds: it may go where ephemeral values may. */
abstract class EphemeralSecret extends TerraformElement {
  private readonly attributes: Readonly<Record<string, unknown>>;
  private readonly type: string;

  protected constructor(
    scope: Construct,
    id: string,
    kind: "session_token" | "access_token",
    props: SessionTokenProps | AccessTokenProps,
  ) {
    super(scope, id, `ephemeral.tenancy_${kind}`);
    this.type = `tenancy_${kind}`;
    const { provider, ...attributes } = props;
    this.attributes = {
      ...l1Config(kind, attributes, this, { owner: this.constructor.name, further: ["provider"] }),
      ...(provider !== undefined && { provider: provider.fqn }),
    };
  }

  /** The secret itself, as a reference. */
  get accessToken(): string {
    const address = `ephemeral.${this.type}.${this.friendlyUniqueId}`;
    return Token.asString(ref(`${address}.access_token`, this.cdktfStack));
  }

  override toTerraform(): object {
    return {
      ephemeral: {
        [this.type]: { [this.friendlyUniqueId]: { ...this.attributes, "//": this.constructNodeMetadata } },
      },
    };
  }
}

/**
 * A time-limited token, made for one run and kept in no state: an ephemeral resource. It may go where ephemeral values may, such as
 * another provider's configuration, or a write-only attribute.
 *
 * @example
 * new TenancyProvider(this, "as-acme", { alias: "acme", token: new SessionToken(this, "acme-session", { … }).accessToken });
 */
export class SessionToken extends EphemeralSecret {
  /** @throws TENANCY_LITERAL_SECRET */
  constructor(scope: Construct, id: string, props: SessionTokenProps = {}) {
    super(scope, id, "session_token", props);
  }
}

/**
 * The secret of a token that exists already, for one run: an ephemeral resource. A sealed token needs an identity in `TENANCY_IDENTITY`.
 *
 * @example
 * const token = new AccessToken(this, "csi", { sealed: tenant.token("csi-prod").authorization.accessTokenSealed });
 */
export class AccessToken extends EphemeralSecret {
  constructor(scope: Construct, id: string, props: AccessTokenProps) {
    super(scope, id, "access_token", props);
  }
}
