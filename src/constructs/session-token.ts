/** Defines `SessionToken`, an ephemeral resource. */
import { ref, TerraformElement, type TerraformProvider, Token } from "cdktf";
import type { Construct } from "constructs";
import type { DeclaredSessionToken } from "./generated/l2/declared";
import { l1Config } from "./l1-config";

const TYPE = "tenancy_session_token";

/** The user of the session (spec 4.2). Without `username` and `password` it is the provider's own user. */
export interface SessionTokenProps extends DeclaredSessionToken {
  /**
   * The service to log in to, when the stack talks to several.
   *
   * @default the stack's only provider
   */
  readonly provider?: TerraformProvider;
}

/**
 * A time-limited token, made for one run and kept in no state: an ephemeral resource. It may go where ephemeral values may, such as
 * another provider's configuration, or a write-only attribute.
 *
 * @example
 * new TenancyProvider(this, "as-acme", { alias: "acme", token: new SessionToken(this, "acme-session", { … }).accessToken });
 */
export class SessionToken extends TerraformElement {
  private readonly attributes: Readonly<Record<string, unknown>>;

  /** @throws TENANCY_LITERAL_SECRET */
  constructor(scope: Construct, id: string, props: SessionTokenProps = {}) {
    super(scope, id, `ephemeral.${TYPE}`);
    const { provider, ...attributes } = props;
    this.attributes = {
      ...l1Config("session_token", attributes, this, { owner: "SessionToken", further: ["provider"] }),
      ...(provider !== undefined && { provider: provider.fqn }),
    };
  }

  /** The secret itself, as a reference. */
  get accessToken(): string {
    const address = `ephemeral.${TYPE}.${this.friendlyUniqueId}`;
    return Token.asString(ref(`${address}.access_token`, this.cdktfStack));
  }

  override toTerraform(): object {
    return {
      ephemeral: {
        [TYPE]: { [this.friendlyUniqueId]: { ...this.attributes, "//": this.constructNodeMetadata } },
      },
    };
  }
}
