# {{ marker }}
API_HOST={{ host }}
API_KEY={{ access_token }}
