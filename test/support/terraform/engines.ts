/** The engines that the provider is tested with. */
import { describeWith } from "../programs";

export interface Engine {
  readonly name: "terraform" | "tofu";
  readonly program: string;
  /** Host under which it looks for a provider whose source names none. */
  readonly registry: string;
}

/** Terraform with features that the oldest supported version lacks: resource identity and list resources. */
export function withNextTerraform(tests: (engine: Engine, oldest: string) => void): void {
  describeWith(["terraform", "terraform-next"], "with a newer Terraform", (files) =>
    tests(
      { name: "terraform", program: files["terraform-next"], registry: "registry.terraform.io" },
      files.terraform,
    ),
  );
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
