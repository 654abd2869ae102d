data "tenancy_accounts" "customers" {
  name_prefix = "customer-"
}

output "customers" {
  value = data.tenancy_accounts.customers.accounts[*].name
}
