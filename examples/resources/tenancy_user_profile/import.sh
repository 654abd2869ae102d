# By login, id or serial.
terraform import tenancy_user_profile.jane jane@acme
