/** An ephemeral resource of the families, as Terraform opens it: its result is in no state and no plan. */
import type { EphemeralResource } from "../../resources";
import type { EphemeralResourceDefinition } from "../runtime";
import { checked, conformed } from "./configuration";
import { toTerraform } from "./findings";
import { schemaOf } from "./schema";
import type { Service } from "./service";

export function bindEphemeralResource(
  ephemeral: EphemeralResource,
  service: Service,
): EphemeralResourceDefinition {
  return {
    get schema() {
      return schemaOf(ephemeral.description);
    },
    validate: (raw) => ({ diagnostics: toTerraform(checked(ephemeral, raw).diagnostics) }),
    open: async (raw) => ({
      result: await ephemeral.open(
        service.required("so an ephemeral resource cannot be opened"),
        conformed(ephemeral, raw),
      ),
    }),
  };
}
