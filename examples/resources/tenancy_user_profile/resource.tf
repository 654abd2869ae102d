resource "tenancy_account" "acme" {
  name = "acme"
}

variable "jane_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

# A person, with a password that no state holds. A new password is sent when its version changes.
resource "tenancy_user_profile" "jane" {
  account_id = tenancy_account.acme.id
  username   = "jane"
  email      = "jane@acme.example"

  password_wo         = var.jane_password
  password_wo_version = 1

  permissions = provider::tenancy::permissions_preset("operator", {
    "vss.resize_disks" = false
  })
}

# A machine: no password, one right. What is not named is denied.
resource "tenancy_user_profile" "csi" {
  account_id = tenancy_account.acme.id
  username   = "csi"
  access_web = false
  access_api = true

  permissions = {
    "vss.manage_snapshots" = true
  }

  # Takes a value away that the service, or somebody, has set.
  unset = ["email"]
}
