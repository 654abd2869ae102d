data "tenancy_account" "acme" {
  name = "acme"
}

data "tenancy_account_usage" "acme" {
  account_id = data.tenancy_account.acme.id
}

check "acme_has_room" {
  assert {
    condition     = data.tenancy_account_usage.acme.vss_num < 18
    error_message = "acme has hardly any virtual storage services left."
  }
}
