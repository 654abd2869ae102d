/** `--only` and `--exclude`: which blocks and instances a run is about. */
import { InvalidConfiguration, UnknownTarget } from "../../errors";
import type { Stack } from "../../stack";

export interface Selection {
  /** Whether the block, or some instance of it, is part of the run. */
  readonly hasBlock: (address: string) => boolean;
  /** Whether an object's change is carried out. */
  readonly hasObject: (address: string) => boolean;
  /** Whether anything was left out. */
  readonly isPartial: boolean;
}

export interface SelectionRequest {
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** In a destroy, dependencies count the other way round: what depends on an object goes before it. */
  readonly destroy?: boolean | undefined;
}

export const EVERYTHING: Selection = { hasBlock: () => true, hasObject: () => true, isPartial: false };

/**
 * `only` selects what is named and what that depends on; `exclude` leaves out what is named and what depends on that. A resource's
 * address means all of its instances.
 * @throws InvalidConfiguration for an address that is nowhere
 */
export function selectionOf(
  stack: Stack,
  { only = [], exclude = [], destroy = false }: SelectionRequest,
): Selection {
  if (only.length === 0 && exclude.length === 0) return EVERYTHING;
  refuseUnknown(stack, [...only, ...exclude]);
  const [taken, left] = destroy ? [withDependents, withDependencies] : [withDependencies, withDependents];
  const chosen = only.length === 0 ? undefined : taken(stack, only.map(blockOf));
  const leftBlocks = left(stack, exclude.filter(isBlock));
  const wholeBlocks = new Set(only.filter(isBlock));
  const instances = new Set(only.filter((address) => !isBlock(address)));
  const blocksOfInstances = new Set([...instances].map(blockOf));
  const leftInstances = new Set(exclude.filter((address) => !isBlock(address)));
  const hasBlock = (address: string) => (chosen?.has(address) ?? true) && !leftBlocks.has(address);
  return {
    isPartial: true,
    hasBlock,
    hasObject(address) {
      if (leftInstances.has(address)) return false;
      if (isUndeclared(address)) return instances.has(address);
      const block = blockOf(address);
      if (!hasBlock(block)) return false;
      return !blocksOfInstances.has(block) || wholeBlocks.has(block) || instances.has(address);
    },
  };
}

function refuseUnknown(stack: Stack, addresses: readonly string[]): void {
  const known = new Set(stack.blocks.map(({ address }) => address));
  const unknown = addresses.filter((address) => !isUndeclared(address) && !known.has(blockOf(address)));
  if (unknown.length === 0) return;
  throw new InvalidConfiguration(
    unknown.flatMap((address) => new UnknownTarget(address, [...known].filter(isObject)).toDiagnostics()),
  );
}

/**
 * What `count` and `for_each` make is known only after evaluation.
 * @param instances addresses of all objects that are declared
 * @throws InvalidConfiguration for the address of an instance that there is not
 */
export function refuseUnknownInstances(
  stack: Stack,
  { only = [], exclude = [] }: SelectionRequest,
  instances: readonly string[],
): void {
  const named = [...only, ...exclude].filter((address) => !isBlock(address) && !isUndeclared(address));
  if (named.length === 0) return;
  const known = new Set(instances);
  const resources = new Set(
    stack.blocks.flatMap(({ kind, address }) => (kind === "resource" ? [address] : [])),
  );
  const unknown = named.filter((address) => resources.has(blockOf(address)) && !known.has(address));
  if (unknown.length === 0) return;
  throw new InvalidConfiguration(
    unknown.flatMap((address) => {
      const siblings = instances.filter((one) => blockOf(one) === blockOf(address));
      return new UnknownTarget(address, siblings).toDiagnostics();
    }),
  );
}

function isUndeclared(address: string): boolean {
  return /^tenancy_\w+\.undeclared\[/.test(address);
}

function isObject(address: string): boolean {
  return !/^(var|local|output|provider)\./.test(address);
}

function isBlock(address: string): boolean {
  return address === blockOf(address);
}

/** `tenancy_account.acme["eu"]` → `tenancy_account.acme`. */
function blockOf(address: string): string {
  return address.replace(/\[.*$/s, "");
}

/** Blocks come after what they depend on, so one look from the end is enough. */
function withDependencies(stack: Stack, addresses: readonly string[]): ReadonlySet<string> {
  const chosen = new Set(addresses);
  for (const { address, dependencies } of [...stack.blocks].reverse()) {
    if (chosen.has(address)) dependencies.forEach((dependency) => chosen.add(dependency));
  }
  return chosen;
}

function withDependents(stack: Stack, addresses: readonly string[]): ReadonlySet<string> {
  const chosen = new Set(addresses);
  for (const { address, dependencies } of stack.blocks) {
    if (dependencies.some((dependency) => chosen.has(dependency))) chosen.add(address);
  }
  return chosen;
}
