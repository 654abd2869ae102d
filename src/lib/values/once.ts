/** Derives something once from each key, and remembers it: the one place of the sources that caches. */

/**
 * Derives once for each object, which must not change; what is derived goes with the object. What cannot be derived, because `derive`
 * throws, is tried again.
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
 * Derives once for all keys that are written alike. What is derived stays as long as the function itself: make one for each piece of work,
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
