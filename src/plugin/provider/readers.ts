/** Binds the families' data sources and ephemeral resources to the runtime. */
import type { DataSource, EphemeralResource } from "../../resources";
import type { DataSourceDefinition, EphemeralResourceDefinition } from "../runtime";
import { conformedConfig, findingsIn, schemaOf, type Service } from "./service";
import { toTerraform } from "./words";

/** A data source of the families, as Terraform asks for it. */
export function bindDataSource(source: DataSource, service: Service): DataSourceDefinition {
  return {
    get schema() {
      return schemaOf(source.description);
    },
    validate: (raw) => ({ diagnostics: toTerraform(findingsIn(source, raw)) }),
    read: async (raw) => ({
      state: await source.read(
        service.requireConnection("so a data source cannot be read"),
        conformedConfig(source, raw),
      ),
    }),
  };
}

/** An ephemeral resource of the families, as Terraform opens it: its result is in no state and no plan. */
export function bindEphemeralResource(
  ephemeral: EphemeralResource,
  service: Service,
): EphemeralResourceDefinition {
  return {
    get schema() {
      return schemaOf(ephemeral.description);
    },
    validate: (raw) => ({ diagnostics: toTerraform(findingsIn(ephemeral, raw)) }),
    open: async (raw) => ({
      result: await ephemeral.open(
        service.requireConnection("so an ephemeral resource cannot be opened"),
        conformedConfig(ephemeral, raw),
      ),
    }),
  };
}
