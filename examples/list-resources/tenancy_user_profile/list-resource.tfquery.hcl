list "tenancy_account" "acme" {
  provider = tenancy

  config {
    name_prefix = "acme"
  }
}

list "tenancy_user_profile" "acme" {
  provider = tenancy
  limit    = 10000

  config {
    account_id = list.tenancy_account.acme.data[0].identity.id
  }
}
