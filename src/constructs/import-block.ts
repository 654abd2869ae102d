import { TerraformElement, type TerraformProvider, type TerraformResource } from "cdktf";
import { escapedText } from "./escaped-text";

/**
 * An `import` block: declares that a live record is adopted. The library's own `importFrom` writes the same block, but refuses to
 * synthesize where no Terraform is installed, which the embedded engine does not need.
 */
export class ImportBlock extends TerraformElement {
  constructor(
    private readonly target: TerraformResource,
    private readonly importId: string,
    private readonly provider: TerraformProvider | undefined,
  ) {
    super(target, "Import");
  }

  override toTerraform(): object {
    const { terraformResourceType, friendlyUniqueId } = this.target;
    return {
      import: [
        {
          to: `${terraformResourceType}.${friendlyUniqueId}`,
          id: escapedText(this.importId),
          ...(this.provider !== undefined && { provider: this.provider.fqn }),
        },
      ],
    };
  }
}
