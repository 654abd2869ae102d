resource "tenancy_account" "acme" {
  name = "acme"

  primary_contact = {
    company = "Acme"
    email   = "storage@acme.example"
  }
  limits_vss_num            = 20
  limits_size_reserve_total = 10995116277760

  # What the account's primary user profile may do.
  permissions = provider::tenancy::permissions_preset("account_admin")

  # An account takes its storage with it: set this to false, and apply, before it is deleted.
  deletion_protection = true
}
