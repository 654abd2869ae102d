variable "jane_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

ephemeral "tenancy_session_token" "jane" {
  username = "jane@acme"
  password = var.jane_password
}

# A provider that acts as jane, for this run.
provider "tenancy" {
  alias    = "jane"
  base_url = "https://storage.example"
  token    = ephemeral.tenancy_session_token.jane.access_token
}
