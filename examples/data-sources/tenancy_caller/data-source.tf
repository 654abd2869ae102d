data "tenancy_caller" "me" {}

locals {
  # A service may show the user, the account, or neither of them.
  caller = [data.tenancy_caller.me.user, data.tenancy_caller.me.account]
}

output "logged_in_as" {
  value = try([for one in local.caller : one.name if one != null][0], "not shown by the service")
}
