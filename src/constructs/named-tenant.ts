import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { nameAfter } from "./address";
import { DataTenancyAccount } from "./generated/l1";
import { escapedText } from "./escaped-text";
import { TenantBase, type TokenHolder } from "./tenant-base";

/** A tenant that is looked up by its name. */
export class NamedTenant extends TenantBase {
  readonly name: string;
  /** The L1 construct of the data source. */
  readonly account: DataTenancyAccount;
  readonly provider: TerraformProvider | undefined;
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
