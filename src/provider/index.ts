/** The Terraform provider `tenancy`: the resource families, bound to the plugin runtime. */
import { TenancyError, worded } from "../problems";
import {
  type DataSource,
  dataSources,
  type EphemeralResource,
  ephemeralResources,
  type Listing,
  listings,
  permissionsPreset,
  permissionsPresetSignature as signature,
  resources,
} from "../resources";
import { provider as description } from "../service";
import { type Environment, isUnknown, UNKNOWN, type Value } from "../lib/values";
import {
  type DataSourceDefinition,
  type EphemeralResourceDefinition,
  type FunctionDefinition,
  FunctionFailure,
  type ListResourceDefinition,
  type Provider,
} from "../lib/plugin-runtime";
import { bindResource } from "./resource";
import { conformedConfig, findingsIn, schemaOf, Service } from "./service";
import { diagnose, HCL, toTerraform } from "./words";

/**
 * @param environment for values that the provider's configuration leaves out, `TENANCY_…`
 * @param now wall clock
 */
export function createProvider(environment: Environment, now: () => Date = () => new Date()): Provider {
  const service = new Service(environment, now);
  return {
    schema: schemaOf(description),
    resources: bindAll(resources, (resource) => bindResource(resource, service)),
    dataSources: bindAll(dataSources, (source) => bindDataSource(source, service)),
    ephemeralResources: bindAll(ephemeralResources, (ephemeral) =>
      bindEphemeralResource(ephemeral, service, environment),
    ),
    listResources: bindAll(listings, (listing) => bindListing(listing, service)),
    functions,
    validate: (raw) => ({ diagnostics: toTerraform(service.validate(raw)) }),
    configure: async (raw, { log }) => {
      await service.configure(raw, log);
      return { diagnostics: [] };
    },
    stop: () => service.stop(),
    diagnose,
  };
}

function bindAll<T, U>(all: ReadonlyMap<string, T>, bind: (one: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries([...all].map(([type, one]) => [type, bind(one)]));
}

/** A data source of the families, as Terraform asks for it. */
function bindDataSource(source: DataSource, service: Service): DataSourceDefinition {
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
function bindEphemeralResource(
  ephemeral: EphemeralResource,
  service: Service,
  environment: Environment,
): EphemeralResourceDefinition {
  const { description: described } = ephemeral;
  const surroundings = { environment };
  return {
    get schema() {
      return schemaOf(described);
    },
    validate: (raw) => ({ diagnostics: toTerraform(findingsIn({ description: described }, raw)) }),
    open: async (raw) => {
      const connection = service.requireConnection("so an ephemeral resource cannot be opened");
      const config = conformedConfig({ description: described }, raw);
      const refusals = ephemeral.check?.(config, surroundings) ?? [];
      if (refusals.length > 0) return { diagnostics: toTerraform(refusals) };
      return { result: await ephemeral.open(connection, config, surroundings) };
    },
  };
}

/** Finds objects of the families, as `terraform query` lists them. */
function bindListing(listing: Listing, service: Service): ListResourceDefinition {
  return {
    get schema() {
      return schemaOf(listing.description);
    },
    validate: (raw) => ({ diagnostics: toTerraform(findingsIn(listing, raw)) }),
    async *list(raw) {
      const connection = service.requireConnection("so nothing can be listed");
      for await (const { title, state, findings } of listing.list(connection, conformedConfig(listing, raw)))
        yield { displayName: title, state, diagnostics: toTerraform(findings) };
    },
  };
}

/** The provider's functions. */
const functions: Readonly<Record<string, FunctionDefinition>> = {
  [signature.name]: {
    summary: signature.summary,
    description: signature.description,
    parameters: signature.parameters,
    // One unknown right leaves the others known.
    variadic: { ...signature.variadicParameter, allowUnknown: true, allowNull: true },
    returns: signature.returnType,
    call: (name, ...overrides) => preset(name as string, overrides),
  },
};

function preset(name: string, overrides: readonly Value[]): Value {
  if (overrides.some(isUnknown)) return UNKNOWN;
  try {
    return permissionsPreset(name, ...overrides);
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    const [argument] = error.where.attribute ?? [];
    throw new FunctionFailure(clauseOf(error), typeof argument === "number" ? argument : undefined);
  }
}

/** Terraform makes a sentence of the text, and adds a full stop. */
function clauseOf(error: TenancyError): string {
  const [{ advice = "" } = {}] = worded(error.toFindings(), HCL);
  return advice === "" ? error.message : `${error.message} (${advice.replace(/\.$/, "")})`;
}
