variable "readers" {
  description = "Recipients of age."
  type        = set(string)
}

resource "tenancy_authorization" "inspector" {
  name    = "inspector"
  seal_to = var.readers
}

ephemeral "tenancy_access_token" "inspector" {
  sealed = tenancy_authorization.inspector.access_token_sealed
}

# A provider that acts with this token, for this run.
provider "tenancy" {
  alias    = "inspector"
  base_url = "https://storage.example"
  token    = ephemeral.tenancy_access_token.inspector.access_token
}
