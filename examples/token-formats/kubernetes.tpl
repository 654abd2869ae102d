# {{ marker }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ consumer | json }}
  namespace: {{ namespace | json }}
type: Opaque
data:
  api-url: {{ api_url | base64 }}
  access-token: {{ access_token | base64 }}
  ssl-verify-peer: {{ ssl_verify_peer | base64 }}
