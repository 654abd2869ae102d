// Reads a Secret from standard input as Kubernetes' own clients do, strictly, and prints its members.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	v1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	var secret v1.Secret
	if err := yaml.UnmarshalStrict(text, &secret); err != nil {
		log.Fatal(err)
	}
	fmt.Println(secret.APIVersion, secret.Kind, secret.Namespace, secret.Name, secret.Type)
	for _, key := range []string{"access-token", "api-url", "ssl-verify-peer"} {
		fmt.Println(key, string(secret.Data[key]))
	}
}
