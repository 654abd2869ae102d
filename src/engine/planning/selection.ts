/** `--only` and `--exclude`: which blocks and instances a run is about. */
import { InvalidConfiguration, UnknownTarget } from "../../errors";
import type { Stack } from "../../stack";

export interface Selection {
  /** Whether the block, or some instance of it, is evaluated and planned. */
  readonly hasBlock: (address: string) => boolean;
  /** Whether an object's change is carried out. */
  readonly hasObject: (address: string) => boolean;
  /** Whether anything was left out. */
  readonly isPartial: boolean;
}

const EVERYTHING: Selection = { hasBlock: () => true, hasObject: () => true, isPartial: false };

/**
 * `only` selects what is named and what that depends on; `exclude` leaves out what is named and what depends on that. A resource's
 * address means all of its instances.
 * @throws InvalidConfiguration for an address that is nowhere
 */
export function selectionOf(stack: Stack, only: readonly string[], exclude: readonly string[]): Selection {
  if (only.length === 0 && exclude.length === 0) return EVERYTHING;
  refuseUnknown(stack, [...only, ...exclude]);
  const chosen = only.length === 0 ? undefined : withDependencies(stack, new Set(only.map(blockOf)));
  const left = withDependents(stack, new Set(exclude.filter((address) => address === blockOf(address))));
  const instances = only.filter((address) => address !== blockOf(address));
  const wholeBlocks = new Set(only.filter((address) => address === blockOf(address)));
  const leftInstances = new Set(exclude.filter((address) => address !== blockOf(address)));
  const hasBlock = (address: string) => (chosen?.has(address) ?? true) && !left.has(address);
  return {
    isPartial: true,
    hasBlock,
    hasObject(address) {
      const block = blockOf(address);
      if (isUndeclared(address)) return only.includes(address) && !exclude.includes(address);
      if (!hasBlock(block) || leftInstances.has(address)) return false;
      const named = instances.filter((instance) => blockOf(instance) === block);
      return named.length === 0 || wholeBlocks.has(block) || named.includes(address);
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

function isUndeclared(address: string): boolean {
  return /^tenancy_\w+\.undeclared\[/.test(address);
}

function isObject(address: string): boolean {
  return !/^(var|local|output|provider)\./.test(address);
}

/** `tenancy_account.acme["eu"]` → `tenancy_account.acme`. */
function blockOf(address: string): string {
  return address.replace(/\[.*$/s, "");
}

/** Blocks come after what they depend on, so one look from the end is enough. */
function withDependencies(stack: Stack, chosen: Set<string>): ReadonlySet<string> {
  for (const { address, dependencies } of [...stack.blocks].reverse()) {
    if (chosen.has(address)) dependencies.forEach((dependency) => chosen.add(dependency));
  }
  return chosen;
}

function withDependents(stack: Stack, left: Set<string>): ReadonlySet<string> {
  for (const { address, dependencies } of stack.blocks) {
    if (dependencies.some((dependency) => left.has(dependency))) left.add(address);
  }
  return left;
}
