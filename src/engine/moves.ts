/** Entries of the state follow their declarations to another stack, or to another provider configuration (design: Ownership). */
import type { Moves } from "../state";
import { isError } from "../problems";
import { isKnownText, normalForm } from "../lib/values";
import { keyPattern, objectKeyOf, partsOfObjectKey, resourceOf } from "./families";
import type { Loaded } from "./load/stack";
import { type CodeDeclarations, declaredInCode } from "./other-stacks";

export function movesOf({ source, options }: Loaded, code: CodeDeclarations, plannedAt: Date): Moves {
  let own = code.own;
  return async (to, namesByStack) => {
    own ??= (await declaredInCode(source, options, plannedAt)).declarations;
    const here = new Map(
      own
        .filter(({ origin, key }) => origin === to.origin && isKnownText(key))
        .map(({ type, key, through }) => [objectKeyOf(resourceOf(type), normalForm(key)), through]),
    );
    const isDeclaredIn = (stack: string, objectKey: string): boolean => {
      const { resource, key } = partsOfObjectKey(objectKey);
      const sibling = code.siblings.get(stack);
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
    return (from, key) =>
      from.origin === to.origin &&
      here.get(key) === to.provider &&
      (from.stack === to.stack || !isDeclaredIn(from.stack, key));
  };
}
