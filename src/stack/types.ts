/** What a stack may use of our provider, by name. The engine knows; the reader only looks names up. */
export interface Types {
  readonly resources: Names;
  readonly dataSources: Names;
  readonly ephemerals: Names;
}

/** Any map or set by name. */
export type Names = Pick<ReadonlyMap<string, unknown>, "has" | "keys">;
