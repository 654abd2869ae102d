/** The engines that the provider is tested with. */
import { describeWith } from "../programs";

export interface Engine {
  readonly name: "terraform" | "tofu";
  readonly program: string;
  /** Host under which it looks for a provider whose source names none. */
  readonly registry: string;
}

/** The same tests with Terraform and with OpenTofu. */
export function withEachEngine(tests: (engine: Engine) => void): void {
  describeWith(["terraform"], "with Terraform", ({ terraform }) =>
    tests({ name: "terraform", program: terraform, registry: "registry.terraform.io" }),
  );
  describeWith(["tofu"], "with OpenTofu", ({ tofu }) =>
    tests({ name: "tofu", program: tofu, registry: "registry.opentofu.org" }),
  );
}
