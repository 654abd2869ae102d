/** Configurations of many users, as Terraform reads them. */

/** What each user is declared with. */
const members = (user: number) => `
  username    = "user-${user}"
  email       = "user-${user}@tenant.example"
  permissions = { "vss.manage_snapshots" = true, "vss.backup_disks" = true }`;

/** Each an object of its own, as people write them: with `count` or `for_each` Terraform would show them as one. */
export function users(count: number): string {
  return `
provider "tenancy" {
  owner = "bench"
}${objects(count, (user) => `resource "tenancy_user_profile" "user_${user}" {${members(user)}\n}`)}`;
}

/** As many objects of the same values that Terraform keeps by itself. */
export function terraformData(count: number): string {
  return objects(
    count,
    (user) => `resource "terraform_data" "user_${user}" {\n  input = {${members(user)}\n  }\n}`,
  );
}

function objects(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `\n${write(index)}`).join("");
}
