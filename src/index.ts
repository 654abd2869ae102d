/** Constructs for CDKTF: tenants of a storage service, declared. Importing this loads no engine. */
export * from "./constructs";
