resource "tenancy_account" "acme" {
  name = "acme"
}

resource "tenancy_user_profile" "csi" {
  account_id  = tenancy_account.acme.id
  username    = "csi"
  permissions = { "vss.manage_snapshots" = true }
}

# A machine has no password, so one is set for the moment of creating tokens.
resource "tenancy_authorization" "csi" {
  login     = tenancy_user_profile.csi.login
  name      = "csi-prod"
  login_with = "temporary_password"

  # When one of these changes, the token is rotated: the old one stays valid for as long as is said here.
  keepers             = { quarter = "2026-1" }
  retain_previous_for = "7d"
}

output "csi_token" {
  value     = tenancy_authorization.csi.access_token
  sensitive = true
}
