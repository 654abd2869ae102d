/** Configurations of many users, as Terraform reads them. */

/** What each user is declared with. */
export const userMembers = `
  username    = "user-\${count.index}"
  email       = "user-\${count.index}@tenant.example"
  permissions = { "vss.manage_snapshots" = true, "vss.backup_disks" = true }`;

export function users(count: number): string {
  return `
provider "tenancy" {
  owner = "bench"
}
resource "tenancy_user_profile" "it" {
  count = ${count}
  ${userMembers}
}`;
}

/** As many objects of the same values that Terraform keeps by itself. */
export function terraformData(count: number): string {
  return `
resource "terraform_data" "it" {
  count = ${count}
  input = {${userMembers}
  }
}`;
}
