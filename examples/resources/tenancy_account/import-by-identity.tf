# By serial or id, whichever is at hand.
import {
  to       = tenancy_account.acme
  identity = { serial = "ACT0700000000000001" }
}
