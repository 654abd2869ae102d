/** A data source of the families, as Terraform asks for it. */
import type { DataSource } from "../../resources";
import type { DataSourceDefinition } from "../runtime";
import { checked, conformed } from "./configuration";
import { toTerraform } from "./findings";
import { schemaOf } from "./schema";
import type { Service } from "./service";

export function bindDataSource(source: DataSource, service: Service): DataSourceDefinition {
  return {
    get schema() {
      return schemaOf(source.description);
    },
    validate: (raw) => ({ diagnostics: toTerraform(checked(source, raw).diagnostics) }),
    read: async (raw) => ({
      state: await source.read(service.required("so a data source cannot be read"), conformed(source, raw)),
    }),
  };
}
