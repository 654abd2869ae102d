/** The door to synthesized stacks, which are read, checked and put in order. */
export { type Annotation, inOrderOfCreation, type ManifestEntry, readManifest } from "./manifest";
export type {
  Block,
  Condition,
  DataBlock,
  EphemeralBlock,
  LocalBlock,
  OutputBlock,
  ProviderBlock,
  RemoteStateBlock,
  StackRelease,
  StackRemoval,
  ResourceBlock,
  Stack,
  ValueBlock,
  VariableBlock,
} from "./model";
export { readStack } from "./read-stack";
