data "tenancy_caller" "me" {}

output "logged_in_as" {
  value = "${data.tenancy_caller.me.user.name} of ${data.tenancy_caller.me.account.name}"
}
