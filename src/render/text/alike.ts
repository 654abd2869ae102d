/** What is alike in a large plan is shown as one. Deletes never are. */

/** Up to so many items are all shown one by one. */
const FEW = 25;
/** So many alike items make a group. */
const GROUP = 5;

/**
 * Groups items of the same likeness, each group where its first item stands.
 * @param likeness undefined for what has to be shown by itself
 */
export function grouped<T>(
  items: readonly T[],
  likeness: (item: T) => string | undefined,
): readonly (readonly T[])[] {
  if (items.length <= FEW) return items.map((item) => [item]);
  const groups = new Map<string, T[]>();
  const keys = items.map(likeness);
  for (const [index, item] of items.entries()) {
    const key = keys[index];
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  const shown = new Set<string>();
  return items.flatMap((item, index) => {
    const key = keys[index];
    const group = key === undefined ? undefined : groups.get(key);
    if (key === undefined || group === undefined || group.length < GROUP) return [[item]];
    if (shown.has(key)) return [];
    shown.add(key);
    return [group];
  });
}
