module plugintesting

go 1.24.0

require github.com/hashicorp/terraform-plugin-testing v1.14.0
