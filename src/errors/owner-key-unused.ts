import { TenancyError } from "./tenancy-error";

/** A warning: an owner key without an owner does nothing (Terraform only). */
export class OwnerKeyUnused extends TenancyError {
  static readonly code = "TENANCY_OWNER_KEY_UNUSED";
  static readonly explanation = `
\`TENANCY_OWNER_KEY\` is set, and the provider has no \`owner\`. Uuids are made of the owner's name and the key together; without an owner they
are random, and nothing can be recognised by them. Under Terraform that is allowed, because its state knows what is ours.`;

  constructor() {
    super("the owner key has no effect, because there is no owner", {
      advice: "Set `owner` in the provider's configuration (TENANCY_OWNER), or unset TENANCY_OWNER_KEY.",
    });
  }
}
