// Reads a plan with the library that Terraform's own tools use, and prints what it understood.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
)

func main() {
	var plan tfjson.Plan
	if err := json.NewDecoder(os.Stdin).Decode(&plan); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := plan.Validate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("format", plan.FormatVersion, "complete", *plan.Complete)
	for _, change := range plan.ResourceChanges {
		fmt.Println("change", change.Address, change.Type, change.Name, change.Index, change.Change.Actions, change.ActionReason)
	}
	for name, change := range plan.OutputChanges {
		fmt.Println("output", name, change.Actions, change.AfterUnknown)
	}
	for _, resource := range plan.PlannedValues.RootModule.Resources {
		fmt.Println("planned", resource.Address, resource.AttributeValues["name"])
	}
	for _, resource := range plan.PriorState.Values.RootModule.Resources {
		fmt.Println("prior", resource.Address, resource.AttributeValues["name"])
	}
	for _, resource := range plan.Config.RootModule.Resources {
		fmt.Println("configured", resource.Address, resource.ProviderConfigKey)
	}
	for key, provider := range plan.Config.ProviderConfigs {
		fmt.Println("provider", key, provider.FullName)
	}
}
