#!/bin/sh
# Restarts the program that uses the token. In Kubernetes: kubectl rollout restart deployment/csi-controller
echo "Restarted for the token with serial number $1"
