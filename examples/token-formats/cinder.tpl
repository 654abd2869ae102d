# {{ marker }}
[{{ consumer }}]
volume_backend_name = {{ consumer }}
{{ driver }}_api_host = {{ hostname }}
{{ driver }}_api_port = {{ port }}
{{ driver }}_auth_scheme = token
{{ driver }}_auth_token = {{ access_token }}
