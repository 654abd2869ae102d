# By name, id or serial.
import {
  to = tenancy_account.acme
  id = "acme"
}
