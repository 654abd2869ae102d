/** What the author of a data source writes. */
import { type Call, type Deferral } from "./provider";
import { type Awaitable, type Findings } from "./resource";
import { type Schema } from "./schemas/schema";
import { type ConfigOf, type KnownConfigOf, type StateOf } from "./schemas/value-of";

export interface DataResult<S extends Schema> extends Findings, Deferral {
  readonly state?: StateOf<S>;
}

export interface DataSourceDefinition<S extends Schema = Schema> {
  readonly schema: S;
  validate?(config: ConfigOf<S>, call: Call): Awaitable<Findings | void>;
  read(config: KnownConfigOf<S>, call: Call): Awaitable<DataResult<S>>;
}

/** A data source whose schema the compiler reads. */
export function defineDataSource<const S extends Schema>(
  definition: DataSourceDefinition<S>,
): DataSourceDefinition {
  // Its methods are called with values that were decoded by this very schema, and with no others.
  return definition as unknown as DataSourceDefinition;
}
