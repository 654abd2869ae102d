# All that an operator may, without backups, and with the right to format disks.
output "operator_of_disks" {
  value = provider::tenancy::permissions_preset("operator", {
    "vss.backup_disks" = false
    "vss.format_disks" = true
  })
}
