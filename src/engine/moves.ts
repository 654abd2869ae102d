/**
 * Entries of the state follow their declarations to another stack, or to another provider configuration (design: Ownership). Those of a provider
 * configuration that has left go to one that stays at the service: it deletes objects without a declaration, and removes access at its end.
 */
import type { Moves } from "../state";
import { isError } from "../problems";
import { isKnownText, normalForm } from "../lib/values";
import { keyPattern, objectKeyOf, partsOfObjectKey, resourceOf } from "./families";
import type { Loaded } from "./load/stack";
import { type CodeDeclarations, declaredInCode } from "./other-stacks";

/** @param code undefined for a run in which no declaration counts: a destroy, or one that only removes ended access */
export function movesOf(loaded: Loaded, code: CodeDeclarations | undefined, plannedAt: Date): Moves {
  const { source, options } = loaded;
  const staying = providersOf(loaded);
  let own = code === undefined ? [] : code.own;
  return async (to, namesByStack) => {
    own ??= (await declaredInCode(source, options, plannedAt)).declarations;
    const here = new Map(
      own
        .filter(({ origin, key }) => origin === to.origin && isKnownText(key))
        .map(({ type, key, through }) => [objectKeyOf(resourceOf(type), normalForm(key)), through]),
    );
    const isDeclaredIn = (stack: string, objectKey: string): boolean => {
      const { resource, key } = partsOfObjectKey(objectKey);
      const sibling = code?.siblings.get(stack);
      if (sibling !== undefined)
        return (
          sibling.findings.some(isError) ||
          sibling.declarations.some(
            (one) =>
              one.type === resource.description.type &&
              (one.origin ?? to.origin) === to.origin &&
              keyPattern(normalForm(one.key)).test(key),
          )
        );
      // A stack of this synthesis that is no sibling uses another service.
      if (source.stacks.some(({ name }) => name === stack)) return false;
      return (namesByStack.get(stack) ?? []).some((names) => names.some((name) => normalForm(name) === key));
    };
    return (from, key) => {
      if (from.origin !== to.origin) return false;
      const isAdopted = from.stack === to.stack && !staying.has(from.provider) && !here.has(key);
      const isDeclaredHere = here.get(key) === to.provider;
      return isAdopted || (isDeclaredHere && (from.stack === to.stack || !isDeclaredIn(from.stack, key)));
    };
  };
}

/** Names of the stack's provider configurations. */
export function providersOf({ stack }: Loaded): ReadonlySet<string> {
  return new Set(stack.blocks.flatMap((one) => (one.kind === "provider" ? one.name : [])));
}
