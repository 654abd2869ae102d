variable "name" {
  description = "Name of the tenant."
  type        = string
}

variable "contact" {
  description = "Whom to ask about the tenant."
  type = object({
    first_name = optional(string)
    last_name  = optional(string)
    company    = optional(string)
    email      = optional(string)
    phone      = optional(string)
  })
  default = null
}

variable "quotas" {
  description = "What the tenant may use at most. Without a number there is no limit."
  type = object({
    storages          = optional(number)
    bytes             = optional(number)
    bytes_per_storage = optional(number)
  })
  default  = {}
  nullable = false
}

variable "people" {
  description = "Users who log in by the web, by their usernames. `permissions` grants or denies rights beside those of the preset."
  type = map(object({
    email            = optional(string)
    sms              = optional(string)
    preset           = optional(string, "observer")
    permissions      = optional(map(bool), {})
    storages         = optional(set(string), ["*"])
    password_version = optional(number)
  }))
  default  = {}
  nullable = false
}

variable "passwords" {
  description = "Passwords of people with a `password_version`, by their usernames; a new version sends the password again. They are in no state."
  type        = map(string)
  default     = {}
  nullable    = false
  ephemeral   = true
}

variable "machines" {
  description = "Users for programs, by their usernames, with the names of their tokens. A change of `keepers` rotates a token."
  type = map(object({
    rights   = optional(set(string), [])
    storages = optional(set(string), ["*"])
    tokens   = optional(map(object({ keepers = optional(map(string), {}) })), {})
  }))
  default  = {}
  nullable = false
}

variable "deletion_protection" {
  description = "Whether the tenant, and with it the storage, is protected from being deleted."
  type        = bool
  default     = true
}
