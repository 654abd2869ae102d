# By name, id or serial.
terraform import tenancy_account.acme acme
