# {{ marker }}
TENANCY_BASE_URL={{ base_url | shell }}
TENANCY_TOKEN={{ access_token | shell }}
