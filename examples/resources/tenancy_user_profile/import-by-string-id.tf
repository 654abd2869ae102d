# By login, id or serial.
import {
  to = tenancy_user_profile.jane
  id = "jane@acme"
}
