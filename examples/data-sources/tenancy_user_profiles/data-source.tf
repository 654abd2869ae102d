data "tenancy_account" "acme" {
  name = "acme"
}

data "tenancy_user_profiles" "acme" {
  account_id = data.tenancy_account.acme.id
}

output "without_second_factor" {
  value = [
    for profile in data.tenancy_user_profiles.acme.user_profiles : profile.login
    if profile.two_factor_auth == "none"
  ]
}
