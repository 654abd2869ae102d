terraform {
  required_version = ">= 1.11"

  required_providers {
    tenancy = {
      source  = "tenancy/tenancy"
      version = "~> 0.1"
    }
  }
}

locals {
  # One entry for each token, by "machine/token".
  tokens = merge([
    for machine, declared in var.machines : {
      for token, settings in declared.tokens :
      "${machine}/${token}" => { machine = machine, name = token, keepers = settings.keepers }
    }
  ]...)
}

resource "tenancy_account" "tenant" {
  name            = var.name
  primary_contact = var.contact

  limits_vss_num                = var.quotas.storages
  limits_size_reserve_total     = var.quotas.bytes
  provisioning_size_reserve_max = var.quotas.bytes_per_storage

  # Nobody logs in as the tenant itself: people and machines have users of their own.
  permissions = {}
  access_web  = false
  access_api  = false

  deletion_protection = var.deletion_protection

  # An argument that is left out is taken away at the service, too: a quota that is deleted here ends there.
  unset = ["*"]
}

resource "tenancy_user_profile" "people" {
  for_each = var.people

  account_id  = tenancy_account.tenant.id
  username    = each.key
  email       = each.value.email
  sms         = each.value.sms
  access_api  = false
  permissions = provider::tenancy::permissions_preset(each.value.preset, each.value.permissions)
  vss_scope   = each.value.storages

  password_wo         = each.value.password_version == null ? null : var.passwords[each.key]
  password_wo_version = each.value.password_version

  unset = ["*"]
}

resource "tenancy_user_profile" "machines" {
  for_each = var.machines

  account_id  = tenancy_account.tenant.id
  username    = each.key
  access_web  = false
  permissions = { for right in each.value.rights : right => true }
  vss_scope   = each.value.storages

  unset = ["*"]
}

resource "tenancy_authorization" "tokens" {
  for_each = local.tokens

  login     = tenancy_user_profile.machines[each.value.machine].login
  name      = each.value.name
  login_with = "temporary_password"
  keepers   = each.value.keepers
}
