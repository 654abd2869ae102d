# Needs no service: the provider's answers are made up.
mock_provider "tenancy" {
  mock_resource "tenancy_account" {
    defaults = { id = "account:1:7" }
  }
}

variables {
  name      = "acme"
  passwords = {} # Terraform 1.11 does not take an ephemeral variable's default in a test
}

run "a_name_is_enough" {
  assert {
    condition     = tenancy_account.tenant.name == "acme" && tenancy_account.tenant.deletion_protection
    error_message = "The tenant is not the one that was asked for, or is not protected."
  }
  assert {
    condition     = length(tenancy_account.tenant.permissions) == 0
    error_message = "The tenant itself has rights."
  }
  assert {
    condition     = length(output.logins) == 0 && length(output.tokens) == 0
    error_message = "Somebody may log in."
  }
}

run "everything_at_once" {
  variables {
    contact = { company = "Acme", email = "storage@acme.example" }
    quotas  = { storages = 20, bytes = 1099511627776 }
    people = {
      jane = { email = "jane@acme.example", preset = "operator", permissions = { "vss.resize_disks" = false } }
      joe  = {}
    }
    machines = {
      csi = {
        rights   = ["vss.manage_snapshots"]
        storages = ["vss:1:4"]
        tokens   = { production = {}, staging = { keepers = { quarter = "2026-4" } } }
      }
    }
  }

  assert {
    condition     = tenancy_account.tenant.limits_vss_num == 20
    error_message = "The quota of storages is not the one that was asked for."
  }
  assert {
    condition     = tenancy_user_profile.machines["csi"].permissions["vss.manage_snapshots"]
    error_message = "The machine cannot make snapshots."
  }
  assert {
    condition     = length(tenancy_user_profile.machines["csi"].permissions) == 1
    error_message = "The machine may do more than make snapshots."
  }
  assert {
    condition     = tenancy_user_profile.machines["csi"].vss_scope == toset(["vss:1:4"])
    error_message = "The machine sees more than its storage."
  }
  assert {
    condition     = !tenancy_user_profile.people["jane"].permissions["vss.resize_disks"]
    error_message = "Jane may resize disks."
  }
  assert {
    condition     = length(output.tokens) == 2 && tenancy_user_profile.people["joe"].account_id == "account:1:7"
    error_message = "There are not two tokens, or Joe is somebody else's."
  }
}
