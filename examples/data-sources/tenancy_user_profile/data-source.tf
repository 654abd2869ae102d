data "tenancy_user_profile" "jane" {
  login = "jane@acme"
}

output "jane_may_remove_storage" {
  value = data.tenancy_user_profile.jane.permissions["vss.remove_vss"]
}
