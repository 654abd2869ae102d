module kubernetessecret

go 1.21

require (
	k8s.io/api v0.29.15
	sigs.k8s.io/yaml v1.4.0
)
