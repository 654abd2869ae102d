import type { DataSource, EphemeralResource } from "./readers";
import type { Resource } from "./resource";

/** One folder under `resources` exports one of these as `family`; the registry is generated from the folders. */
export interface Family {
  readonly resource?: Resource;
  readonly dataSources?: readonly DataSource[];
  readonly ephemeral?: EphemeralResource;
}
