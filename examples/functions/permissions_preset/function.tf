# All that an operator may, on two virtual storage services alone, and without backups.
output "operator_of_two" {
  value = provider::tenancy::permissions_preset("operator", {
    vss = {
      all_account_scope = false
      vsses             = ["virtual-storage-service:1:7", "virtual-storage-service:1:8"]
      rights            = { backup_disks = false }
    }
  })
}
