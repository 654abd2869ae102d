terraform {
  required_version = ">= 1.11"

  required_providers {
    tenancy = {
      source  = "tenancy/tenancy"
      version = "~> 0.1"
    }
  }

  # Where the database is, and as whom to log in there, comes from the environment: PG_CONN_STR. One schema for each configuration.
  backend "pg" {
    schema_name = "tenancy_platform"
  }
}

# Where the service is, and as whom to log in, comes from the environment as well: TENANCY_BASE_URL, TENANCY_USERNAME, TENANCY_PASSWORD.
provider "tenancy" {}

resource "tenancy_account" "acme" {
  name           = "acme"
  limits_vss_num = 20
  permissions    = {}
}

resource "tenancy_user_profile" "csi" {
  account_id  = tenancy_account.acme.id
  username    = "csi"
  permissions = { "vss.manage_snapshots" = true }
}

resource "tenancy_authorization" "csi" {
  login     = tenancy_user_profile.csi.login
  name      = "csi-prod"
  login_with = "temporary_password"
}

output "csi_token" {
  value     = tenancy_authorization.csi.access_token
  sensitive = true
}
