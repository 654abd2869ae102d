module terraformjson

go 1.21

require github.com/hashicorp/terraform-json v0.29.0
