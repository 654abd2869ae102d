/** Before the stories of `npm test`: says that the story of Terraform is left out where there is no `terraform`. */
import { reportMissing } from "./missing-programs";

export default function reportMissingEngine(): void {
  reportMissing(["terraform"]);
}
