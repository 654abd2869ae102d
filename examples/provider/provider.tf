terraform {
  required_version = ">= 1.11"

  required_providers {
    tenancy = {
      source  = "tenancy/tenancy"
      version = "~> 0.1"
    }
  }
}

# As whom to log in comes from the environment: TENANCY_USERNAME and TENANCY_PASSWORD, or TENANCY_TOKEN.
provider "tenancy" {
  base_url = "https://storage.example"
}
