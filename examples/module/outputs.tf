output "id" {
  description = "Id of the tenant's account."
  value       = tenancy_account.tenant.id
}

output "logins" {
  description = "Logins of people and machines, by their usernames."
  value       = { for name, user in merge(tenancy_user_profile.people, tenancy_user_profile.machines) : name => user.login }
}

output "tokens" {
  description = "Tokens of the machines, by \"machine/token\"."
  value       = { for name, token in tenancy_authorization.tokens : name => token.access_token }
  sensitive   = true
}
