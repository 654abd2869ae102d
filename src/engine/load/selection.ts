/** Selects the blocks and instances of a run: `--only` and `--exclude`. */
import { addressOf, type Compiled, type Reference } from "../../lib/language";
import type { Plan } from "../../plan";
import { InvalidConfiguration, unknownTarget } from "../../problems";
import { isTokenType } from "../../resources";
import type { Block, Stack } from "../../stack";
import { groupedBy, isKnownText, normalForm } from "../../lib/values";
import { undeclaredAddress } from "../change";
import type { OfflineObject, PlannedObject } from "../planned-object";

export interface Selection {
  /** True if the block, or some instance of it, is part of the run. */
  readonly hasBlock: (address: string) => boolean;
  /** True if an object's change is carried out. */
  readonly hasObject: (address: string) => boolean;
  /** True if anything was left out. */
  readonly isPartial: boolean;
}

interface SelectionRequest {
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** In a destroy, dependencies are reversed: the dependents of an object are deleted before it. */
  readonly destroy?: boolean | undefined;
  readonly tokenUsers?: TokenUsers;
}

/** Declared tokens, each with a declared account or user that has its login. A token depends on that, also without a reference. */
type TokenUsers = readonly (readonly [token: string, user: string])[];

export const EVERYTHING: Selection = { hasBlock: () => true, hasObject: () => true, isPartial: false };

/**
 * `only` selects the named objects and their dependencies; `exclude` omits the named objects and their dependents. A resource's address
 * means all of its instances.
 * @throws InvalidConfiguration for an unknown address
 */
export function selectionOf(
  stack: Stack,
  { only = [], exclude = [], destroy = false, tokenUsers = [] }: SelectionRequest,
): Selection {
  if (only.length === 0 && exclude.length === 0) return EVERYTHING;
  refuseUnknown(stack, [...only, ...exclude]);
  const namedBlocks = only.map(blockOf);
  // The tokens of a user that a destroy deletes are found one by one, among the deletes.
  const takenBlocks = destroy
    ? withDependents(stack, namedBlocks)
    : withDependencies(stack, namedBlocks, tokenUsers);
  const chosenBlocks = only.length === 0 ? undefined : takenBlocks;
  const leftBlocks = leftOut(stack, exclude, destroy, tokenUsers);
  const wholeBlocks = new Set(only.filter(isBlock));
  const instances = new Set(only.filter((address) => !isBlock(address)));
  const blocksOfInstances = new Set([...instances].map(blockOf));
  const hasBlock = (address: string) =>
    (chosenBlocks?.has(address) ?? true) && leftBlocks.get(address) !== "all";
  return {
    isPartial: true,
    hasBlock,
    hasObject(address) {
      const block = blockOf(address);
      const leftInstances = leftBlocks.get(block);
      if (leftInstances instanceof Set && leftInstances.has(instanceKey(address))) return false;
      if (isUndeclaredAddress(address)) return instances.has(address);
      if (!hasBlock(block)) return false;
      return !blocksOfInstances.has(block) || wholeBlocks.has(block) || instances.has(address);
    },
  };
}

function refuseUnknown(stack: Stack, addresses: readonly string[]): void {
  const known = new Set(stack.blocks.map(({ address }) => address));
  const unknown = addresses.filter(
    (address) => !isUndeclaredAddress(address) && !known.has(blockOf(address)),
  );
  if (unknown.length === 0) return;
  const objects = [...known].filter((one) => !/^(var|local|output|provider)\./.test(one));
  throw new InvalidConfiguration(unknown.map((address) => unknownTarget.at({ address, known: objects })));
}

/**
 * The instances of `count` and `for_each` are known only after evaluation.
 * @param instances addresses of all objects that are declared
 * @throws InvalidConfiguration for the address of an instance that there is not
 */
export function refuseUnknownInstances(
  stack: Stack,
  { only = [], exclude = [] }: SelectionRequest,
  instances: readonly string[],
): void {
  const instanceAddresses = [...only, ...exclude].filter(
    (address) => !isBlock(address) && !isUndeclaredAddress(address),
  );
  if (instanceAddresses.length === 0) return;
  const known = new Set(instances);
  const resources = new Set(
    stack.blocks.flatMap(({ kind, address }) => (kind === "resource" ? [address] : [])),
  );
  const unknown = instanceAddresses.filter(
    (address) => resources.has(blockOf(address)) && !known.has(address),
  );
  if (unknown.length === 0) return;
  throw new InvalidConfiguration(
    unknown.flatMap((address) => {
      const siblings = instances.filter((one) => blockOf(one) === blockOf(address));
      return [unknownTarget.at({ address, known: siblings })];
    }),
  );
}

