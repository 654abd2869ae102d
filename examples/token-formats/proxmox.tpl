# {{ marker }}
{{ driver }}: {{ consumer }}
	api_url {{ api_url }}
	auth_token {{ access_token }}
	ssl_verify_peer {{ ssl_verify_peer_digit }}
