/** The Terraform provider `tenancy`: the resource families, bound to the plugin runtime. */
import type { Environment } from "../../connection";
import { dataSources, ephemeralResources, resources } from "../../resources";
import { provider as description } from "../../resources/provider";
import type { Provider } from "../runtime";
import { bindDataSource } from "./data-source";
import { bindEphemeralResource } from "./ephemeral-resource";
import { diagnose, toTerraform } from "./findings";
import { functions } from "./functions";
import { bindResource } from "./resource";
import { schemaOf } from "./schema";
import { Service } from "./service";

/**
 * @param environment for what the provider's configuration leaves out, `TENANCY_…`
 * @param now wall clock
 */
export function createProvider(environment: Environment, now: () => Date = () => new Date()): Provider {
  const service = new Service(environment, now);
  return {
    schema: schemaOf(description),
    resources: bound(resources, (resource) => bindResource(resource, service)),
    dataSources: bound(dataSources, (source) => bindDataSource(source, service)),
    ephemeralResources: bound(ephemeralResources, (ephemeral) => bindEphemeralResource(ephemeral, service)),
    functions,
    validate: (raw) => ({ diagnostics: toTerraform(service.validate(raw).diagnostics) }),
    configure: async (raw, { log }) => ({ diagnostics: toTerraform(await service.configure(raw, log)) }),
    stop: () => service.stop(),
    diagnose,
  };
}

function bound<T, U>(all: ReadonlyMap<string, T>, bind: (one: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries([...all].map(([type, one]) => [type, bind(one)]));
}
