# By serial or id, whichever is at hand.
import {
  to       = tenancy_user_profile.jane
  identity = { serial = "USR1B00000000000001" }
}
