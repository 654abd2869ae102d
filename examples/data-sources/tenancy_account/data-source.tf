data "tenancy_account" "acme" {
  name = "acme"
}

output "acme_vss_limit" {
  value = data.tenancy_account.acme.limits_vss_num
}
