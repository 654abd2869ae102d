data "tenancy_status" "service" {}

check "service_is_healthy" {
  assert {
    condition     = data.tenancy_status.service.status == 200
    error_message = data.tenancy_status.service.message
  }
}
