list "tenancy_account" "all" {
  provider = tenancy
}
