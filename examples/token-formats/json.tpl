{
  "written_by": {{ marker | json }},
  "base_url": {{ base_url | json }},
  "api_url": {{ api_url | json }},
  "access_token": {{ access_token | json }},
  "ssl_verify_peer": {{ ssl_verify_peer }},
  "login": {{ login | json }},
  "name": {{ name | json }},
  "serial": {{ serial | json }}
}