export function isUndeclaredAddress(address: string): boolean {
  return /^tenancy_\w+\.undeclared\[/.test(address);
}

function isBlock(address: string): boolean {
  return address === blockOf(address);
}

/** `tenancy_account.acme["eu"]` → `tenancy_account.acme`. */
function blockOf(address: string): string {
  return address.replace(/\[.*$/s, "");
}

/** The part after a block's address: `["eu"]`, `[0]`. */
function instanceKey(address: string): string {
  return address.slice(blockOf(address).length);
}

/** Instances of a block, by the suffix of their address; or all of them. */
type Instances = "all" | ReadonlySet<string>;

/**
 * The instances that are excluded by name, and their dependents; in a destroy, their dependencies. A block that refers to an instance by its key depends on
 * it. With a reference `[each.key]` or `[count.index]`, the instance of the same key depends on it. Any other reference may mean every instance.
 */
function leftOut(
  stack: Stack,
  exclude: readonly string[],
  destroy: boolean,
  tokenUsers: TokenUsers,
): ReadonlyMap<string, Instances> {
  const leftBlocks = new Map<string, Instances>();
  let hasGrown = true;
  const leave = (block: string, instances: Instances): void => {
    const before = leftBlocks.get(block) ?? new Set();
    if (before === "all" || (instances !== "all" && [...instances].every((key) => before.has(key)))) return;
    leftBlocks.set(block, instances === "all" ? "all" : new Set([...before, ...instances]));
    hasGrown = true;
  };
  const leaveOne = (address: string) =>
    leave(blockOf(address), isBlock(address) ? "all" : new Set([instanceKey(address)]));
  const isLeft = (address: string) => {
    const lostInstances = leftBlocks.get(blockOf(address));
    return lostInstances === "all" || lostInstances?.has(instanceKey(address)) === true;
  };
  exclude.forEach(leaveOne);
  const expanded = new Set(stack.blocks.filter(isExpanded).map(({ address }) => address));
  // The order of the blocks follows from references alone, and a login may point anywhere: so until nothing more is left out.
  while (hasGrown) {
    hasGrown = false;
    for (const [token, user] of tokenUsers) {
      if (isLeft(destroy ? token : user)) leaveOne(destroy ? user : token);
    }
    for (const block of destroy ? [...stack.blocks].reverse() : stack.blocks) {
      for (const dependency of block.dependencies) {
        const lostInstances = leftBlocks.get(destroy ? block.address : dependency);
        if (lostInstances === undefined) continue;
        // A block of one object is meant by every reference to it.
        for (const which of expanded.has(dependency) ? instancesMeant(block, dependency) : ["any" as const]) {
          if (destroy)
            leave(
              dependency,
              which === "same" ? lostInstances : which === "any" ? "all" : new Set([which.key]),
            );
          else if (lostInstances === "all" || which === "any" || which === "same")
            leave(block.address, which === "same" ? lostInstances : "all");
          else if (lostInstances.has(which.key)) leave(block.address, "all");
        }
      }
    }
  }
  return leftBlocks;
}

function isExpanded(block: Block): boolean {
  return (
    ("count" in block && block.count !== undefined) || ("forEach" in block && block.forEach !== undefined)
  );
}

/** The instances of another block that a block's references mean. */
function instancesMeant(block: Block, other: string): readonly ("any" | "same" | { readonly key: string })[] {
  const references = compiledParts(block)
    .flatMap((part) => part.references)
    .filter((reference) => addressOf(reference) === other);
  // Without a reference, as by `depends_on`, all of the block is meant.
  return references.length === 0 ? ["any"] : references.map(instanceMeant);
}

function instanceMeant({ path: [first], sourceText }: Reference): "any" | "same" | { readonly key: string } {
  if (/^[^[]*\[\s*(?:each\.key|count\.index)\s*\]/.test(sourceText)) return "same";
  return first === undefined ? "any" : { key: `[${JSON.stringify(first)}]` };
}

function compiledParts(block: Block): readonly Compiled[] {
  const conditions = (all: readonly { condition: Compiled; errorMessage: Compiled }[]) =>
    all.flatMap(({ condition, errorMessage }) => [condition, errorMessage]);
  switch (block.kind) {
    case "variable":
      return conditions(block.validations);
    case "local":
      return [block.value];
    case "provider":
      return [block.body];
    case "output":
      return [block.value, ...conditions(block.preconditions)];
    default: {
      const { preconditions, postconditions } = block.lifecycle;
      const all = [block.body, block.count, block.forEach, block.enabled].filter(
        (part) => part !== undefined,
      );
      return [...all, ...conditions(preconditions), ...conditions(postconditions)];
    }
  }
}

/** Addresses in place of logins, names of accounts and other keys. */
export interface NamedRequest {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  /** Names in `only` of which nothing is declared, by the addresses that they have where the live service holds them. */
  readonly presumed: ReadonlyMap<string, string>;
  readonly tokenUsers: TokenUsers;
}

/**
 * Names of objects work like their addresses: a user's login, an account's name, `login/name` of a token.
 * @param foreseen asked where something is no address, or tokens are declared; the declared objects with their keys
 */
export async function byAddress(
  stack: Stack,
  { only = [], exclude = [] }: SelectionRequest,
  foreseen: () => Promise<readonly OfflineObject[]>,
): Promise<NamedRequest> {
  const blocks = new Set(stack.blocks.map(({ address }) => address));
  const isAddress = (text: string) => isUndeclaredAddress(text) || blocks.has(blockOf(text));
  const isAsked =
    [...only, ...exclude].length > 0 &&
    stack.blocks.some((one) => one.kind === "resource" && isTokenType(one.type));
  if (!isAsked && [...only, ...exclude].every(isAddress))
    return { only, exclude, presumed: new Map(), tokenUsers: [] };
  const objects = await foreseen();
  const presumed = new Map<string, string>();
  const addressesOf = (text: string): readonly string[] => {
    const objectsWithKey = objects.filter(({ key }) => key.normalize() === text.normalize());
    return isAddress(text) || objectsWithKey.length === 0
      ? [text]
      : objectsWithKey.map(({ address }) => address);
  };
  const orUndeclared = (text: string): string => {
    if (isAddress(text) || !/^[^[\].]+@[^[\]]+$|^[^[\].]+$/.test(text)) return text;
    const address = undeclaredAddress(typeOfKey(text), text);
    presumed.set(text, address);
    return address;
  };
  return {
    only: only.flatMap(addressesOf).map(orUndeclared),
    exclude: exclude.flatMap(addressesOf),
    presumed,
    tokenUsers: tokenUsersOf(stack, objects),
  };
}

function tokenUsersOf(stack: Stack, objects: readonly OfflineObject[]): TokenUsers {
  const providers = new Map(
    stack.blocks.flatMap((block) =>
      block.kind === "resource" ? [[block.address, block.provider] as const] : [],
    ),
  );
  const providerOf = ({ address }: OfflineObject) => providers.get(blockOf(address));
  const users = groupedBy(
    objects.filter(({ type, key }) => !isTokenType(type) && isKnownText(key)),
    ({ key }) => normalForm(key),
  );
  return objects.flatMap((token) => {
    const { name } = token.config;
    if (!isTokenType(token.type) || typeof name !== "string") return [];
    const bearers = users.get(normalForm(token.key.slice(0, -`/${name}`.length))) ?? [];
    // Another provider may be an alias of the service, or another service with the same logins.
    const own = bearers.filter((user) => providerOf(user) === providerOf(token));
    return (own.length > 0 ? own : bearers).map(({ address }) => [token.address, address] as const);
  });
}

function typeOfKey(key: string): string {
  if (!key.includes("@")) return "tenancy_account";
  return key.includes("/") ? "tenancy_authorization" : "tenancy_user_profile";
}

/**
 * A name that is neither declared nor deleted by the plan is misspelt.
 * @throws InvalidConfiguration
 */
export function refuseUnmatchedNames(
  presumed: NamedRequest["presumed"],
  { changes }: Plan,
  declaredObjects: readonly PlannedObject[],
): void {
  const absent = [...presumed].filter(
    ([, presumedAt]) => !changes.some(({ address }) => address === presumedAt),
  );
  if (absent.length === 0) return;
  const known = declaredObjects.map(({ change }) => change.key);
  throw new InvalidConfiguration(absent.map(([name]) => unknownTarget.at({ address: name, known })));
}

function withDependencies(
  stack: Stack,
  addresses: readonly string[],
  tokenUsers: TokenUsers,
): ReadonlySet<string> {
  const dependenciesByBlock = new Map(
    stack.blocks.map(({ address, dependencies }) => [address, [...dependencies]]),
  );
  for (const [token, user] of tokenUsers) dependenciesByBlock.get(blockOf(token))?.push(blockOf(user));
  const chosenBlocks = new Set(addresses);
  // Addresses that are added meanwhile are visited, too.
  for (const address of chosenBlocks)
    dependenciesByBlock.get(address)?.forEach((dependency) => chosenBlocks.add(dependency));
  return chosenBlocks;
}

/** Blocks come after their dependencies, so one pass is enough. */
function withDependents(stack: Stack, addresses: readonly string[]): ReadonlySet<string> {
  const chosenBlocks = new Set(addresses);
  for (const { address, dependencies } of stack.blocks) {
    if (dependencies.some((dependency) => chosenBlocks.has(dependency))) chosenBlocks.add(address);
  }
  return chosenBlocks;
}
