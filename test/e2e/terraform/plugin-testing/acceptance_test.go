// Package plugintesting tests the installed provider with the framework by which HashiCorp's own providers are tested. After each step the
// framework checks that a plan is empty, and at the end it destroys all objects.
package plugintesting

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const account = `
resource "tenancy_account" "acme" {
  name                = "acme"
  deletion_protection = false
`

const user = account + `}
resource "tenancy_user_profile" "jane" {
  account_id = tenancy_account.acme.id
  username   = "jane"
`

const token = `
resource "tenancy_authorization" "own" {
  name = "own"
`

// life is that of one object: it is created, updated in place and destroyed, and looked at in between.
func life(t *testing.T, address, created, updated string, between ...resource.TestStep) {
	inPlace := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
	}}
	steps := append([]resource.TestStep{{Config: created + "}"}}, between...)
	resource.Test(t, resource.TestCase{
		ExternalProviders: map[string]resource.ExternalProvider{"tenancy": {Source: "tenancy/tenancy"}},
		Steps:             append(steps, resource.TestStep{Config: updated + "}", ConfigPlanChecks: inPlace}),
	})
}

func TestAccount(t *testing.T) {
	address := "tenancy_account.acme"
	life(t, address, account, account+`limits_vss_num = 3`+"\n", resource.TestStep{
		ResourceName:            address,
		ImportState:             true,
		ImportStateVerify:       true,
		ImportStateVerifyIgnore: []string{"deletion_protection"},
	})
}

func TestUserProfile(t *testing.T) {
	address := "tenancy_user_profile.jane"
	life(t, address, user, user+`email = "jane@acme.example"`+"\n", resource.TestStep{
		ResourceName:      address,
		ImportState:       true,
		ImportStateVerify: true,
	})
}

func TestAuthorization(t *testing.T) {
	address := "tenancy_authorization.own"
	life(t, address, token, token+`keepers = { quarter = "2" }`+"\n", resource.TestStep{
		ResourceName:  address,
		ImportState:   true,
		ImportStateId: "own",
		ExpectError:   regexp.MustCompile("cannot be imported"),
	})
}
