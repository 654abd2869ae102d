/** The families by type, for types that the stack reader has let pass. */
import {
  dataSources,
  ephemeralResources,
  resources,
  type DataSource,
  type EphemeralResource,
  type Resource,
} from "../../resources";

export function resourceOf(type: string): Resource {
  return known(resources.get(type), type);
}

export function dataSourceOf(type: string): DataSource {
  return known(dataSources.get(type), type);
}

export function ephemeralOf(type: string): EphemeralResource {
  return known(ephemeralResources.get(type), type);
}

function known<T>(found: T | undefined, type: string): T {
  if (found === undefined) throw new TypeError(`${type} passed the stack reader and is unknown`);
  return found;
}
