/** Derives something once from each key, and remembers it. Where the sources remember in another place, a test holds the reason. */

/**
 * Derives a result once for each object, which must not change; the garbage collector removes the result with the object. If `derive`
 * throws, the next call tries again.
 */
export function onceForEach<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const derived = new WeakMap<K, V>();
  return (key) => {
    const known = derived.get(key);
    if (known !== undefined || derived.has(key)) return known as V;
    const value = derive(key);
    derived.set(key, value);
    return value;
  };
}

/**
 * Derives a result once for all keys with the same text. The results stay as long as the function itself: make one for each piece of work,
 * never for a module.
 */
export function onceForAlike<K, V>(textOf: (key: K) => string, derive: (key: K) => V): (key: K) => V {
  const derived = new Map<string, V>();
  return (key) => {
    const text = textOf(key);
    const known = derived.get(text);
    if (known !== undefined || derived.has(text)) return known as V;
    const value = derive(key);
    derived.set(text, value);
    return value;
  };
}
